// What a model says beyond its objects: when it was observed, what is doubled, whether nodes come and go.
import { describe, expect, it } from "vitest";
import { formatTime } from "../../server/src/kube/time.ts";
import { problemLines, read } from "./support.ts";

describe("the observation time is", () => {
  const observed = (yaml: string, now: string | null = null): string | null => {
    const { model } = read(
      `${yaml}\n---\n{apiVersion: v1, kind: Node, metadata: {name: any}}\n`,
      "d.yaml",
      now === null ? null : Date.parse(now),
    );
    return model.observedAt === null ? null : formatTime(model.observedAt);
  };
  const NODE = "apiVersion: v1\nkind: Node\nmetadata: {name: n, creationTimestamp: 2026-01-01T00:00:00Z}\n";

  it("--now where it is given", () => {
    expect(observed(NODE, "2026-05-05T00:00:00Z")).toBe("2026-05-05T00:00:00Z");
  });

  it("unknown where nothing has a time", () => {
    expect(observed("{apiVersion: v1, kind: Pod, metadata: {name: p}}")).toBeNull();
  });

  it("the newest creation, not the heartbeat of a node whose clock may be wrong", () => {
    expect(
      observed(
        `${NODE}status: {conditions: [{type: Ready, status: "True", lastHeartbeatTime: "2027-01-01T00:00:00Z"}]}`,
      ),
    ).toBe("2026-01-01T00:00:00Z");
  });

  it("the heartbeat where there is nothing else", () => {
    expect(
      observed(
        '{apiVersion: v1, kind: Node, metadata: {name: n}, status: {conditions: [{type: Ready, lastHeartbeatTime: "2026-02-01T00:00:00Z"}]}}',
      ),
    ).toBe("2026-02-01T00:00:00Z");
  });

  it("a controller's event, but not a kubelet's", () => {
    const event = (source: string, time: string) =>
      `---\n{apiVersion: v1, kind: Event, metadata: {name: ${source}}, lastTimestamp: "${time}", source: {component: ${source}${source === "kubelet" ? ", host: n" : ""}}}`;
    expect(
      observed(
        `${NODE}${event("node-controller", "2026-02-01T00:00:00Z")}\n${event("kubelet", "2026-02-02T00:00:00Z")}`,
      ),
    ).toBe("2026-02-01T00:00:00Z");
  });

  it("the condition that the node lifecycle controller wrote, or the taint it added", () => {
    expect(
      observed(
        `${NODE}status: {conditions: [{type: Ready, status: Unknown, reason: NodeStatusUnknown, lastTransitionTime: "2026-02-01T00:00:00Z"}]}`,
      ),
    ).toBe("2026-02-01T00:00:00Z");
    expect(observed(`${NODE}spec: {taints: [{key: a, effect: NoExecute, timeAdded: "2026-02-03T00:00:00Z"}]}`)).toBe(
      "2026-02-03T00:00:00Z",
    );
  });

  it("the request of a deletion, whose grace period lies in the future", () => {
    expect(
      observed(
        '{apiVersion: v1, kind: Pod, metadata: {name: p, deletionTimestamp: "2026-02-01T01:00:00Z", deletionGracePeriodSeconds: 3600}}',
      ),
    ).toBe("2026-02-01T00:00:00Z");
  });

  it("the time of a managed field, which the server writes", () => {
    expect(
      observed(
        '{apiVersion: v1, kind: Pod, metadata: {name: p, managedFields: [{manager: kubelet, time: "2026-02-04T00:00:00Z"}]}}',
      ),
    ).toBe("2026-02-04T00:00:00Z");
  });
});

it("says whether the observation time is only a floor", () => {
  const yaml = "{apiVersion: v1, kind: Node, metadata: {name: n, creationTimestamp: '2026-01-01T00:00:00Z'}}";
  expect(read(yaml).model.observedAtLeast).toBe(true);
  expect(read(yaml, "d.yaml", Date.parse("2026-02-01T00:00:00Z")).model.observedAtLeast).toBeUndefined();
  expect(read("{apiVersion: v1, kind: Node, metadata: {name: n}}").model.observedAtLeast).toBeUndefined();
});

describe("an object that is there twice", () => {
  const node = (version: string, taint: string) =>
    `---\n{apiVersion: v1, kind: Node, metadata: {name: n1, resourceVersion: "${version}"}, spec: {taints: [{key: ${taint}, effect: NoSchedule}]}}\n`;
  const taintsOf = (yaml: string) => {
    const reading = read(yaml);
    return [reading.model.nodes.get("n1")?.taints.map(({ key }) => key), problemLines(reading)];
  };

  it("counts once in its newer version, wherever that stands", () => {
    const line = "information: dump.yaml: Node n1 is twice in the file and they differ; the newer one counts";
    expect(taintsOf(node("99", "old") + node("100", "new"))).toEqual([["new"], [line]]);
    expect(taintsOf(node("100", "new") + node("99", "old"))).toEqual([["new"], [line]]);
  });

  it("counts as it stands last where no version tells, with a warning", () => {
    expect(taintsOf(node("", "first") + node("", "second"))).toEqual([
      ["second"],
      ["warning: dump.yaml: Node n1 is twice in the file and they differ; the later one counts"],
    ]);
  });

  it("is no problem where both are the same", () => {
    expect(taintsOf(node("", "a") + node("", "a"))).toEqual([["a"], []]);
  });

  it("gives one line, however many there are", () => {
    const pods = (phase: string) =>
      ["a", "b", "c"]
        .map(
          (name) =>
            `---\n{apiVersion: v1, kind: Pod, metadata: {name: ${name}, namespace: x}, status: {phase: ${phase}}}\n`,
        )
        .join("");
    expect(problemLines(read(node("1", "a") + pods("Pending") + pods("Running")))).toEqual([
      "warning: dump.yaml: 3 objects (Pod x/a, …) are twice in the file and they differ; the later one counts",
    ]);
  });
});

it.each([
  ["a Karpenter pool", "{apiVersion: karpenter.sh/v1, kind: NodePool, metadata: {name: gpu}}", "NodePool gpu"],
  [
    "the cluster autoscaler's Deployment",
    "{apiVersion: apps/v1, kind: Deployment, metadata: {name: scaler, namespace: kube-system}, spec: {template: {spec: {containers: [{name: c, image: 'registry.example/autoscaling/cluster-autoscaler:v1.33.0@sha256:00'}]}}}}",
    "Deployment kube-system/scaler",
  ],
  [
    "its status",
    "{apiVersion: v1, kind: ConfigMap, metadata: {name: cluster-autoscaler-status, namespace: kube-system}}",
    "ConfigMap kube-system/cluster-autoscaler-status",
  ],
  [
    "a label",
    "{apiVersion: v1, kind: Node, metadata: {name: k1, labels: {karpenter.sh/nodepool: gpu}}}",
    "nodes labelled karpenter.sh/nodepool=gpu",
  ],
  ["a ConfigMap of something else", "{apiVersion: v1, kind: ConfigMap, metadata: {name: status}}", undefined],
])("sees whether nodes come and go by %s", (_, yaml, sign) => {
  expect(read(yaml).model.autoscaler.signs[0]).toBe(sign);
});

it("keeps leases of nodes and not those of leader elections", () => {
  const { model } = read(`
{apiVersion: coordination.k8s.io/v1, kind: Lease, metadata: {name: n1, namespace: kube-node-lease}, spec: {renewTime: "2026-03-02T10:00:00.000000Z"}}
---
{apiVersion: coordination.k8s.io/v1, kind: Lease, metadata: {name: scheduler, namespace: kube-system}}
`);
  expect([...model.leases.keys()]).toEqual(["n1"]);
});

describe("pods of a namespace that was not dumped", () => {
  const dump = (podNamespace: string) => `
{apiVersion: v1, kind: Node, metadata: {name: n1}}
---
{apiVersion: apps/v1, kind: DaemonSet, metadata: {name: agent, namespace: kube-system}, status: {currentNumberScheduled: 3}}
---
{apiVersion: v1, kind: Pod, metadata: {name: p, namespace: ${podNamespace}}}
`;

  it("are unknown, not missing from their nodes", () => {
    const reading = read(dump("default"));
    expect(reading.model.parts.pods).toBe("missing");
    expect(problemLines(reading)).toEqual([
      "warning: DaemonSet kube-system/agent counts 3 pods, and no pod of its namespace is in the dump: which pods run counts as unknown (kubectl get pods -A)",
    ]);
  });

  it("are not suspected where the namespace has other pods, as counters lag", () => {
    const reading = read(dump("kube-system"));
    expect([reading.model.parts.pods, problemLines(reading)]).toEqual(["known", []]);
  });
});
