// Kubernetes data layer, decoding: Nodes.
import type { ClusterNode, NodeInfo, SourcePlace } from "../node.ts";
import { decodeConditions } from "./condition.ts";
import { type Interner, NO_SHARING } from "./interner.ts";
import { decodeMetadata, pickTexts } from "./metadata.ts";
import { boolOf, isObject, type JsonObject, listOf, objectOf, textOf } from "./reading.ts";
import { decodeResources } from "./resources.ts";
import { decodeTaints } from "./toleration.ts";

/** The only annotations of a node that are kept: who prepares, updates or removes it. */
export const NODE_ANNOTATIONS: readonly string[] = [
  "cluster-autoscaler.kubernetes.io/scale-down-disabled",
  "cluster.x-k8s.io/cluster-name",
  "cluster.x-k8s.io/machine",
  "csi.volume.kubernetes.io/nodeid",
  "karpenter.sh/do-not-disrupt",
  "machine.openshift.io/machine",
  "machineconfiguration.openshift.io/state",
  "weave.works/kured-reboot-in-progress",
];

/**
 * Decodes a Node. Never throws; `place` says where it was read, null for a live cluster.
 * Without `status.capacity` (`status.allocatable`) these are null: unknown, never short.
 */
export function decodeNode(value: unknown, place: SourcePlace | null, interner: Interner = NO_SHARING): ClusterNode {
  const object = objectOf(value);
  const metadata = decodeMetadata(object, interner);
  const spec = objectOf(object.spec);
  const status = objectOf(object.status);
  return {
    name: metadata.name,
    uid: metadata.uid,
    createdAt: metadata.createdAt,
    deletedAt: metadata.deletedAt,
    labels: metadata.labels,
    annotations: pickTexts(metadata.annotations, NODE_ANNOTATIONS),
    taints: decodeTaints(spec.taints),
    unschedulable: boolOf(spec.unschedulable),
    providerID: textOf(spec.providerID),
    capacity: isObject(status.capacity) ? interner.resources.share(decodeResources(status.capacity)) : null,
    allocatable: isObject(status.allocatable) ? interner.resources.share(decodeResources(status.allocatable)) : null,
    conditions: decodeConditions(status.conditions, interner),
    info: isObject(status.nodeInfo) ? decodeInfo(status.nodeInfo, interner) : null,
    volumesAttached: listOf(status.volumesAttached)
      .map((volume) => textOf(objectOf(volume).name))
      .filter((name) => name !== ""),
    place,
  };
}

function decodeInfo(info: JsonObject, interner: Interner): NodeInfo {
  const { texts } = interner;
  return {
    kubeletVersion: texts.share(textOf(info.kubeletVersion)),
    kernelVersion: texts.share(textOf(info.kernelVersion)),
    osImage: texts.share(textOf(info.osImage)),
    operatingSystem: texts.share(textOf(info.operatingSystem)),
    architecture: texts.share(textOf(info.architecture)),
    containerRuntimeVersion: texts.share(textOf(info.containerRuntimeVersion)),
    bootID: textOf(info.bootID),
  };
}
