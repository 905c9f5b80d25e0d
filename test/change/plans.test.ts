// Patches of nodes and what is made of the server's answers, each from an object as the API gives it.
import { describe, expect, it } from "vitest";
import { changedMeanwhile } from "../../server/src/change/conflict.ts";
import { admissionChanges } from "../../server/src/change/difference.ts";
import { readNodeTaint } from "../../server/src/change/node-action.ts";
import { planNode } from "../../server/src/change/node-plan.ts";
import { objectYaml } from "../../server/src/change/object-yaml.ts";
import { type JsonPatchStep, patched } from "../../server/src/kube/json-patch.ts";

const UID = "uid-rdma-1";
const node = (spec: object, metadata: object = {}) => ({
  apiVersion: "v1",
  kind: "Node",
  metadata: { name: "rdma-1", uid: UID, ...metadata },
  spec,
});
const RDMA = { key: "dedicated", value: "rdma", effect: "NoSchedule", timeAdded: "2026-03-02T10:00:00Z" };

/** The patch in lines, or what was said instead. */
function planned(text: string, live: ReturnType<typeof node>): readonly string[] {
  const action = text === "cordon" || text === "uncordon" ? ({ kind: text } as const) : readNodeTaint(text);
  if ("problem" in action) return [action.problem];
  const plan = planNode(action, UID, live);
  if (plan.kind === "refusal") return [plan.refusal];
  if (plan.kind === "unchanged") return ["unchanged"];
  return [...plan.patch.map(line), ...(plan.note === "" ? [] : [plan.note])];
}
const line = (step: JsonPatchStep): string =>
  [step.op, step.path, ...("value" in step ? [JSON.stringify(step.value)] : [])].join(" ");

describe("a node", () => {
  const same = `test /metadata/uid "${UID}"`;
  it("is cordoned and uncordoned behind a test of the field", () => {
    expect(planned("cordon", node({}))).toEqual([
      same,
      "test /spec/unschedulable null",
      "add /spec/unschedulable true",
    ]);
    expect(planned("uncordon", node({ unschedulable: true }))).toEqual([
      same,
      "test /spec/unschedulable true",
      "remove /spec/unschedulable",
    ]);
    expect(planned("cordon", node({ unschedulable: true }))).toEqual(["unchanged"]);
    expect(planned("uncordon", node({}))).toEqual(["unchanged"]);
  });

  it("gets its first taint, another, and another value, behind a test of the whole list", () => {
    const list = JSON.stringify([RDMA]);
    expect(planned("team=a:NoSchedule", node({}))).toEqual([
      same,
      "test /spec/taints null",
      'add /spec/taints [{"key":"team","value":"a","effect":"NoSchedule"}]',
    ]);
    expect(planned("team:NoExecute", node({ taints: [RDMA] }))).toEqual([
      same,
      `test /spec/taints ${list}`,
      'add /spec/taints/- {"key":"team","effect":"NoExecute"}',
    ]);
    expect(planned("dedicated=gpu:NoSchedule", node({ taints: [RDMA] }))).toEqual([
      same,
      `test /spec/taints ${list}`,
      'replace /spec/taints/0 {"key":"dedicated","value":"gpu","effect":"NoSchedule"}',
      "replaces dedicated=rdma:NoSchedule",
    ]);
    expect(planned("dedicated=rdma:NoSchedule", node({ taints: [RDMA] }))).toEqual(["unchanged"]);
  });

  it("loses every taint of a key and effect, and the list with the last one", () => {
    const other = { key: "dedicated", effect: "NoExecute" };
    expect(planned("dedicated:NoSchedule-", node({ taints: [RDMA] })).at(-1)).toBe("remove /spec/taints");
    expect(planned("dedicated:NoSchedule-", node({ taints: [RDMA, other] })).at(-1)).toBe(
      `replace /spec/taints ${JSON.stringify([other])}`,
    );
    expect(planned("team:NoSchedule-", node({ taints: [RDMA] }))).toEqual(["unchanged"]);
  });

  it("that is another one, or goes, is left alone", () => {
    expect(planned("cordon", node({}, { uid: "other" }))).toEqual([
      "rdma-1 was replaced by another node of this name. Look at it again first.",
    ]);
    expect(planned("cordon", node({}, { deletionTimestamp: "2026-03-02T10:00:00Z" }))).toEqual([
      "rdma-1 is being deleted.",
    ]);
  });

  it("does not get what a controller sets and takes away", () => {
    expect(planned("node.kubernetes.io/unschedulable:NoSchedule", node({}))[0]).toContain("use Cordon Node");
    expect(planned("node.kubernetes.io/not-ready:NoExecute-", node({}))[0]).toContain("node controller");
    expect(planned("node.kubernetes.io/out-of-service=nodeshutdown:NoExecute", node({})).at(-1)).toMatch(/^add /);
    expect(planned("dedicated=rdma:NoShedule", node({}))[0]).toContain("Did you mean NoSchedule?");
  });
});

describe("a refused patch", () => {
  const patch: readonly JsonPatchStep[] = [
    { op: "test", path: "/metadata/uid", value: UID },
    { op: "test", path: "/spec/taints", value: [RDMA] },
  ];
  it("is explained by the first test that does not hold, whatever the order of keys", () => {
    const { timeAdded, ...rest } = RDMA;
    expect(changedMeanwhile(node({ taints: [{ timeAdded, ...rest }] }), patch)).toBeNull();
    expect(changedMeanwhile(node({}), patch)).toBe("somebody changed its taints");
    expect(changedMeanwhile(node({ taints: [RDMA] }, { uid: "b" }), patch)).toContain("replaced by another object");
  });
});

describe("what admission does", () => {
  const before = { metadata: { generation: 1, annotations: { a: "b" } }, spec: { list: [{ key: "x" }] } };
  const patch: readonly JsonPatchStep[] = [{ op: "add", path: "/spec/list/-", value: { key: "y" } }];
  it("is nothing where the server stores the patch and keeps its own books", () => {
    const after = {
      ...patched(before, patch),
      metadata: { generation: 2, resourceVersion: "9", annotations: { a: "b" } },
    };
    expect(admissionChanges(before, patch, after)).toEqual([]);
  });
  it("is named field by field", () => {
    const after = {
      metadata: { generation: 2, annotations: { a: "b", policy: "checked" } },
      spec: { list: [{ key: "x" }], class: "high" },
    };
    expect(admissionChanges(before, patch, after)).toEqual([
      'metadata.annotations.policy: (none) → "checked"',
      'spec.list.1: {"key":"y"} → (none)',
      'spec.class: (none) → "high"',
    ]);
  });
});

it("an object is shown as YAML without what the server keeps for itself", () => {
  const object = {
    apiVersion: "apps/v1",
    kind: "DaemonSet",
    metadata: {
      name: "agent",
      annotations: { "kubectl.kubernetes.io/last-applied-configuration": "{}" },
      generation: 3,
      resourceVersion: "309",
      managedFields: [{ manager: "kubectl" }],
    },
    spec: {
      empty: [],
      none: {},
      list: [{ name: "a", args: ["-v", "yes"], env: [] }, "on"],
      text: "two\nlines",
      "a: b": null,
    },
    status: { numberReady: 1 },
  };
  expect(objectYaml(object)).toBe(`apiVersion: apps/v1
kind: DaemonSet
metadata:
  name: agent
spec:
  empty: []
  none: {}
  list:
  - name: a
    args:
    - "-v"
    - "yes"
    env: []
  - "on"
  text: "two\\nlines"
  "a: b": null
`);
});
