import { describe, expect, it } from "vitest";
import { decodeEvent } from "../../server/src/kube/decode/event.ts";
import { createInterner } from "../../server/src/kube/decode/interner.ts";
import { decodeNodeLease } from "../../server/src/kube/decode/lease.ts";
import { decodeNamespace } from "../../server/src/kube/decode/namespace.ts";
import { decodeNode } from "../../server/src/kube/decode/node.ts";
import { decodePod } from "../../server/src/kube/decode/pod.ts";
import { decodeCsiDriver, decodeCsiNode } from "../../server/src/kube/decode/storage.ts";
import { decodeWorkload } from "../../server/src/kube/decode/workload.ts";
import { workloadKind } from "../../server/src/kube/kinds.ts";
import { formatTaint } from "../../server/src/kube/taint.ts";
import { toPlain } from "../../server/src/yaml/locate.ts";
import { parseText } from "../../server/src/yaml/parse.ts";

const plain = (yaml: string) => toPlain(parseText(yaml).root);

function workload(yaml: string) {
  const object = plain(yaml) as { readonly apiVersion: string; readonly kind: string };
  return decodeWorkload(object, workloadKind(object.apiVersion, object.kind)!);
}

describe("nodes", () => {
  it("keep taints in kubectl's words, listed annotations only, and amounts in the scheduler's units", () => {
    const node = decodeNode(
      plain(`
metadata:
  name: r1
  annotations: {cluster.x-k8s.io/machine: m-1, example.com/token: secret}
spec:
  unschedulable: true
  taints:
  - {key: dedicated, value: rdma, effect: NoSchedule}
  - {key: node.kubernetes.io/unschedulable, effect: NoSchedule, timeAdded: "2026-03-02T10:00:00Z"}
  - {key: odd, effect: Sometimes}
  - {effect: NoSchedule}
status:
  capacity: {cpu: "8", memory: 16Gi, rdma/hca: "4"}
  allocatable: {cpu: 7910m, memory: 15Gi, rdma/hca: "0"}
  conditions: [{type: Ready, status: "True", lastHeartbeatTime: "2026-03-02T10:00:00Z"}, {status: "True"}]
`),
      null,
    );
    expect(node.taints.map(formatTaint)).toEqual([
      "dedicated=rdma:NoSchedule",
      "node.kubernetes.io/unschedulable:NoSchedule",
    ]);
    expect(node.annotations).toEqual({ "cluster.x-k8s.io/machine": "m-1" });
    expect(node.allocatable).toEqual({ cpu: 7910, memory: 15 * 2 ** 30, "rdma/hca": 0 });
    expect(node.conditions.map(({ type }) => type)).toEqual(["Ready"]);
    expect(node.unschedulable).toBe(true);
  });

  it("without status are unknown, not short", () => {
    const { capacity, allocatable, info } = decodeNode(plain("metadata: {name: a}"), null);
    expect([capacity, allocatable, info]).toEqual([null, null, null]);
  });
});

describe("workloads", () => {
  it("read selector, strategy, owner and deployer of a DaemonSet", () => {
    const ds = workload(`
apiVersion: apps/v1
kind: DaemonSet
metadata:
  name: rdma-plugin
  namespace: kube-system
  labels: {app.kubernetes.io/managed-by: Helm}
  ownerReferences:
  - {kind: Other, name: x, uid: "1"}
  - {apiVersion: example.com/v1, kind: NetworkPolicy, name: np, uid: "2", controller: true}
spec:
  selector:
    matchLabels: {b: "2", a: "1"}
    matchExpressions: [{key: tier, operator: In, values: [z, x]}, {key: old, operator: DoesNotExist}]
  updateStrategy: {type: RollingUpdate, rollingUpdate: {maxSurge: 1, maxUnavailable: 25%}}
  template: {metadata: {labels: {a: "1"}}, spec: {containers: [{name: c}]}}
`);
    expect(ds.selector).toBe("!old,a=1,b=2,tier in (x,z)");
    expect(ds.updateStrategy).toEqual({ type: "RollingUpdate", maxSurge: "1", maxUnavailable: "25%" });
    expect(ds.controller?.name).toBe("np");
    expect([ds.deployer, ds.managedBy]).toEqual(["Helm", "Helm"]);
    expect(ds.templateLabels).toEqual({ a: "1" });
  });

  it.each([
    ["labels: {argocd.argoproj.io/instance: x, app.kubernetes.io/managed-by: Helm}", "Argo CD"],
    ["labels: {kustomize.toolkit.fluxcd.io/name: x}", "Flux"],
    ["annotations: {meta.helm.sh/release-name: x}", "Helm"],
    ["labels: {app.kubernetes.io/managed-by: terraform}", "Terraform"],
    ["annotations: {config.kubernetes.io/origin: x}", "Kustomize"],
    ["labels: {app: x}", null],
  ])("with %s are deployed by %s", (metadata, deployer) => {
    expect(workload(`{apiVersion: apps/v1, kind: Deployment, metadata: {name: a, ${metadata}}}`).deployer).toBe(
      deployer,
    );
  });

  it("know when they are suspended, finished or scaled", () => {
    const job = workload(
      "{apiVersion: batch/v1, kind: Job, spec: {suspend: true}, status: {conditions: [{type: Complete, status: 'True'}]}}",
    );
    expect([job.suspended, job.finished, job.replicas]).toEqual([true, true, null]);
    expect(workload("{apiVersion: apps/v1, kind: Deployment, spec: {replicas: 0}}").replicas).toBe(0);
    expect(workload("{apiVersion: v1, kind: Pod, status: {phase: Succeeded}}").finished).toBe(true);
  });

  it("find the template of a CronJob and the selector of a ReplicationController", () => {
    const cron = workload(
      "{apiVersion: batch/v1, kind: CronJob, spec: {jobTemplate: {spec: {template: {metadata: {labels: {a: b}}, spec: {nodeName: n1}}}}}}",
    );
    expect([cron.template.nodeName, cron.templateLabels]).toEqual(["n1", { a: "b" }]);
    const rc = workload(
      "{apiVersion: v1, kind: ReplicationController, spec: {template: {metadata: {labels: {b: '2', a: '1'}}}}}",
    );
    expect(rc.selector).toBe("a=1,b=2");
  });
});

describe("events", () => {
  it("of core with counts", () => {
    const event = decodeEvent(
      plain(`
metadata: {name: e, namespace: default, creationTimestamp: "2026-03-02T09:00:00Z"}
involvedObject: {kind: Pod, namespace: default, name: p, fieldPath: "spec.containers{c}"}
type: Warning
reason: FailedMount
message: MountVolume failed
count: 12
firstTimestamp: "2026-03-02T09:00:00Z"
lastTimestamp: "2026-03-02T09:50:00Z"
source: {component: kubelet, host: w1}
`),
    );
    expect(event).toMatchObject({
      involved: { kind: "Pod", name: "p", fieldPath: "spec.containers{c}" },
      count: 12,
      firstSeen: Date.parse("2026-03-02T09:00:00Z"),
      lastSeen: Date.parse("2026-03-02T09:50:00Z"),
      component: "kubelet",
      host: "w1",
    });
  });

  it("of the scheduler, with eventTime and series and null timestamps", () => {
    const event = decodeEvent(
      plain(`
involvedObject: {kind: Pod, name: p}
reason: FailedScheduling
eventTime: "2026-03-02T09:00:00.123456Z"
series: {count: 7, lastObservedTime: "2026-03-02T09:59:00.000000Z"}
firstTimestamp: null
lastTimestamp: null
reportingComponent: default-scheduler
source: {}
`),
    );
    expect([event.count, event.component]).toEqual([7, "default-scheduler"]);
    expect([event.firstSeen, event.lastSeen]).toEqual([
      Date.parse("2026-03-02T09:00:00.123Z"),
      Date.parse("2026-03-02T09:59:00Z"),
    ]);
  });

  it("of events.k8s.io read alike", () => {
    const event = decodeEvent(
      plain(`
regarding: {kind: Node, name: w1}
note: node is flapping
reason: NodeNotReady
reportingController: node-controller
deprecatedCount: 3
deprecatedFirstTimestamp: "2026-03-02T09:00:00Z"
deprecatedLastTimestamp: "2026-03-02T09:30:00Z"
deprecatedSource: {component: node-controller}
`),
    );
    expect(event).toMatchObject({
      involved: { kind: "Node", name: "w1" },
      message: "node is flapping",
      count: 3,
      component: "node-controller",
      lastSeen: Date.parse("2026-03-02T09:30:00Z"),
    });
  });
});

it("pods tell mirror pods, deletion and container states", () => {
  const pod = decodePod(
    plain(`
metadata:
  name: p
  namespace: default
  annotations: {kubernetes.io/config.mirror: x}
  deletionTimestamp: "2026-03-02T09:43:30Z"
  deletionGracePeriodSeconds: 30
  finalizers: [example.com/hold]
spec: {nodeName: w1, priority: 2000001000}
status:
  phase: Running
  initContainerStatuses: [{name: i, state: {terminated: {exitCode: 0, reason: Completed}}}]
  containerStatuses: [{name: c, restartCount: 5, state: {waiting: {reason: CrashLoopBackOff}}, lastState: {terminated: {exitCode: 137, reason: OOMKilled}}}]
`),
  );
  expect(pod).toMatchObject({
    mirror: true,
    deletionGraceSeconds: 30,
    finalizers: ["example.com/hold"],
    priority: 2000001000,
  });
  expect(
    pod.containers.map(({ name, init, waiting, lastTerminated }) => [
      name,
      init,
      waiting?.reason,
      lastTerminated?.reason,
    ]),
  ).toEqual([
    ["i", true, undefined, undefined],
    ["c", false, "CrashLoopBackOff", "OOMKilled"],
  ]);
});

it("namespaces keep the annotations of admission only", () => {
  const { annotations } = decodeNamespace(
    plain(
      "metadata: {name: a, annotations: {openshift.io/node-selector: 'region=primary', openshift.io/description: x}}",
    ),
  );
  expect(annotations).toEqual({ "openshift.io/node-selector": "region=primary" });
});

it("CSI objects default as the API does", () => {
  expect(decodeCsiDriver(plain("{metadata: {name: d}, spec: {}}")).attachRequired).toBe(true);
  expect(
    decodeCsiNode(plain("{metadata: {name: w1}, spec: {drivers: [{name: d, nodeID: i-1, allocatable: {count: 25}}]}}"))
      .drivers,
  ).toEqual([{ name: "d", nodeID: "i-1", allocatableCount: 25 }]);
});

it("a lease outside of kube-node-lease is no node's", () => {
  expect(decodeNodeLease(plain("{metadata: {name: scheduler, namespace: kube-system}}"))).toBeNull();
  expect(
    decodeNodeLease(
      plain("{metadata: {name: w1, namespace: kube-node-lease}, spec: {renewTime: '2026-03-02T10:00:00.000000Z'}}"),
    ),
  ).toEqual({ nodeName: "w1", renewTime: Date.parse("2026-03-02T10:00:00Z") });
});

it("pods of one template share their parts, whatever the name of their token volume", () => {
  const interner = createInterner();
  const pod = (token: string, node: string) =>
    decodePod(
      plain(`
metadata: {name: "${token}", labels: {app: a}}
spec:
  nodeName: ${node}
  containers:
  - name: c
    volumeMounts: [{name: kube-api-access-${token}, mountPath: /var/run/secrets/kubernetes.io/serviceaccount}]
  volumes: [{name: kube-api-access-${token}, projected: {sources: []}}]
  tolerations: [{operator: Exists}]
`),
      interner,
    );
  const [one, two] = [pod("abcde", "n1"), pod("fghij", "n2")];
  expect(one.spec.containers).toBe(two.spec.containers);
  expect(one.spec.tolerations).toBe(two.spec.tolerations);
  expect(one.spec.volumes).toBe(two.spec.volumes);
  expect(one.labels).toBe(two.labels);
});
