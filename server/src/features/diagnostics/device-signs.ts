// Features layer: whether a node shows any sign of the devices that a device plugin serves. A plugin that is kept off nodes
// without such devices is missed by nobody; but that a node shows nothing is telling only where others do.
import type { ClusterModel } from "../../cluster/model.ts";
import type { ClusterNode } from "../../kube/node.ts";
import { isExtendedResource } from "../../kube/resources.ts";
import { announcedBy } from "../../triage/facts/announced.ts";
import { kindOf } from "../../triage/facts/peers.ts";
import { tellingWords } from "../../triage/facts/words.ts";
import { picksNodes, wordsOf } from "../../triage/facts/workload-signs.ts";
import type { WorkloadContext } from "./rule.ts";

/** What one node tells, whichever plugin asks. */
interface NodeSigns {
  /** It names an extended resource, or its labels or taints announce one; true where it has no status to tell by. */
  readonly devices: boolean;
  /** Telling words of its name, labels and taints. */
  readonly words: ReadonlySet<string>;
  /** Machine type or pool; null where no label tells. */
  readonly kind: string | null;
}

/** What the nodes of one cluster tell. */
export interface ClusterSigns {
  readonly node: (node: ClusterNode) => NodeSigns;
  /** Machine types and pools of which a node shows devices. */
  readonly kinds: ReadonlySet<string>;
}

/** Found by Node Feature Discovery: network cards with RDMA or SR-IOV, and the vendors of such cards and accelerators. */
const DISCOVERED =
  /^feature\.node\.kubernetes\.io\/(?:rdma\.|network-sriov\.|custom-rdma|pci-(?:[0-9a-f]{4}_)?(?:10de|1002|15b3|1da3)(?:[._].*)?\.present$)/;

/** Reads the nodes of a cluster, each once. */
export function readClusterSigns({ nodes }: ClusterModel): ClusterSigns {
  const resources = new Set([...nodes.values()].flatMap(resourcesOn));
  const known = new WeakMap<ClusterNode, NodeSigns>();
  const signsOf = (node: ClusterNode): NodeSigns => {
    const signs = known.get(node) ?? readNodeSigns(node, resources);
    known.set(node, signs);
    return signs;
  };
  const kinds = new Set<string>();
  for (const node of nodes.values()) {
    const { devices, kind } = signsOf(node);
    if (devices && kind !== null && hasStatus(node)) kinds.add(kind);
  }
  return { node: signsOf, kinds };
}

/** `resources` are the extended resources that any node of the cluster names. */
function readNodeSigns(node: ClusterNode, resources: ReadonlySet<string>): NodeSigns {
  const kind = kindOf(node, "");
  const devices =
    !hasStatus(node) ||
    resourcesOn(node).length > 0 ||
    announcedBy(node, (name) => resources.has(name)).length > 0 ||
    Object.entries(node.labels).some(([key, value]) => DISCOVERED.test(key) && value !== "false");
  const words = new Set([...kind.words, ...tellingWords(node.name), ...node.taints.flatMap(wordsOfTaint)]);
  return { devices, words, kind: kind.strong ? kind.key : null };
}

function resourcesOn({ capacity, allocatable }: ClusterNode): readonly string[] {
  return [...Object.keys(capacity ?? {}), ...Object.keys(allocatable ?? {})].filter(isExtendedResource);
}

function wordsOfTaint({ key, value }: ClusterNode["taints"][number]): readonly string[] {
  return tellingWords(`${key} ${value}`);
}

function hasStatus({ allocatable, capacity }: ClusterNode): boolean {
  return allocatable !== null || capacity !== null;
}

/**
 * Tells nodes that show nothing of the devices from those that show something. null where that cannot be told: for
 * another role, for a plugin that picks its nodes by labels of its own, and where no node of the cluster shows anything.
 */
export function deviceSigns(
  { item, role, memo }: WorkloadContext,
  model: ClusterModel,
): ((name: string) => boolean) | null {
  if (role !== "device plugin" || picksNodes(item.workload)) return null;
  const signs = memo.deviceSigns(model);
  const words = wordsOf(item.workload);
  const shows = (node: ClusterNode): boolean => {
    const own = signs.node(node);
    return (
      own.devices || (own.kind !== null && signs.kinds.has(own.kind)) || [...words].some((word) => own.words.has(word))
    );
  };
  for (const node of model.nodes.values()) {
    if (!hasStatus(node) || !shows(node)) continue;
    return (name) => {
      const asked = model.nodes.get(name);
      // A declared pool is no node: it is somebody's word that such nodes matter.
      return asked === undefined || shows(asked);
    };
  }
  return null;
}
