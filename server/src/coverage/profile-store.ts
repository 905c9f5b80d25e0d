// Coverage layer: what nodes of equal taints share, each kind numbered once for a cluster and all its later models.
import type { ClusterNode } from "../kube/node.ts";
import type { Taint } from "../kube/taint.ts";
import { hostOf, type NodeHost } from "./hosting.ts";

export interface NodeProfile {
  readonly taints: readonly Taint[];
  readonly unschedulable: boolean;
  readonly host: NodeHost;
}

/** Numbers profiles in the order in which they are met; a number never changes its meaning. */
export class ProfileStore {
  readonly #profiles: NodeProfile[] = [];
  readonly #ids = new Map<string, number>();

  /** The number of a node's profile. When a taint was added does not count. */
  idOf(node: Pick<ClusterNode, "labels" | "taints" | "unschedulable" | "info">): number {
    const host = hostOf(node);
    let key = node.unschedulable ? `cordoned|${host.virtual}|${host.os}` : `|${host.virtual}|${host.os}`;
    for (const taint of node.taints) key += `|${taint.key}=${taint.value}:${taint.effect}`;
    let id = this.#ids.get(key);
    if (id === undefined) {
      id = this.#profiles.length;
      this.#profiles.push({ taints: node.taints, unschedulable: node.unschedulable, host });
      this.#ids.set(key, id);
    }
    return id;
  }

  /** Throws for a number that was never given out: that is a mistake of ours. */
  profile(id: number): NodeProfile {
    const profile = this.#profiles[id];
    if (profile === undefined) throw new Error(`no node profile ${id}`);
    return profile;
  }

  get size(): number {
    return this.#profiles.length;
  }
}
