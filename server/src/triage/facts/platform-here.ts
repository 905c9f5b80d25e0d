// Triage layer, facts: the platform DaemonSets as one node sees them. Rules ask it for every node: what depends on the
// DaemonSet alone is worked out once, who is admitted is answered for all nodes at a time.
import { LabelStore } from "../../coverage/label-store.ts";
import { has, type NodeSet } from "../../coverage/node-set.ts";
import type { CompiledSelection } from "../../scheduling/node-affinity.ts";
import type { ClusterFacts } from "./cluster.ts";
import type { DaemonSetFacts } from "./daemon-set.ts";
import { labellersOf } from "./labeller.ts";
import { once, remember } from "./memo.ts";

/** Lists in the order of `ClusterFacts.platform`. */
export interface PlatformHere {
  /** Those with a living pod on the node. */
  readonly living: (node: string) => readonly DaemonSetFacts[];
  /** Those whose selectors admit the node and that have no living pod on it. */
  readonly absent: (node: string) => readonly DaemonSetFacts[];
  /** Those that select a label which another DaemonSet may set, and the platform ones that may set it. */
  readonly labelled: () => readonly DaemonSetFacts[];
  /** The DaemonSets that may set a label, nearest first. */
  readonly labellers: (label: string) => readonly DaemonSetFacts[];
}

/** Prepares the answers; nothing is computed before it is asked for. */
export function indexPlatform(facts: () => ClusterFacts): PlatformHere {
  const livingByNode = once(() => groupByHome(facts().platform));
  const admitted = once(() => admittedByEach(facts()));
  const labellers = remember((label: string) => labellersOf(facts(), label));
  const living = (node: string): readonly DaemonSetFacts[] => livingByNode().get(node) ?? NONE;
  return {
    living,
    absent: (node) => {
      const { store, sets } = admitted();
      const place = store.placeOf(node);
      if (place === null) return NONE;
      const here = new Set(living(node));
      return facts().platform.filter((daemonSet, number) => isIn(sets[number], place) && !here.has(daemonSet));
    },
    labelled: once(() => {
      const selecting = facts().platform.filter((daemonSet) => settersFor(daemonSet, labellers).length > 0);
      const wanted = new Set([...selecting, ...selecting.flatMap((each) => settersFor(each, labellers))]);
      return facts().platform.filter((daemonSet) => wanted.has(daemonSet));
    }),
    labellers,
  };
}

const NONE: readonly DaemonSetFacts[] = [];

function groupByHome(platform: readonly DaemonSetFacts[]): ReadonlyMap<string, readonly DaemonSetFacts[]> {
  const groups = new Map<string, DaemonSetFacts[]>();
  for (const daemonSet of platform) {
    for (const node of daemonSet.livingOn) {
      const group = groups.get(node);
      if (group === undefined) groups.set(node, [daemonSet]);
      else group.push(daemonSet);
    }
  }
  return groups;
}

/** For each platform DaemonSet the nodes that it admits, as places of the store. */
function admittedByEach(facts: ClusterFacts): { readonly store: LabelStore; readonly sets: readonly NodeSet[] } {
  const store = new LabelStore([...facts.nodes.values()].map(({ node }) => node));
  return { store, sets: facts.platform.map(({ placement }) => store.admitted(placement.selection)) };
}

function isIn(set: NodeSet | undefined, place: number): boolean {
  return set !== undefined && has(set, place);
}

/** Other DaemonSets that may set a label which this one selects. */
function settersFor(daemonSet: DaemonSetFacts, labellers: PlatformHere["labellers"]): readonly DaemonSetFacts[] {
  return labelKeys(daemonSet.placement.selection).flatMap((key) =>
    labellers(key).filter((other) => other.key !== daemonSet.key),
  );
}

function labelKeys({ nodeSelector, terms }: CompiledSelection): readonly string[] {
  const required = (terms ?? []).flatMap((term) => term.requirements.map(({ source }) => source.key));
  return [...nodeSelector.map(([key]) => key), ...required];
}
