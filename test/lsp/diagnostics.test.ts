// Diagnostics over a real connection: what is told, when, and to whom.
import { expect, test } from "vitest";
import { GetClusterState, SelectCluster } from "../../shared/src/protocol.ts";
import { brief, startEditor, until } from "./editor.ts";
import { agent, CLUSTER, OPEN_CLUSTER, RDMA } from "./fixtures.ts";

const SETTINGS = { cluster: { file: "cluster.yaml" } };
const codes = (diagnostics: readonly { readonly code?: unknown }[]) => diagnostics.map(({ code }) => code);

test("an open document gets its gap, with page, source and the taint's own place in the cluster file", async () => {
  const editor = await startEditor({ files: { "cluster.yaml": CLUSTER }, settings: SETTINGS });
  editor.open("agent.yaml", agent("logger"));
  const [gap] = await editor.pushedWhen("agent.yaml", (found) => found.length > 0);
  expect(gap).toMatchObject({
    source: "taintwise",
    code: "toleration-gap",
    severity: 2,
    range: editor.rangeOf("agent.yaml", "logger"),
  });
  expect(gap?.codeDescription?.href).toMatch(/docs\/diagnostics\/toleration-gap\.md$/);
  editor.open("cluster.yaml", CLUSTER);
  expect(gap?.relatedInformation).toEqual([
    {
      location: {
        uri: editor.uri("cluster.yaml"),
        range: editor.rangeOf("cluster.yaml", "{key: dedicated, value: rdma, effect: NoSchedule}"),
      },
      message: "fast-1 has the taint dedicated=rdma:NoSchedule.",
    },
  ]);
});

test("typing removes it, and the version is the one it was judged at", async () => {
  const editor = await startEditor({ files: { "cluster.yaml": CLUSTER }, settings: SETTINGS });
  editor.open("agent.yaml", agent("logger"));
  await editor.pushedWhen("agent.yaml", (found) => found.length > 0);
  editor.change("agent.yaml", agent("logger", [RDMA]));
  await editor.pushedWhen("agent.yaml", (found) => found.length === 0);
  expect(editor.pushes.at(-1)?.version).toBe(2);
});

test("a client that pulls is never pushed to, and is told when to ask again", async () => {
  const editor = await startEditor({ files: { "cluster.yaml": CLUSTER }, settings: SETTINGS, mode: "pull" });
  editor.open("agent.yaml", agent("logger"));
  await until(
    async () => (codes(await editor.pulled("agent.yaml")).includes("toleration-gap") ? true : undefined),
    () => "no gap",
  );
  const asked = editor.requested.length;
  await editor.request(SelectCluster, { choice: { kind: "none" } });
  await until(
    () => (editor.requested.length > asked ? true : undefined),
    () => editor.requested.join(),
  );
  expect(codes(await editor.pulled("agent.yaml"))).toEqual([]);
  expect(editor.pushes).toEqual([]);
  expect(editor.requested).toContain("workspace/diagnostic/refresh");
  expect(editor.requested).toContain("workspace/codeLens/refresh");
});

test("an unchanged document is answered by its mark alone", async () => {
  const editor = await startEditor({ mode: "pull" });
  editor.open("agent.yaml", agent("logger", ["{key: a, operator: Exist}"]));
  const report = await editor.pull("agent.yaml");
  expect(report.kind).toBe("full");
  expect(await editor.pull("agent.yaml", report.resultId)).toEqual({ kind: "unchanged", resultId: report.resultId });
  editor.change("agent.yaml", agent("logger"));
  expect(await editor.pull("agent.yaml", report.resultId)).toMatchObject({ kind: "full", items: [] });
});

test("files that are not open are checked in the background, and told once per file", async () => {
  const editor = await startEditor({
    files: { "cluster.yaml": CLUSTER, "a/one.yaml": agent("one"), "two.yaml": agent("two", [RDMA]) },
    settings: SETTINGS,
  });
  await editor.pushedWhen("a/one.yaml", (found) => codes(found).includes("toleration-gap"));
  expect(editor.pushed("two.yaml") ?? []).toEqual([]);
  expect(editor.pushed("cluster.yaml") ?? []).toEqual([]);
});

test("a workspace pull gives files of the disk, and waits when nothing changed", async () => {
  const editor = await startEditor({
    files: { "cluster.yaml": CLUSTER, "one.yaml": agent("one"), "two.yaml": agent("two") },
    settings: SETTINGS,
    mode: "pull",
  });
  editor.open("two.yaml", agent("two"));
  const seen = new Map<string, { resultId?: string; codes: unknown[] }>();
  const ask = () =>
    editor.connection.sendRequest<{
      readonly items: readonly { uri: string; resultId?: string; items?: { code?: unknown }[] }[];
    }>("workspace/diagnostic", {
      previousResultIds: [...seen].flatMap(([uri, { resultId }]) =>
        resultId === undefined ? [] : [{ uri, value: resultId }],
      ),
    });
  await until(
    async () => {
      for (const { uri, resultId, items } of (await ask()).items) {
        seen.set(uri, { codes: codes(items ?? []), ...(resultId === undefined ? {} : { resultId }) });
      }
      return seen.get(editor.uri("one.yaml"))?.codes.includes("toleration-gap") ? true : undefined;
    },
    () => JSON.stringify([...seen]),
  );
  // The open document is left to its own pull, so that nothing is shown twice.
  expect([...seen.keys()]).not.toContain(editor.uri("two.yaml"));
  const waiting = ask();
  editor.write("one.yaml", agent("one", [RDMA]));
  editor.touched("one.yaml");
  expect((await waiting).items).toMatchObject([{ uri: editor.uri("one.yaml"), items: [] }]);
});

test("another cluster changes what is told, without an edit; so does the cluster file on the disk", async () => {
  const editor = await startEditor({
    files: { "cluster.yaml": CLUSTER, "open.yaml": OPEN_CLUSTER },
    settings: SETTINGS,
  });
  editor.open("agent.yaml", agent("logger"));
  await editor.pushedWhen("agent.yaml", (found) => found.length > 0);
  const state = await editor.request(SelectCluster, { choice: { kind: "file", path: `${editor.root}/open.yaml` } });
  expect(state).toMatchObject({ choice: { kind: "file" }, problems: [], clusters: [{ origin: "file", nodes: 3 }] });
  await editor.pushedWhen("agent.yaml", (found) => found.length === 0);
  editor.write("open.yaml", CLUSTER);
  editor.touched("open.yaml");
  await editor.pushedWhen("agent.yaml", (found) => found.length > 0);
});

test("a cluster file that cannot be used is a problem of the state, not of the manifests", async () => {
  const editor = await startEditor({ settings: { cluster: { file: "gone.yaml" } } });
  editor.open("agent.yaml", agent("logger"));
  await editor.pushedWhen("agent.yaml");
  const state = await until(
    async () => {
      const now = await editor.request(GetClusterState, {});
      return now.problems.length > 0 ? now : undefined;
    },
    () => "no problem",
  );
  expect(state.clusters).toEqual([]);
  expect(state.problems[0]).toMatch(/gone\.yaml/);
  expect(editor.pushed("agent.yaml")).toEqual([]);
});

test("settings take effect at once: severity, exclude, maxProblems", async () => {
  const editor = await startEditor({ files: { "cluster.yaml": CLUSTER }, settings: SETTINGS });
  editor.open("agent.yaml", agent("logger", ["{key: a, operator: Exist}", "{key: b, operator: Exist}"]));
  await editor.pushedWhen("agent.yaml", (found) => codes(found).includes("toleration-gap"));
  await editor.changeSettings({ ...SETTINGS, severity: { "toleration-gap": "error", "toleration-invalid": "off" } });
  const graver = await editor.pushedWhen("agent.yaml", (found) => !codes(found).includes("toleration-invalid"));
  expect(graver.find(({ code }) => code === "toleration-gap")?.severity).toBe(1);
  await editor.changeSettings({ ...SETTINGS, maxProblems: 1 });
  const few = await editor.pushedWhen("agent.yaml", (found) => found.length === 2);
  expect(few[1]?.message).toBe("2 more problems are not shown (taintwise.maxProblems: 1).");
  await editor.changeSettings({ ...SETTINGS, exclude: ["agent.*"] });
  await editor.pushedWhen("agent.yaml", (found) => found.length === 0);
});

test("an old model names its age in each message that rests on it", async () => {
  const observed = Date.parse("2026-03-01T00:00:00Z");
  const cluster = CLUSTER.replace("kind: List", "kind: List\n# observed").replace(
    "metadata: {name: worker-1,",
    "metadata: {name: worker-1, creationTimestamp: 2026-03-01T00:00:00Z,",
  );
  const editor = await startEditor({
    files: { "cluster.yaml": cluster },
    settings: { ...SETTINGS, staleAfter: 60 },
    now: () => observed + 3 * 3_600_000,
  });
  editor.open("agent.yaml", agent("logger"));
  const [gap] = await editor.pushedWhen("agent.yaml", (found) => found.length > 0);
  expect(gap?.message).toMatch(/\(cluster as it was 3 hours ago\)$/);
});

test("run onSave: nothing is judged while typing", async () => {
  const editor = await startEditor({ files: { "cluster.yaml": CLUSTER }, settings: { ...SETTINGS, run: "onSave" } });
  editor.open("agent.yaml", agent("logger"));
  await editor.pushedWhen("agent.yaml", (found) => found.length > 0);
  const before = editor.pushes.length;
  editor.change("agent.yaml", agent("logger", [RDMA]));
  await editor.ask("hover", "agent.yaml", editor.inside("agent.yaml", "logger"));
  expect(editor.pushes.slice(before).filter(({ uri }) => uri === editor.uri("agent.yaml"))).toEqual([]);
  editor.save("agent.yaml");
  await editor.pushedWhen("agent.yaml", (found) => found.length === 0);
});

test("taintwise.yaml: its own problems stand in it, and what it says counts when it is saved", async () => {
  const editor = await startEditor({
    files: { "cluster.yaml": CLUSTER, "taintwise.yaml": "clusters:\n- {name: prod, file: cluster.yaml}\nexclud: []\n" },
  });
  const [problem] = await editor.pushedWhen("taintwise.yaml", (found) => found.length > 0);
  expect(problem).toMatchObject({ source: "taintwise", range: { start: { line: 2 } } });
  editor.open("agent.yaml", agent("logger"));
  await editor.pushedWhen("agent.yaml", (found) => codes(found).includes("toleration-gap"));
  editor.open("taintwise.yaml", "clusters:\n- {name: prod, file: cluster.yaml}\nexclude: [agent.yaml]\n");
  await editor.pushedWhen("taintwise.yaml", (found) => found.length === 0);
  editor.save("taintwise.yaml");
  editor.touched("taintwise.yaml");
  await editor.pushedWhen("agent.yaml", (found) => found.length === 0);
});

test("what is written is what a fresh check says", async () => {
  const editor = await startEditor({ files: { "cluster.yaml": CLUSTER }, settings: SETTINGS });
  const text = [agent("one"), agent("two", [RDMA]), agent("three", ["{key: x, operator: Exist}"])].join("---\n");
  editor.open("all.yaml", text);
  const found = await editor.pushedWhen("all.yaml", (all) => codes(all).includes("toleration-gap"));
  expect(found.map(brief)).toEqual([
    "3:18 warning toleration-gap",
    "35:18 warning toleration-gap",
    "42:28 error toleration-invalid",
  ]);
});
