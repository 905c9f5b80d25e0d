// Command-line layer: clusters of the kubeconfig. The live reader is loaded only when a context is named.
import type { ClusterModel } from "../../cluster/model.ts";
import type { OnNodeQuestions, OnNodeReading } from "../../cluster/on-node.ts";
import type { Arguments } from "../arguments.ts";
import type { Host } from "../host.ts";
import { Unusable } from "../unusable.ts";
import { liveSettings } from "./live-settings.ts";

/** Milliseconds for reading a whole cluster once. */
const DEADLINE = 120_000;

/**
 * Reads a context's cluster once.
 * Throws Unusable, with the sentence that says why, when it cannot be read.
 */
export async function readContext(name: string, args: Arguments, host: Host): Promise<ClusterModel> {
  const { findContext, readContextOnce, readContexts } = await import("../../cluster/live/open-context.ts");
  const { CredentialError } = await import("../../cluster/live/credentials/credential.ts");
  const settings = await liveSettings(args, host);
  try {
    return await readContextOnce(findContext(await readContexts(settings), name), settings, DEADLINE);
  } catch (error) {
    if (error instanceof CredentialError) throw new Unusable(`--context ${name}: ${error.message}.`);
    throw error;
  }
}

/**
 * Asks the kubelets of a context's nodes, by name of the node. What a kubelet refuses is part of its reading.
 * Throws Unusable, with the sentence that says why, when the context cannot be used.
 */
export async function askNodes(
  name: string,
  questions: readonly OnNodeQuestions[],
  args: Arguments,
  host: Host,
): Promise<ReadonlyMap<string, OnNodeReading>> {
  const { askNodesOnce, findContext, readContexts } = await import("../../cluster/live/open-context.ts");
  const { CredentialError } = await import("../../cluster/live/credentials/credential.ts");
  const settings = await liveSettings(args, host);
  try {
    return await askNodesOnce(findContext(await readContexts(settings), name), settings, questions);
  } catch (error) {
    if (error instanceof CredentialError) throw new Unusable(`--context ${name}: ${error.message}.`);
    throw error;
  }
}
