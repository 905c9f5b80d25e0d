// Cluster layer, snapshot: how everything but pods is stored.
import type { CsiDriver, CsiNode } from "../../kube/csi.ts";
import type { DeviceClass, ResourceSlice } from "../../kube/device.ts";
import type { ClusterEvent } from "../../kube/event.ts";
import type { NodeLease } from "../../kube/lease.ts";
import type { Namespace } from "../../kube/namespace.ts";
import type { ClusterNode, NodeInfo, SourcePlace } from "../../kube/node.ts";
import type { RuntimeClass } from "../../kube/runtime-class.ts";
import type { Taint } from "../../kube/taint.ts";
import type { UpdateStrategy, Workload } from "../../kube/workload.ts";
import { type Codec, FLAG, list, NUMBER, nullable, oneOf, record } from "./codec.ts";
import { MAYBE_NUMBER, type PodCodecs, tolerationCodec } from "./pod-codecs.ts";

/** The codecs of all objects but pods. */
export interface ObjectCodecs {
  readonly node: Codec<ClusterNode>;
  readonly workload: Codec<Workload>;
  readonly namespace: Codec<Namespace>;
  readonly event: Codec<ClusterEvent>;
  readonly csiNode: Codec<CsiNode>;
  readonly csiDriver: Codec<CsiDriver>;
  readonly runtimeClass: Codec<RuntimeClass>;
  readonly deviceClass: Codec<DeviceClass>;
  readonly resourceSlice: Codec<ResourceSlice>;
  readonly lease: Codec<NodeLease>;
}

/** The codecs of all objects but pods, over the tables of `pods`. */
export function objectCodecs(pods: PodCodecs): ObjectCodecs {
  const { text } = pods;
  const csiDriverOnNode = record<CsiNode["drivers"][number]>({
    name: text,
    nodeID: text,
    allocatableCount: MAYBE_NUMBER,
  });
  return {
    node: nodeCodec(pods),
    workload: workloadCodec(pods),
    namespace: record<Namespace>({ name: text, annotations: pods.texts.reference, labels: pods.texts.reference }),
    event: eventCodec(text),
    csiNode: record<CsiNode>({ name: text, drivers: list(csiDriverOnNode) }),
    csiDriver: record<CsiDriver>({ name: text, attachRequired: FLAG, preventsScheduling: FLAG }),
    runtimeClass: record<RuntimeClass>({
      name: text,
      handler: text,
      nodeSelector: pods.texts.reference,
      tolerations: list(tolerationCodec(text)),
      overhead: pods.resources.reference,
    }),
    deviceClass: record<DeviceClass>({ name: text, extendedResourceName: text }),
    resourceSlice: record<ResourceSlice>({ name: text, driver: text, nodeName: text, pool: text, devices: NUMBER }),
    lease: record<NodeLease>({ nodeName: text, renewTime: MAYBE_NUMBER }),
  };
}

/** A place in a file means nothing to whoever reads the snapshot elsewhere. */
const NO_PLACE: Codec<SourcePlace | null> = {
  blank: { value: null },
  isBlank: () => true,
  write: () => null,
  read: () => null,
};

function nodeCodec({ text, texts, resources, condition }: PodCodecs): Codec<ClusterNode> {
  const taint = record<Taint>({
    key: text,
    value: text,
    effect: oneOf(["NoSchedule", "PreferNoSchedule", "NoExecute"]),
    timeAdded: MAYBE_NUMBER,
  });
  const info = record<NodeInfo>({
    kubeletVersion: text,
    kernelVersion: text,
    osImage: text,
    operatingSystem: text,
    architecture: text,
    containerRuntimeVersion: text,
    bootID: text,
  });
  return record<ClusterNode>({
    name: text,
    uid: text,
    createdAt: MAYBE_NUMBER,
    deletedAt: MAYBE_NUMBER,
    labels: texts.reference,
    annotations: texts.reference,
    taints: list(taint),
    unschedulable: FLAG,
    providerID: text,
    capacity: nullable(resources.reference),
    allocatable: nullable(resources.reference),
    conditions: list(condition),
    info: nullable(info),
    volumesAttached: list(text),
    place: NO_PLACE,
  });
}

function workloadCodec({ text, texts, podSpec, owners }: PodCodecs): Codec<Workload> {
  return record<Workload>({
    group: text,
    kind: text,
    namespace: nullable(text),
    name: nullable(text),
    generateName: nullable(text),
    uid: text,
    createdAt: MAYBE_NUMBER,
    labels: texts.reference,
    selector: text,
    templateLabels: texts.reference,
    template: podSpec,
    replicas: MAYBE_NUMBER,
    suspended: FLAG,
    finished: FLAG,
    updateStrategy: nullable(record<UpdateStrategy>({ type: text, maxSurge: text, maxUnavailable: text })),
    controller: nullable(owners.reference),
    managedBy: text,
    deployer: nullable(oneOf(["Helm", "Kustomize", "Argo CD", "Flux", "Terraform"])),
  });
}

function eventCodec(text: Codec<string>): Codec<ClusterEvent> {
  return record<ClusterEvent>({
    namespace: text,
    name: text,
    involved: record<ClusterEvent["involved"]>({
      apiVersion: text,
      kind: text,
      namespace: text,
      name: text,
      uid: text,
      fieldPath: text,
    }),
    type: text,
    reason: text,
    message: text,
    count: NUMBER,
    firstSeen: MAYBE_NUMBER,
    lastSeen: MAYBE_NUMBER,
    component: text,
    host: text,
  });
}
