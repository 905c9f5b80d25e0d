// Triage layer, facts: the DaemonSets of the cluster, each with its role and the pods it has on every node.
import { statedOs } from "../../coverage/hosting.ts";
import type { Role } from "../../coverage/role.ts";
import type { ClusterNode } from "../../kube/node.ts";
import type { ClusterPod } from "../../kube/pod.ts";
import type { Taint } from "../../kube/taint.ts";
import type { ObjectRef, Workload } from "../../kube/workload.ts";
import { admits, selectorMismatches } from "../../scheduling/node-affinity.ts";
import { type CompiledPlacement, compilePlacement, placeCompiled } from "../../scheduling/place.ts";
import type { Placement, SchedulingOptions, SelectorMismatch } from "../../scheduling/verdict.ts";
import type { NodeFacts } from "./node.ts";
import { hasEnded, homeOf } from "./pod-state.ts";
import { picksNodes, wordsOf } from "./workload-signs.ts";

/** A DaemonSet's pods on one node, by state. */
export interface LocalPods {
  /** Neither ended nor being deleted. */
  readonly living: readonly ClusterPod[];
  readonly terminating: readonly ClusterPod[];
  readonly ended: readonly ClusterPod[];
}

export interface DaemonSetFacts {
  /** `namespace/name`. */
  readonly key: string;
  readonly name: string;
  readonly namespace: string;
  readonly ref: ObjectRef;
  readonly workload: Workload;
  readonly role: Role;
  /** Its template has a priority class that the kubelet treats as critical. */
  readonly critical: boolean;
  readonly placement: CompiledPlacement;
  /** Words of its names and images, lower case, for telling whose devices or labels it serves. */
  readonly words: ReadonlySet<string>;
  podsOn(node: string): LocalPods;
  /** Names of the nodes with a living pod. */
  readonly livingOn: ReadonlySet<string>;
  /** The operating system that its template states; null for none. */
  readonly os: string | null;
  /** Hard taints of the node that no toleration covers. */
  untolerated(node: NodeFacts): readonly Taint[];
  admits(node: ClusterNode): boolean;
  /** Whether labels of its own choice, operating system and architecture aside, pick the nodes. */
  readonly picks: boolean;
  mismatches(node: ClusterNode): readonly SelectorMismatch[];
  /** The whole answer, with the closest toleration: for wording only. */
  place(node: ClusterNode): Placement;
}

const NO_TAINTS: readonly Taint[] = [];
const NONE: LocalPods = { living: [], terminating: [], ended: [] };

/** Reads one DaemonSet. `pods` are those that its controller owns. */
export function readDaemonSet(
  workload: Workload,
  role: Role,
  pods: readonly ClusterPod[],
  scheduling: SchedulingOptions,
): DaemonSetFacts {
  const placement = compilePlacement(workload);
  const local = new Map<string, { living: ClusterPod[]; terminating: ClusterPod[]; ended: ClusterPod[] }>();
  for (const pod of pods) {
    const home = homeOf(pod);
    const at = local.get(home) ?? { living: [], terminating: [], ended: [] };
    local.set(home, at);
    if (hasEnded(pod)) at.ended.push(pod);
    else if (pod.deletedAt !== null) at.terminating.push(pod);
    else at.living.push(pod);
  }
  const placesByTaints = new Map<string, readonly number[]>();
  const namespace = workload.namespace ?? "";
  const name = workload.name ?? "";
  return {
    key: `${namespace}/${name}`,
    name,
    namespace,
    ref: { kind: "DaemonSet", namespace: workload.namespace, name: workload.name },
    workload,
    role,
    critical: workload.template.priorityClassName === "system-node-critical",
    placement,
    words: wordsOf(workload),
    podsOn: (node) => local.get(node) ?? NONE,
    livingOn: new Set([...local].filter(([, at]) => at.living.length > 0).map(([node]) => node)),
    os: statedOs(workload.template),
    untolerated: ({ node, hardTaints, taintsKey }) => {
      if (hardTaints.length === 0) return NO_TAINTS;
      let places = placesByTaints.get(taintsKey);
      if (places === undefined) {
        const { untolerated } = placeCompiled(placement, node, scheduling);
        places = hardTaints.flatMap((taint, place) => (untolerated.includes(taint) ? [place] : []));
        placesByTaints.set(taintsKey, places);
      }
      // The node's own taints, for each has its own time.
      return places.length === 0 ? NO_TAINTS : places.flatMap((place) => hardTaints[place] ?? []);
    },
    picks: picksNodes(workload),
    admits: (node) => admits(placement.selection, node),
    mismatches: (node) => selectorMismatches(placement.selection, node),
    place: (node) => placeCompiled(placement, node, scheduling),
  };
}
