// Command-line layer: clusters of the kubeconfig. The live reader is loaded only when a context is named.
import type { ClusterModel } from "../../cluster/model.ts";
import type { OnNodeQuestions, OnNodeReading } from "../../cluster/on-node.ts";
import { isoTime } from "../../report/time.ts";
import type { Arguments } from "../arguments.ts";
import type { Host } from "../host.ts";
import { Unusable } from "../unusable.ts";
import { liveSettings } from "./live-settings.ts";

/** Milliseconds for reading a whole cluster once. */
const DEADLINE = 120_000;

/**
 * Reads a context's cluster once and remembers it. Where it cannot be read, gives what was remembered of it, as old as it
 * is and with a note that says so; with --require-cluster, and where nothing is remembered, throws Unusable with the
 * sentence that says why. `notes` takes sentences.
 */
export async function readContext(name: string, args: Arguments, host: Host, notes: string[]): Promise<ClusterModel> {
  const { findContext, readContextOnce, readContexts } = await import("../../cluster/live/open-context.ts");
  const { CredentialError } = await import("../../cluster/live/credentials/credential.ts");
  const { LiveCache, cacheKeyOf } = await import("../../cluster/live/cache.ts");
  const { cacheFolder } = await import("../../cluster/live/cache-folder.ts");
  const settings = await liveSettings(args, host);
  try {
    const context = findContext(await readContexts(settings), name);
    const cache = new LiveCache(cacheFolder(host.env), cacheKeyOf(context), (problem) => notes.push(`${problem}.`));
    try {
      const model = await readContextOnce(context, settings, DEADLINE);
      cache.remember(model);
      await cache.flush();
      return model;
    } catch (error) {
      if (!(error instanceof CredentialError)) throw error;
      const remembered = args.has("require-cluster") ? null : await cache.read();
      if (remembered === null) throw error;
      notes.push(`${name} could not be read: ${error.message}. ${rememberedText(remembered)}`);
      return remembered;
    }
  } catch (error) {
    if (error instanceof CredentialError) throw new Unusable(`--context ${name}: ${error.message}.`);
    throw error;
  }
}

/** How old a remembered cluster is, for people. */
function rememberedText({ observedAt }: ClusterModel): string {
  const since = observedAt === null ? "at an unknown time" : `at ${isoTime(observedAt)}`;
  return `What is shown is what was last seen of it, ${since}; it may be otherwise now.`;
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
