// What Taintwise says of objects as the API server gives them.
import { decodeNode } from "../../../server/src/kube/decode/node.ts";
import { decodePod } from "../../../server/src/kube/decode/pod.ts";
import { decodeWorkload } from "../../../server/src/kube/decode/workload.ts";
import { workloadKind } from "../../../server/src/kube/kinds.ts";
import type { Resources } from "../../../server/src/kube/resources.ts";
import { evictionOf } from "../../../server/src/scheduling/eviction.ts";
import { daemonSetTolerations, templateTolerations } from "../../../server/src/scheduling/implied-tolerations.ts";
import { place } from "../../../server/src/scheduling/place.ts";
import { schedulerAnswer } from "../../../server/src/scheduling/scheduler-sentence.ts";
import { DEFAULT_SCHEDULING, type Verdict } from "../../../server/src/scheduling/verdict.ts";
import type { Json } from "../api.ts";

/** The verdict for a workload on a node. */
export function verdict(object: Json, node: Json): Verdict {
  return place(decoded(object), decodeNode(node, null), DEFAULT_SCHEDULING).verdict;
}

/** Seconds after which a pod of the workload is evicted from the node by its NoExecute taints; null when it stays. */
export function evictedAfter(object: Json, node: Json): number | null {
  const { template } = decoded(object);
  const tolerations = object.kind === "DaemonSet" ? daemonSetTolerations(template) : templateTolerations(template);
  const eviction = evictionOf(tolerations, decodeNode(node, null).taints, DEFAULT_SCHEDULING);
  return eviction?.afterSeconds ?? null;
}

/** The sentence of FailedScheduling for a pod, as the nodes are and with what bound pods hold. */
export function sentence(pod: Json, nodes: readonly Json[], pods: readonly Json[]): string | null {
  const used = new Map<string, { requests: Record<string, number>; pods: number }>();
  for (const each of pods) {
    const { spec, phase } = decodePod(each);
    if (spec.nodeName === "" || phase === "Succeeded" || phase === "Failed") continue;
    const held = used.get(spec.nodeName) ?? { requests: {}, pods: 0 };
    used.set(spec.nodeName, { requests: sum(held.requests, spec.requests), pods: held.pods + 1 });
  }
  const weighed = nodes.map((node) => ({
    node: decodeNode(node, null),
    used: used.get(node.metadata.name) ?? { requests: {}, pods: 0 },
  }));
  return schedulerAnswer(decodePod(pod).spec, weighed, DEFAULT_SCHEDULING, true).sentence;
}

function sum(held: Readonly<Record<string, number>>, more: Resources): Record<string, number> {
  const total = { ...held };
  for (const [name, amount] of Object.entries(more)) total[name] = (total[name] ?? 0) + amount;
  return total;
}

function decoded(object: Json) {
  const kind = workloadKind(object.apiVersion, object.kind);
  if (kind === null) throw new Error(`no workload: ${object.apiVersion} ${object.kind}`);
  return decodeWorkload(object, kind);
}
