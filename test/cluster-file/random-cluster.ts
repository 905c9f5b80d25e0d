// Random cluster models, to prove that what is stored comes back.
import fc from "fast-check";
import { CLUSTER_PARTS, type ClusterModel } from "../../server/src/cluster/model.ts";
import type { ClusterEvent } from "../../server/src/kube/event.ts";
import type { ClusterNode, NodeCondition } from "../../server/src/kube/node.ts";
import type { ClusterPod, ContainerEnd, ContainerStatus } from "../../server/src/kube/pod.ts";
import type { Container, PodSpec, Volume } from "../../server/src/kube/pod-spec.ts";
import type { Toleration } from "../../server/src/kube/toleration.ts";
import type { OwnerRef, Workload } from "../../server/src/kube/workload.ts";

type Fields<T> = { readonly [K in keyof T]: fc.Arbitrary<T[K]> };
const object = <T extends object>(fields: Fields<T>): fc.Arbitrary<T> =>
  fc.record<T>(fields, { noNullPrototype: true });

const text = fc.oneof(fc.constantFrom("", "a", "b", "kube-system"), fc.string({ maxLength: 6 }));
const name = fc.string({ minLength: 1, maxLength: 4 });
const few = <T>(item: fc.Arbitrary<T>): fc.Arbitrary<readonly T[]> => fc.array(item, { maxLength: 3 });
const maybe = <T>(item: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(item, { nil: null });
const time = maybe(fc.integer());
const count = fc.nat();
const key = fc.constantFrom("a", "b", "kubernetes.io/os", "");
const texts = fc.dictionary(key, text, { noNullPrototype: true });
const amounts = fc.dictionary(fc.constantFrom("cpu", "memory", "rdma/hca"), count, { noNullPrototype: true });

const toleration = object<Toleration>({
  key: text,
  operator: text,
  value: text,
  effect: text,
  tolerationSeconds: time,
});
const requirement = object({ key: text, operator: text, values: few(text) });
const affinity = object({ terms: few(object({ matchExpressions: few(requirement), matchFields: few(requirement) })) });
const container = object<Container>({
  name: text,
  image: text,
  type: fc.constantFrom("container", "init", "sidecar"),
  requests: amounts,
  limits: amounts,
  mounts: few(object({ name: text, mountPath: text })),
  command: few(text),
});
const volume = object<Volume>({ name: text, hostPath: maybe(text), claim: maybe(text), csiDriver: maybe(text) });
const podSpec = object<PodSpec>({
  nodeName: text,
  nodeSelector: texts,
  requiredAffinity: maybe(affinity),
  tolerations: few(toleration),
  hostNetwork: fc.boolean(),
  hostPID: fc.boolean(),
  os: text,
  schedulerName: text,
  schedulingGates: few(text),
  runtimeClassName: text,
  priorityClassName: text,
  requests: amounts,
  containers: few(container),
  volumes: few(volume),
  usesResourceClaims: fc.boolean(),
  notModelled: few(fc.constantFrom("podAffinity", "topologySpread", "volumes", "resourceClaims")),
});
const condition = object<NodeCondition>({
  type: text,
  status: text,
  reason: text,
  message: text,
  lastTransitionTime: time,
  lastHeartbeatTime: time,
});
const owner = object<OwnerRef>({ apiVersion: text, kind: text, name: text, uid: text });
const end = object<ContainerEnd>({
  reason: text,
  message: text,
  exitCode: fc.integer(),
  startedAt: time,
  finishedAt: time,
});
const status = object<ContainerStatus>({
  name: text,
  init: fc.boolean(),
  ready: fc.boolean(),
  restartCount: count,
  image: text,
  waiting: maybe(object({ reason: text, message: text })),
  running: maybe(object({ startedAt: time })),
  terminated: maybe(end),
  lastTerminated: maybe(end),
});
const node = object<ClusterNode>({
  name,
  uid: text,
  createdAt: time,
  deletedAt: time,
  labels: texts,
  annotations: texts,
  taints: few(
    object({
      key: text,
      value: text,
      effect: fc.constantFrom("NoSchedule", "PreferNoSchedule", "NoExecute"),
      timeAdded: time,
    }),
  ),
  unschedulable: fc.boolean(),
  providerID: text,
  capacity: maybe(amounts),
  allocatable: maybe(amounts),
  conditions: few(condition),
  info: maybe(
    object({
      kubeletVersion: text,
      kernelVersion: text,
      osImage: text,
      operatingSystem: text,
      architecture: text,
      containerRuntimeVersion: text,
      bootID: text,
    }),
  ),
  volumesAttached: few(text),
  place: fc.constant(null),
});
const pod = object<ClusterPod>({
  namespace: text,
  name: text,
  uid: text,
  createdAt: time,
  labels: texts,
  controller: maybe(owner),
  spec: podSpec,
  phase: text,
  reason: text,
  message: text,
  startTime: time,
  deletedAt: time,
  deletionGraceSeconds: time,
  finalizers: few(text),
  conditions: few(condition),
  containers: few(status),
  nominatedNodeName: text,
  mirror: fc.boolean(),
  priority: time,
});
const workload = object<Workload>({
  group: text,
  kind: text,
  namespace: maybe(text),
  name: maybe(text),
  generateName: maybe(text),
  uid: text,
  createdAt: time,
  labels: texts,
  selector: text,
  templateLabels: texts,
  template: podSpec,
  replicas: time,
  suspended: fc.boolean(),
  finished: fc.boolean(),
  updateStrategy: maybe(object({ type: text, maxSurge: text, maxUnavailable: text })),
  controller: maybe(owner),
  managedBy: text,
  deployer: maybe(fc.constantFrom("Helm", "Kustomize", "Argo CD", "Flux", "Terraform")),
});
const event = object<ClusterEvent>({
  namespace: text,
  name: text,
  involved: object({ apiVersion: text, kind: text, namespace: text, name: text, uid: text, fieldPath: text }),
  type: text,
  reason: text,
  message: text,
  count,
  firstSeen: time,
  lastSeen: time,
  component: text,
  host: text,
});

function mapOf<T>(items: fc.Arbitrary<T>, nameOf: (item: T) => string): fc.Arbitrary<ReadonlyMap<string, T>> {
  return few(items).map((list) => new Map(list.map((item) => [nameOf(item), item])));
}

/** A model of a live cluster with anything in it. */
export function clusterArbitrary(): fc.Arbitrary<ClusterModel> {
  const states = fc.constantFrom("known", "missing", "forbidden", "failed");
  return object<ClusterModel>({
    name: text,
    origin: fc.constant("live"),
    observedAt: time,
    parts: fc
      .tuple(...CLUSTER_PARTS.map(() => states))
      .map(
        (list) => Object.fromEntries(CLUSTER_PARTS.map((part, index) => [part, list[index]])) as ClusterModel["parts"],
      ),
    nodes: mapOf(node, (item) => item.name),
    workloads: few(workload),
    pods: few(pod),
    namespaces: mapOf(object({ name, annotations: texts, labels: texts }), (item) => item.name),
    events: few(event),
    csiNodes: mapOf(
      object({ name, drivers: few(object({ name: text, nodeID: text, allocatableCount: time })) }),
      (item) => item.name,
    ),
    csiDrivers: mapOf(
      object({ name, attachRequired: fc.boolean(), preventsScheduling: fc.boolean() }),
      (item) => item.name,
    ),
    runtimeClasses: mapOf(
      object({ name, handler: text, nodeSelector: texts, tolerations: few(toleration), overhead: amounts }),
      (item) => item.name,
    ),
    deviceClasses: few(object({ name: text, extendedResourceName: text })),
    resourceSlices: few(object({ name: text, driver: text, nodeName: text, pool: text, devices: count })),
    leases: mapOf(object({ nodeName: name, renewTime: time }), (item) => item.nodeName),
    autoscaler: object({ signs: few(text) }),
    serverVersion: text,
  });
}
