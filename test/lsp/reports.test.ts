// The requests of our own protocol over a real connection.
import { expect, test } from "vitest";
import {
  CheckWorkspace,
  Explain,
  GetContexts,
  GetNodes,
  KubectlPatch,
  NodeView,
  Preflight,
  TrustGranted,
} from "../../shared/src/protocol.ts";
import { unindent } from "../support/annotated.ts";
import { type Editor, type EditorOptions, startEditor, until } from "./editor.ts";
import { agent, CLUSTER, RDMA } from "./fixtures.ts";

async function withCluster(options: EditorOptions = {}): Promise<Editor> {
  const editor = await startEditor({
    files: { "cluster.yaml": CLUSTER },
    settings: { cluster: { file: "cluster.yaml" } },
    ...options,
  });
  editor.open("agent.yaml", agent("agent"));
  await editor.pushedWhen("agent.yaml", (found) => found.length > 0);
  return editor;
}

test("explain: the report of a workload, a choice between several, a reason for none", async () => {
  const editor = await withCluster();
  const one = await editor.request(Explain, { uri: editor.uri("agent.yaml"), position: null });
  expect(one).toMatchObject({ kind: "report", report: { title: "DaemonSet monitoring/agent" } });
  expect(one.kind === "report" ? one.report.markdown : "").toContain("dedicated=rdma:NoSchedule");

  editor.open("two.yaml", `${agent("one")}---\n${agent("two", [RDMA])}---\n`);
  const uri = editor.uri("two.yaml");
  expect(await editor.request(Explain, { uri, position: null })).toEqual({
    kind: "choose",
    workloads: [
      {
        label: "DaemonSet monitoring/one",
        detail: "runs on 2 of 3 nodes · 1 blocked by dedicated=rdma:NoSchedule",
        position: { line: 2, character: 17 },
      },
      { label: "DaemonSet monitoring/two", detail: "runs on all 3 nodes", position: { line: 17, character: 17 } },
    ],
  });
  const second = await editor.request(Explain, { uri, position: { line: 20, character: 0 } });
  expect(second).toMatchObject({ kind: "report", report: { title: "DaemonSet monitoring/two" } });

  editor.open("other.yaml", "a: 1\n");
  expect(await editor.request(Explain, { uri: editor.uri("other.yaml"), position: null })).toMatchObject({
    kind: "none",
  });
  expect(await editor.request(Explain, { uri: editor.uri("closed.yaml"), position: null })).toMatchObject({
    kind: "none",
  });
});

test("explain says so where no cluster is chosen", async () => {
  const editor = await startEditor();
  editor.open("agent.yaml", agent("agent"));
  const result = await editor.request(Explain, { uri: editor.uri("agent.yaml"), position: null });
  expect(result.kind === "report" ? result.report.markdown : "").toContain("No cluster is chosen");
});

test("kubectl patch: tested against the live list, for the live object", async () => {
  const editor = await withCluster();
  const place = { uri: editor.uri("agent.yaml"), position: { line: 3, character: 0 } };
  expect(await editor.request(KubectlPatch, place)).toEqual({
    kind: "patch",
    title: "DaemonSet monitoring/agent: tolerate dedicated=rdma:NoSchedule",
    command:
      "kubectl patch daemonset agent --namespace monitoring --type=json --patch " +
      `'[{"op":"test","path":"/spec/template/spec/tolerations","value":null},{"op":"add","path":"/spec/template/spec/tolerations","value":[{"key":"dedicated","operator":"Equal","value":"rdma","effect":"NoSchedule"}]}]'`,
  });
  editor.change("agent.yaml", agent("agent", [RDMA]));
  expect(await editor.request(KubectlPatch, place)).toMatchObject({ kind: "none", reason: /lacks no toleration/ });
  editor.change(
    "agent.yaml",
    agent("agent").replace("namespace: monitoring", "labels: {app.kubernetes.io/managed-by: gpu-operator}"),
  );
  expect(await editor.request(KubectlPatch, place)).toMatchObject({ kind: "none", reason: /managed by gpu-operator/ });
});

test("nodes: what a preflight can name", async () => {
  const editor = await withCluster();
  expect(await editor.request(GetNodes, {})).toEqual({
    nodes: [
      { name: "fast-1", cluster: "cluster", taints: ["dedicated=rdma:NoSchedule"] },
      { name: "worker-1", cluster: "cluster", taints: [] },
      { name: "worker-2", cluster: "cluster", taints: [] },
    ],
    selectors: [{ selector: "pool=general", nodes: 2 }],
    taints: ["dedicated=rdma:NoSchedule"],
  });
});

test("preflight: the report, and the edit of the manifest whether it is open or not", async () => {
  const editor = await withCluster();
  const request = { target: "worker-1, worker-2", taint: "maintenance:NoSchedule" };
  const open = await editor.request(Preflight, request);
  if (open.kind !== "report") throw new Error(open.message);
  expect(open.report.title).toBe("Preflight maintenance:NoSchedule");
  expect(open.report.markdown).toContain("DaemonSet/monitoring/agent");
  expect(open.patches).toMatchObject([
    {
      title: "DaemonSet monitoring/agent: tolerate maintenance:NoSchedule",
      edit: { uri: editor.uri("agent.yaml"), version: 1 },
      command: /^kubectl patch daemonset agent/,
    },
  ]);
  editor.write("agent.yaml", agent("agent"));
  editor.close("agent.yaml");
  await editor.request(CheckWorkspace, {});
  const closed = await editor.request(Preflight, { ...request, target: "pool=general" });
  expect(closed).toMatchObject({ patches: [{ edit: { uri: editor.uri("agent.yaml"), version: null } }] });
  const gone = await editor.request(Preflight, { target: "fast-1", taint: "dedicated=rdma:NoSchedule-" });
  expect(gone).toMatchObject({ kind: "report", patches: [] });
});

test.each([
  ["nobody", "a:NoSchedule", "target", /no node "nobody"/],
  ["worker-3", "a:NoSchedule", "target", /Did you mean worker-/],
  ["pool=none", "a:NoSchedule", "target", /matches no node/],
  ["", "a:NoSchedule", "target", /Name nodes/],
  ["worker-1", "a:NoSchedul", "taint", /Did you mean NoSchedule/],
  ["worker-1", "a", "taint", /effect is missing/],
])("preflight of %j with %j: the %s is wrong", async (target, taint, field, message) => {
  const editor = await withCluster();
  expect(await editor.request(Preflight, { target, taint })).toMatchObject({
    kind: "invalid",
    field,
    message: expect.stringMatching(message),
  });
});

test("preflight without a cluster", async () => {
  const editor = await startEditor();
  expect(await editor.request(Preflight, { target: "a", taint: "b:NoSchedule" })).toMatchObject({
    kind: "invalid",
    field: "cluster",
  });
});

test("check workspace counts what every file holds", async () => {
  const editor = await startEditor({
    files: {
      "cluster.yaml": CLUSTER,
      "one.yaml": agent("one"),
      "bad.yaml": agent("bad", ["{key: a, operator: Exist}"]),
      "broken.yaml": "apiVersion: v1\nkind: Pod\nspec: {tolerations: [\n",
      "chart/Chart.yaml": "name: c\n",
      "chart/templates/t.yaml": "apiVersion: v1\nkind: Pod\nspec: {{ .Values.spec }}\n",
    },
    settings: { cluster: { file: "cluster.yaml" } },
  });
  await editor.pushedWhen("one.yaml", (found) => found.length > 0);
  expect(await editor.request(CheckWorkspace, {})).toMatchObject({
    workloads: 2,
    errors: 2,
    warnings: 2,
    unreadable: 1,
    templates: 1,
    truncated: false,
  });
});

const KUBECONFIG = unindent(`
  apiVersion: v1
  kind: Config
  current-context: prod
  clusters: [{name: c, cluster: {server: https://prod.example:6443}}]
  users: [{name: u, user: {token: secret}}]
  contexts:
  - {name: prod, context: {cluster: c, user: u}}
  - {name: lost, context: {cluster: gone, user: u}}
`);

test("contexts are read from the kubeconfig without contacting anything, and not at all without trust", async () => {
  const editor = await startEditor({ options: { trusted: false } });
  editor.write("kubeconfig", KUBECONFIG);
  await editor.changeSettings({ cluster: { kubeconfig: `${editor.root}/kubeconfig` } });
  expect(await editor.request(GetContexts, {})).toMatchObject({ contexts: [], problems: [/not trusted/] });
  editor.notify(TrustGranted, {});
  const contexts = await until(
    async () => {
      const found = await editor.request(GetContexts, {});
      return found.contexts.length > 0 ? found.contexts : undefined;
    },
    () => "no contexts",
  );
  expect(contexts.map(({ name, current, unusable }) => [name, current, unusable === null])).toEqual([
    ["prod", true, true],
    ["lost", false, false],
  ]);
  expect(contexts[0]).toMatchObject({ kubeconfig: `${editor.root}/kubeconfig`, description: /prod\.example/ });
});

test("a node is shown as a read-only text, and its taint is found there", async () => {
  const editor = await withCluster();
  const { text } = await editor.request(NodeView, { uri: "taintwise-node:/cluster/fast-1.yaml" });
  expect(text).toBe(
    unindent(`
      # fast-1 of cluster. Read-only.
      apiVersion: v1
      kind: Node
      metadata:
        name: fast-1
        labels:
          kubernetes.io/hostname: fast-1
          kubernetes.io/os: linux
          pool: fast
      spec:
        taints:
          - key: dedicated
            value: rdma
            effect: NoSchedule
      status:
        capacity:
          rdma/hca: "4"
        allocatable:
          rdma/hca: "4"
        conditions:
    `).replace("  conditions:\n", "  conditions: []\n"),
  );
  const unknown = await editor.request(NodeView, { uri: "taintwise-node:/cluster/nobody.yaml" });
  expect(unknown.text).toMatch(/^# .* not known/);
});
