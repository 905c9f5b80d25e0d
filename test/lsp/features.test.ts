// Hover, completion, lenses, hints, outline, definition, references and workspace symbols over a real connection.

import { expect, test } from "vitest";
import type {
  CodeLens,
  CompletionItem,
  DocumentSymbol,
  Hover,
  InlayHint,
  Location,
  WorkspaceSymbol,
} from "vscode-languageserver/node";
import { ClientCommand } from "../../shared/src/protocol.ts";
import { type Editor, type EditorOptions, pathIn, startEditor, until } from "./editor.ts";
import { agent, CLUSTER, RDMA } from "./fixtures.ts";

async function withCluster(options: EditorOptions = {}): Promise<Editor> {
  const editor = await startEditor({
    files: { "cluster.yaml": CLUSTER },
    settings: { cluster: { file: "cluster.yaml" } },
    ...options,
  });
  editor.open("known.yaml", agent("known"));
  await editor.pushedWhen("known.yaml", (found) => found.length > 0);
  return editor;
}

async function hoverOn(editor: Editor, path: string, text: string): Promise<string> {
  const found = await editor.ask<Hover | null>("hover", path, editor.inside(path, text));
  const contents = found?.contents;
  return typeof contents === "object" && "value" in contents ? contents.value : "";
}

test("hover tells of a workload, a toleration, a selector, a device and an expression what the cluster knows", async () => {
  const editor = await withCluster();
  const expression =
    "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [{key: pool, operator: In, values: [fast]}]}]}}}";
  const text = agent("logger", [RDMA])
    .replace("      nodeSelector", `      ${expression}\n      nodeSelector`)
    .replace("image: agent", 'image: agent\n        resources: {limits: {rdma/hca: "1"}}');
  editor.open("agent.yaml", text);
  expect(await hoverOn(editor, "agent.yaml", "logger")).toMatch(/log agent.*\n\n.*runs on 1 of 3 nodes/);
  expect(await hoverOn(editor, "agent.yaml", "dedicated")).toMatch(/`dedicated=rdma:NoSchedule` on 1 node: `fast-1`/);
  expect(await hoverOn(editor, "agent.yaml", "kubernetes.io/os")).toMatch(/3 nodes of `cluster`/);
  expect(await hoverOn(editor, "agent.yaml", "rdma/hca")).toMatch(/`fast-1`: 4 allocatable of 4/);
  expect(await hoverOn(editor, "agent.yaml", "In, values")).toMatch(/1 node of `cluster`: `fast-1`/);
  expect(await hoverOn(editor, "agent.yaml", "tolerations:")).toMatch(/The DaemonSet controller adds to every pod/);
  expect(await hoverOn(editor, "agent.yaml", "apiVersion")).toBe("");
});

test("hover says so where no cluster is chosen", async () => {
  const editor = await startEditor();
  editor.open("agent.yaml", agent("logger", [RDMA]));
  expect(await hoverOn(editor, "agent.yaml", "dedicated")).toMatch(/No cluster is chosen/);
});

async function completed(editor: Editor, marked: string): Promise<readonly CompletionItem[]> {
  const offset = marked.indexOf("$0");
  editor.open("typed.yaml", marked.replace("$0", ""));
  const position = editor.document("typed.yaml").positionAt(offset);
  return editor.ask("completion", "typed.yaml", { position });
}

/** The text after the item was taken. */
function taken(editor: Editor, item: CompletionItem | undefined): string {
  if (item?.textEdit === undefined || !("range" in item.textEdit)) throw new Error("no edit");
  const { range, newText } = item.textEdit;
  const document = editor.document("typed.yaml");
  const text = document.getText();
  return text.slice(0, document.offsetAt(range.start)) + newText + text.slice(document.offsetAt(range.end));
}

test("completion writes a whole toleration of the cluster's taint, in block and in flow", async () => {
  const editor = await withCluster();
  const block = agent("logger").replace("      nodeSelector", "      tolerations:\n      - $0\n      nodeSelector");
  const [item] = await completed(editor, block);
  expect(item).toMatchObject({ label: "dedicated=rdma:NoSchedule", detail: "tolerate it · 1 node" });
  expect(taken(editor, item)).toContain(
    "      tolerations:\n      - key: dedicated\n        operator: Equal\n        value: rdma\n        effect: NoSchedule\n",
  );
  editor.close("typed.yaml");
  const flow = agent("logger").replace("      nodeSelector", "      tolerations: [$0]\n      nodeSelector");
  const [inFlow] = await completed(editor, flow);
  expect(taken(editor, inFlow)).toContain(`tolerations: [${RDMA}]`);
});

test("completion knows keys, values, effects, labels and devices; what is tolerated already is not offered whole", async () => {
  const editor = await withCluster();
  const labels = async (marked: string): Promise<readonly string[]> => {
    const items = await completed(editor, marked);
    editor.close("typed.yaml");
    return items.map(({ label }) => label);
  };
  expect(await labels(agent("a", ["{key: $0}"]))).toContain("dedicated");
  expect(await labels(agent("a", ["{key: dedicated, value: $0}"]))).toContain("rdma");
  expect((await labels(agent("a", ["{key: dedicated, effect: $0}"])))[0]).toBe("NoSchedule");
  expect(await labels(agent("a", [RDMA, "$0"]))).toEqual([]);
  const selector = agent("a").replace("{kubernetes.io/os: linux}", "\n        $0");
  expect(await labels(selector)).toContain("pool");
  expect(await labels(agent("a").replace("{kubernetes.io/os: linux}", "\n        pool: $0"))).toEqual([
    "general",
    "fast",
  ]);
  const device = agent("a").replace(
    "image: agent",
    "image: agent\n        resources:\n          limits:\n            $0",
  );
  expect(await labels(device)).toContain("rdma/hca");
});

test("without a cluster a snippet stands in, for clients that take snippets", async () => {
  const editor = await startEditor();
  const marked = agent("logger").replace("      nodeSelector", "      tolerations:\n      - $0\n      nodeSelector");
  const [item] = await completed(editor, marked);
  expect(item).toMatchObject({ label: "toleration", insertTextFormat: 2 });
});

test("a lens stands over each workload, and explains it where the client can", async () => {
  const editor = await withCluster({ options: { trusted: true, cluster: null, commands: [ClientCommand.explain] } });
  editor.open("two.yaml", `${agent("one")}---\n${agent("two", [RDMA])}`);
  const lenses = await editor.ask<CodeLens[]>("codeLens", "two.yaml");
  expect(lenses.map(({ range, command }) => [range.start.line, command?.title, command?.command])).toEqual([
    [2, "runs on 2 of 3 nodes · 1 blocked by dedicated=rdma:NoSchedule", ClientCommand.explain],
    [17, "runs on all 3 nodes", ClientCommand.explain],
  ]);
  await editor.changeSettings({ cluster: { file: "cluster.yaml" }, codeLens: { enabled: false } });
  await until(
    async () => ((await editor.ask<CodeLens[]>("codeLens", "two.yaml")).length === 0 ? true : undefined),
    () => "lenses",
  );
});

test("inlay hints are off until they are wanted", async () => {
  const editor = await withCluster();
  const range = { start: { line: 0, character: 0 }, end: { line: 99, character: 0 } };
  expect(await editor.ask("inlayHint", "known.yaml", { range })).toEqual([]);
  await editor.changeSettings({ inlayHints: { impliedTolerations: true } });
  const [hint] = await until(
    async () => {
      const found = await editor.ask<InlayHint[]>("inlayHint", "known.yaml", { range });
      return found.length > 0 ? found : undefined;
    },
    () => "no hints",
  );
  expect(hint?.label).toMatch(/^ \+ \d+ implied$/);
});

test("the outline has workloads, their tolerations and selectors", async () => {
  const editor = await withCluster();
  editor.open("two.yaml", agent("one", [RDMA]));
  const [workload] = await editor.ask<DocumentSymbol[]>("documentSymbol", "two.yaml");
  expect(workload?.name).toBe("DaemonSet/monitoring/one");
  expect(workload?.children?.map(({ name, detail }) => [name, detail])).toEqual([
    ["dedicated=rdma:NoSchedule", "toleration"],
    ["kubernetes.io/os=linux", "node selector"],
  ]);
});

test("the definition of a toleration is the taint in the cluster file", async () => {
  const editor = await withCluster();
  editor.open("agent.yaml", agent("logger", [RDMA]));
  const found = await editor.ask<Location[]>("definition", "agent.yaml", editor.inside("agent.yaml", "dedicated"));
  editor.open("cluster.yaml", CLUSTER);
  expect(found).toEqual([
    {
      uri: editor.uri("cluster.yaml"),
      range: editor.rangeOf("cluster.yaml", "{key: dedicated, value: rdma, effect: NoSchedule}"),
    },
  ]);
});

test("references lead from a toleration, a taint or a node to the workloads they concern, open or not", async () => {
  const editor = await withCluster({
    files: {
      "cluster.yaml": CLUSTER,
      "blocked.yaml": agent("blocked"),
      "tolerant.yaml": agent("tolerant", [RDMA]),
      "elsewhere.yaml": agent("elsewhere").replace("{kubernetes.io/os: linux}", "{pool: general}"),
    },
  });
  await editor.pushedWhen("blocked.yaml", (found) => found.length > 0);
  const of = async (path: string, text: string): Promise<readonly string[]> => {
    const context = { includeDeclaration: true };
    const found = await editor.ask<Location[]>("references", path, { ...editor.inside(path, text), context });
    return found.map(({ uri, range }) => `${pathIn(editor, uri)}:${range.start.line + 1}`).sort();
  };
  editor.open("cluster.yaml", CLUSTER);
  const byTaint = ["blocked.yaml:3", "known.yaml:3", "tolerant.yaml:10"];
  expect(await of("cluster.yaml", "{key: dedicated")).toEqual(byTaint);
  expect(await of("cluster.yaml", "fast-1, labels")).toEqual(["blocked.yaml:3", "known.yaml:3", "tolerant.yaml:3"]);
  expect(await of("cluster.yaml", "worker-1, labels")).toContain("elsewhere.yaml:3");
  editor.open("tolerant.yaml", agent("tolerant", [RDMA]));
  expect(await of("tolerant.yaml", "dedicated")).toEqual(byTaint);
  expect(await of("tolerant.yaml", "apiVersion")).toEqual([]);
});

test("workspace symbols find workloads by their letters, in files that are not open too", async () => {
  const editor = await withCluster({ files: { "cluster.yaml": CLUSTER, "closed.yaml": agent("closed-one") } });
  await editor.pushedWhen("closed.yaml", (found) => found.length > 0);
  const names = async (query: string): Promise<readonly string[]> =>
    (await editor.connection.sendRequest<WorkspaceSymbol[]>("workspace/symbol", { query })).map(({ name }) => name);
  expect(await names("clone")).toEqual(["DaemonSet/monitoring/closed-one"]);
  expect(await names("known")).toEqual(["DaemonSet/monitoring/known"]);
});
