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

/** What one node tells by itself, whichever plugin asks. */
interface NodeSigns {
  /** Extended resources that it names, be it with no amount. */
  readonly resources: readonly string[];
  /** Its labels announce a device. */
  readonly announced: boolean;
  /** Telling words of its name, labels and taints. */
  readonly words: ReadonlySet<string>;
  /** Machine type or pool; null where no label tells. */
  readonly kind: string | null;
}

/** What the nodes of one cluster tell. */
export interface ClusterSigns {
  /** Whether the node shows any device, or speaks of one by one of the words. */
  readonly shows: (node: ClusterNode, words: ReadonlySet<string>) => boolean;
}

/** Found by Node Feature Discovery: network cards with RDMA or SR-IOV, and the vendors of such cards and accelerators. */
const DISCOVERED =
  /^feature\.node\.kubernetes\.io\/(?:rdma\.|network-sriov\.|custom-rdma|pci-(?:[0-9a-f]{4}_)?(?:10de|1002|15b3|1da3)(?:[._].*)?\.present$)/;

/** Reads clusters; a node that did not change between two models of one is read once. */
export function clusterSignsReader(): (model: ClusterModel) => ClusterSigns {
  const known = new WeakMap<ClusterNode, NodeSigns>();
  const signsOf = (node: ClusterNode): NodeSigns => {
    const signs = known.get(node) ?? readNodeSigns(node);
    known.set(node, signs);
    return signs;
  };
  return ({ nodes }) => {
    const resources = new Set<string>();
    for (const node of nodes.values()) for (const resource of signsOf(node).resources) resources.add(resource);
    const hasDevice = (node: ClusterNode): boolean => {
      const signs = signsOf(node);
      return signs.resources.length > 0 || signs.announced || node.taints.some(({ key }) => resources.has(key));
    };
    const kinds = new Set<string>();
    for (const node of nodes.values()) {
      const { kind } = signsOf(node);
      if (kind !== null && hasDevice(node)) kinds.add(kind);
    }
    return {
      shows: (node, words) => {
        const own = signsOf(node);
        return hasDevice(node) || (own.kind !== null && kinds.has(own.kind)) || sharesWord(words, own.words);
      },
    };
  };
}

function readNodeSigns(node: ClusterNode): NodeSigns {
  const kind = kindOf(node, "");
  return {
    resources: [...Object.keys(node.capacity ?? {}), ...Object.keys(node.allocatable ?? {})].filter(isExtendedResource),
    announced:
      announcedBy(node, () => false).length > 0 ||
      Object.entries(node.labels).some(([key, value]) => DISCOVERED.test(key) && value !== "false"),
    words: new Set([...kind.words, ...tellingWords(node.name), ...node.taints.flatMap(wordsOfTaint)]),
    kind: kind.strong ? kind.key : null,
  };
}

function sharesWord(some: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  for (const word of some) if (others.has(word)) return true;
  return false;
}

function wordsOfTaint({ key, value }: ClusterNode["taints"][number]): readonly string[] {
  return tellingWords(`${key} ${value}`);
}

/** A node without one proves nothing. */
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
  const { shows } = memo.deviceSigns(model);
  const words = wordsOf(item.workload);
  for (const node of model.nodes.values()) {
    if (!shows(node, words)) continue;
    return (name) => {
      const asked = model.nodes.get(name);
      // A declared pool is no node: it is somebody's word that such nodes matter.
      return asked === undefined || !hasStatus(asked) || shows(asked, words);
    };
  }
  return null;
}
