// Commands that change a cluster, on a real control plane, with the documented roles and no more: the patch is dry-run,
// tested, applied once, and what the preflight tells is what then happens.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  ApplyChange,
  FollowChange,
  type NodeActionName,
  PrepareFix,
  PrepareNodes,
  type PrepareNodesResult,
} from "../../../shared/src/change.ts";
import { type ExplorerRow, ExplorerRows, type RowTarget } from "../../../shared/src/explorer.ts";
import { type Editor, startEditor } from "../../lsp/editor.ts";
import { eventually, type Json } from "../api.ts";
import { type IncidentCluster, POOL, startIncidentCluster, TAINT } from "../incident-cluster.ts";

const ON_CALL = { name: "on-call", token: "on-call-token" };
const READER = { name: "reader", token: "reader-token" };
const EXPORTER = { namespace: "monitoring", name: "node-exporter" };
const DAEMON_SETS = "/apis/apps/v1/namespaces";

let cluster: IncidentCluster;
let folder = "";

beforeAll(async () => {
  cluster = await startIncidentCluster({ authorization: "RBAC", users: [ON_CALL, READER] });
  const { controlPlane } = cluster;
  await controlPlane.kubectl(["apply", "-f", "docs/rbac.yaml", "-f", "docs/rbac-changes.yaml"]);
  const bind = (role: string, user: string) =>
    controlPlane.kubectl([
      "create",
      "clusterrolebinding",
      `${role}-${user}`,
      `--clusterrole=${role}`,
      `--user=${user}`,
    ]);
  await bind("taintwise", ON_CALL.name);
  await bind("taintwise-changes", ON_CALL.name);
  await bind("taintwise", READER.name);
  folder = mkdtempSync(join(tmpdir(), "taintwise-changes-"));
  for (const user of [ON_CALL, READER]) {
    writeFileSync(join(folder, user.name), controlPlane.kubeconfigFor(user));
  }
  await cluster.taintPool();
});
afterAll(async () => {
  await cluster?.stop();
  if (folder !== "") rmSync(folder, { recursive: true, force: true });
});

const settingsOf = (user: string, allowChanges: boolean) => ({
  cluster: { context: "test", kubeconfig: join(folder, user), allowChanges },
});
const options = { grouping: "flat", poolLabel: "", filter: "", onlyProblems: false } as const;

/** An editor whose explorer has the row; the test's end closes it. */
async function open(user = ON_CALL.name, allowed = true): Promise<Editor> {
  const editor = await startEditor({ settings: settingsOf(user, allowed), environment: {}, now: Date.now });
  await eventually("the nodes", async () => (await rows(editor)).find(({ label }) => label === POOL[0]), 60_000);
  return editor;
}

async function rows(editor: Editor, parent: string | null = null): Promise<readonly ExplorerRow[]> {
  return (await editor.request(ExplorerRows, { view: "nodes", parent, limit: 50, options })).rows;
}

async function clusterKey(editor: Editor): Promise<string> {
  const node = (await rows(editor)).find(({ label }) => label === POOL[0]);
  return node?.target?.cluster ?? "";
}

async function targetOf(editor: Editor, { namespace, name } = EXPORTER): Promise<RowTarget> {
  return { cluster: await clusterKey(editor), kind: "DaemonSet", namespace, name, node: null };
}

const exporter = (): Promise<Json> =>
  cluster.controlPlane.api.get(`${DAEMON_SETS}/${EXPORTER.namespace}/daemonsets/${EXPORTER.name}`);
const nodeOf = (name: string): Promise<Json> => cluster.controlPlane.api.get(`/api/v1/nodes/${name}`);

/** What the answer says, however it went. */
const said = (answer: { readonly kind: string }): string => JSON.stringify(answer);

async function prepare(
  editor: Editor,
  action: NodeActionName,
  target: string,
  taint = "",
): Promise<Extract<PrepareNodesResult, { readonly kind: "ready" }>> {
  const answer = await editor.request(PrepareNodes, { cluster: null, target, action, taint });
  if (answer.kind !== "ready") throw new Error(said(answer));
  return answer;
}

/** Settings reach the server a moment later. */
async function untilKind(editor: Editor, kind: PrepareNodesResult["kind"]): Promise<void> {
  const params = { cluster: null, target: "rdma-1", action: "cordon", taint: "" } as const;
  await eventually(`the answer is ${kind}`, async () =>
    (await editor.request(PrepareNodes, params)).kind === kind ? true : undefined,
  );
}

test("without the setting nothing is asked of the server, and the sentence says how to turn it on", async () => {
  const editor = await open(ON_CALL.name, false);
  const before = await exporter();
  const answer = await editor.request(PrepareFix, await targetOf(editor));
  expect(answer).toEqual({
    kind: "off",
    reason: expect.stringContaining("turn on the setting taintwise.cluster.allowChanges"),
  });
  const cordon = await editor.request(PrepareNodes, { cluster: null, target: POOL[0], action: "cordon", taint: "" });
  expect(cordon.kind).toBe("off");
  expect((await exporter()).metadata.resourceVersion).toBe(before.metadata.resourceVersion);
});

test("who may only read is told by the server itself which right is missing", async () => {
  const editor = await open(READER.name);
  expect(said(await editor.request(PrepareFix, await targetOf(editor)))).toContain(
    'User \\"reader\\" cannot get resource \\"daemonsets\\"',
  );
  const cordon = await editor.request(PrepareNodes, { cluster: null, target: POOL[0], action: "cordon", taint: "" });
  expect(said(cordon)).toContain("docs/rbac-changes.yaml");
});

test("a change in between is refused by name and nothing is overwritten", async () => {
  const editor = await open();
  const answer = await editor.request(PrepareFix, await targetOf(editor));
  if (answer.kind !== "ready") throw new Error(said(answer));
  expect((await exporter()).spec.template.spec.tolerations ?? []).not.toContainEqual(
    expect.objectContaining({ key: "dedicated" }),
  );
  const path = `${DAEMON_SETS}/${EXPORTER.namespace}/daemonsets/${EXPORTER.name}`;
  const mine = { key: "mine", operator: "Exists", effect: "NoSchedule" };
  await cluster.controlPlane.api.merge(path, { spec: { template: { spec: { tolerations: [mine] } } } });
  const applied = await editor.request(ApplyChange, { id: answer.change.id });
  expect(applied).toEqual({
    kind: "refused",
    message: `DaemonSet monitoring/node-exporter was not changed: somebody changed its specification since you looked. Nothing was overwritten; prepare the change again.`,
  });
  expect((await exporter()).spec.template.spec.tolerations).toEqual([mine]);
  // The rollout of the other change takes the pods from the pool: that is the incident.
  await eventually(
    "the pods of the pool go",
    async () => {
      const left = await Promise.all(POOL.map((node) => cluster.platformPods(node)));
      return left.flat().includes(EXPORTER.name) ? undefined : true;
    },
    120_000,
  );
});

test("a fix is shown as the server would store it, applied once, and its rollout followed until every node has the pod", async () => {
  const editor = await open();
  const target = await targetOf(editor);
  const answer = await editor.request(PrepareFix, target);
  if (answer.kind !== "ready") throw new Error(said(answer));
  const { change, before, after } = answer;
  expect(change).toMatchObject({ context: "test", object: "DaemonSet monitoring/node-exporter" });
  expect(change.details[0]).toMatch(
    /2 pods on 2 nodes are replaced \(maxUnavailable .*\)\. 2 nodes without its pod get one: rdma-1, rdma-2\./,
  );
  expect(change.details.filter((line) => line.includes("dmission"))).toEqual([]);
  const added = after.split("\n").filter((line) => !before.includes(line));
  expect(added.map((line) => line.trim())).toEqual(expect.arrayContaining(["- key: dedicated", "value: rdma"]));
  expect(before).not.toContain("managedFields");
  const applied = await editor.request(ApplyChange, { id: change.id });
  expect(applied).toMatchObject({ kind: "applied", rollout: true });
  expect(await editor.request(ApplyChange, { id: change.id })).toMatchObject({ kind: "refused" });
  const last = await eventually(
    "the rollout ends",
    async () => {
      const state = await editor.request(FollowChange, { id: change.id });
      return state.phase === "rolling" ? undefined : state;
    },
    120_000,
  );
  expect(last).toMatchObject({ phase: "done", summary: "4 of 4 pods are new, 4 available." });
  expect(last.report?.markdown).toContain("**Done.**");
  await eventually("the report has each node with its new pod", async () => {
    const { report } = await editor.request(FollowChange, { id: change.id });
    const nodes = report?.markdown.match(/^\| \S+ \| 1 \| {2}\| {2}\|$/gm) ?? [];
    return nodes.length === 4 ? true : undefined;
  });
  for (const node of POOL) expect(await cluster.platformPods(node)).toContain(EXPORTER.name);
  expect((await exporter()).metadata.managedFields.map(({ manager }: Json) => manager)).toContain("taintwise");
  await eventually("the fix is not wanted any more", async () => {
    const again = await editor.request(PrepareFix, target);
    return again.kind === "refused" && /tolerates/.test(again.reason) ? again : undefined;
  });
});

test("cordon and uncordon: the report names the context, then the node is so, and doing it twice is nothing", async () => {
  const editor = await open();
  const cordon = await prepare(editor, "cordon", "worker-1");
  expect(cordon.report.markdown).toContain("In the context `test`. Nothing is changed yet");
  expect((await nodeOf("worker-1")).spec.unschedulable).toBeUndefined();
  expect(await editor.request(ApplyChange, { id: cordon.change.id })).toMatchObject({ kind: "applied" });
  expect((await nodeOf("worker-1")).spec.unschedulable).toBe(true);
  const twice = await editor.request(PrepareNodes, { cluster: null, target: "worker-1", action: "cordon", taint: "" });
  expect(twice).toEqual({ kind: "refused", reason: "Nothing to do: worker-1 is so already." });
  const uncordon = await prepare(editor, "uncordon", "worker-1");
  expect(await editor.request(ApplyChange, { id: uncordon.change.id })).toMatchObject({ kind: "applied" });
  expect((await nodeOf("worker-1")).spec.unschedulable).toBeUndefined();
});

test("a taint that somebody else set in between is not lost, and the second try knows it", async () => {
  const editor = await open();
  const taint = await prepare(editor, "taint", "worker-1", "team=a:NoSchedule");
  await cluster.controlPlane.kubectl(["taint", "node", "worker-1", "other=b:NoSchedule"]);
  expect(await editor.request(ApplyChange, { id: taint.change.id })).toMatchObject({
    kind: "refused",
    message: expect.stringContaining("somebody changed its taints since you looked"),
  });
  const again = await prepare(editor, "taint", "worker-1", "team=a:NoSchedule");
  expect(await editor.request(ApplyChange, { id: again.change.id })).toMatchObject({ kind: "applied" });
  expect((await nodeOf("worker-1")).spec.taints.map(({ key }: Json) => key)).toEqual(["other", "team"]);
  for (const off of ["team:NoSchedule-", "other:NoSchedule-"]) {
    const away = await prepare(editor, "taint", "worker-1", off);
    expect(await editor.request(ApplyChange, { id: away.change.id })).toMatchObject({ kind: "applied" });
  }
  expect((await nodeOf("worker-1")).spec.taints).toBeUndefined();
});

test("NoExecute evicts whom the preflight names, and nobody else", async () => {
  const editor = await open();
  const podsOn = async (node: string): Promise<readonly string[]> => {
    const { items } = await cluster.controlPlane.api.get(`/api/v1/pods?fieldSelector=spec.nodeName%3D${node}`);
    return items
      .filter(({ metadata }: Json) => metadata.deletionTimestamp === undefined)
      .map(({ metadata }: Json) => `${metadata.namespace}/${metadata.name}`);
  };
  const there = await podsOn("worker-2");
  const taint = await prepare(editor, "taint", "worker-2", "burn=yes:NoExecute");
  const named = there.filter((pod) =>
    taint.report.markdown.replaceAll("\\", "").includes(`${pod} on worker-2: at once`),
  );
  expect(named.length).toBeGreaterThan(0);
  expect(taint.change.details[0]).toContain(`${named.length} are evicted (${named.length} at once)`);
  expect(await editor.request(ApplyChange, { id: taint.change.id })).toMatchObject({ kind: "applied" });
  await eventually(
    "they are gone",
    async () => {
      const left = await podsOn("worker-2");
      return named.some((pod) => left.includes(pod)) ? undefined : true;
    },
    60_000,
  );
  expect((await podsOn("worker-2")).filter((pod) => there.includes(pod))).toEqual(
    there.filter((pod) => !named.includes(pod)),
  );
  const away = await prepare(editor, "taint", "worker-2", "burn:NoExecute-");
  await editor.request(ApplyChange, { id: away.change.id });
});

test("a node that was made anew under its name is another node", async () => {
  const editor = await open();
  const cordon = await prepare(editor, "cordon", "worker-1");
  const { api } = cluster.controlPlane;
  const old = await nodeOf("worker-1");
  await api.delete("/api/v1/nodes/worker-1");
  const {
    uid: _uid,
    resourceVersion: _version,
    managedFields: _fields,
    creationTimestamp: _time,
    ...metadata
  } = old.metadata;
  await api.create("/api/v1/nodes", { apiVersion: "v1", kind: "Node", metadata });
  expect(await editor.request(ApplyChange, { id: cordon.change.id })).toMatchObject({
    kind: "refused",
    message: expect.stringContaining("it was replaced by another object of this name"),
  });
  expect((await nodeOf("worker-1")).spec.unschedulable).toBeUndefined();
});

test("a prepared change does not outlive its context, nor the setting", async () => {
  const editor = await open();
  const first = await prepare(editor, "cordon", "rdma-1");
  await editor.changeSettings(settingsOf(ON_CALL.name, false));
  await untilKind(editor, "off");
  expect(await editor.request(ApplyChange, { id: first.change.id })).toMatchObject({
    kind: "refused",
    message: expect.stringContaining("taintwise.cluster.allowChanges"),
  });
  await editor.changeSettings(settingsOf(ON_CALL.name, true));
  await untilKind(editor, "ready");
  const second = await prepare(editor, "cordon", "rdma-1");
  await editor.changeSettings({ cluster: { allowChanges: true } });
  await untilKind(editor, "refused");
  expect(await editor.request(ApplyChange, { id: second.change.id })).toMatchObject({
    kind: "refused",
    message: "The context test is not in use any more: nothing was changed.",
  });
  expect((await nodeOf("rdma-1")).spec).toMatchObject({ taints: [{ key: TAINT.split("=")[0] }] });
  expect((await nodeOf("rdma-1")).spec.unschedulable).toBeUndefined();
});
