// LSP layer: the kubelets of the nodes that a triage report is about, asked because a person wants the report.
import type { CancellationToken } from "vscode-languageserver";
import type { RowTarget } from "../../../../shared/src/explorer.ts";
import type { OnNode, OnNodeQuestions, OnNodeReading } from "../../cluster/on-node.ts";
import type { JudgedCluster } from "../../explorer/judged-cluster.ts";
import { questionsFor } from "../../explorer/reports/on-node-steps.ts";
import { nodesToInvestigate } from "../../explorer/reports/triage-report.ts";
import { throwIfCancelled } from "../boundary.ts";

/** Asks one node; null where nobody follows the cluster any more. Rejects when `signal` is aborted. */
export type AskNode = (questions: OnNodeQuestions, signal: AbortSignal) => Promise<OnNodeReading | null>;

/** Gives what the kubelet of a node told, or why it was not asked. */
export type OnNodeOf = (node: string) => OnNode;

export const NOT_ASKED: OnNodeOf = () => ({ kind: "not asked", why: "off" });

/**
 * Asks the nodes that a report about the target investigates, all at once.
 * @param ask null: the setting is off
 */
export async function askOnNode(
  cluster: JudgedCluster,
  target: RowTarget,
  ask: AskNode | null,
  token: CancellationToken,
): Promise<OnNodeOf> {
  if (cluster.access === null) return () => ({ kind: "not asked", why: "file" });
  if (ask === null) return NOT_ASKED;
  const stop = new AbortController();
  const cancelled = token.onCancellationRequested(() => stop.abort());
  try {
    const readings = await Promise.all(
      nodesToInvestigate(cluster, target).map(async (node): Promise<readonly [string, OnNode]> => {
        const questions = questionsFor(cluster, node);
        return [node, questions === null ? failed(NOT_FOLLOWED) : await told(ask, questions, stop.signal)];
      }),
    );
    const known = new Map(readings);
    return (node) => known.get(node) ?? failed(NOT_FOLLOWED);
  } catch (error) {
    throwIfCancelled(token);
    throw error;
  } finally {
    cancelled.dispose();
  }
}

const NOT_FOLLOWED = "The cluster is not followed just now.";

/** A connection that goes away in between costs the report these steps and nothing else. */
async function told(ask: AskNode, questions: OnNodeQuestions, signal: AbortSignal): Promise<OnNode> {
  try {
    const reading = await ask(questions, signal);
    return reading === null ? failed(NOT_FOLLOWED) : { kind: "read", reading };
  } catch (error) {
    signal.throwIfAborted();
    return failed(`${error instanceof Error ? error.message : String(error)}.`);
  }
}

function failed(reason: string): OnNode {
  const gone = { kind: "failed", reason, reached: false } as const;
  return { kind: "read", reading: { stats: gone, kubelet: gone, runtime: gone } };
}
