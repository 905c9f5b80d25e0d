// Whether and whom "Run Triage" asks on behalf of a report: only live clusters, only with the setting, only the nodes
// that the report investigates.
import { expect, test } from "vitest";
import { CancellationTokenSource } from "vscode-languageserver";
import { readClusterFiles } from "../../server/src/cluster/file/cluster-reader.ts";
import type { OnNodeQuestions, OnNodeReading } from "../../server/src/cluster/on-node.ts";
import { Cancelled } from "../../server/src/lsp/boundary.ts";
import { askOnNode } from "../../server/src/lsp/explorer/on-node.ts";
import { ExplorerReport, ExplorerRows } from "../../shared/src/explorer.ts";
import { judged } from "../explorer/tree.ts";
import { startEditor, until } from "./editor.ts";
import { agent, CLUSTER } from "./fixtures.ts";

const { model } = readClusterFiles([{ path: "c.yaml", bytes: new TextEncoder().encode(CLUSTER), named: true }], {
  name: "c",
  now: Date.parse("2026-03-02T10:00:00Z"),
});
const access = { context: "prod", kubeconfig: null };
const live = judged({ ...model, origin: "live" }, { access });
const row = (kind: string, namespace: string | null, name: string) => ({
  cluster: "c",
  kind,
  namespace,
  name,
  node: null,
});
const refused = { kind: "not allowed", reason: "No." } as const;
const NO: OnNodeReading = { stats: refused, kubelet: refused, runtime: null };
const never = new CancellationTokenSource().token;

test("a file is not asked, whatever the setting says", async () => {
  const editor = await startEditor({
    files: { "cluster.yaml": CLUSTER, "agent.yaml": agent("agent") },
    settings: { cluster: { file: "cluster.yaml", nodeProxy: true } },
  });
  const options = { grouping: "flat", poolLabel: "", filter: "", onlyProblems: false } as const;
  const target = await until(
    async () =>
      (await editor.request(ExplorerRows, { view: "nodes", parent: null, limit: 10, options })).rows[0]?.target ??
      undefined,
    () => editor.log.join("\n"),
  );
  const answer = await editor.request(ExplorerReport, { report: "triage", target, path: null });
  const markdown = answer.kind === "report" ? answer.report.markdown : answer.reason;
  expect(markdown).toContain("The cluster was read from a file: there is no kubelet to ask.");
});

test("a live cluster is not asked where the setting is off", async () => {
  const onNode = await askOnNode(live, row("Node", null, "fast-1"), null, never);
  expect(onNode("fast-1")).toEqual({ kind: "not asked", why: "off" });
});

test("only the nodes of the report are asked", async () => {
  const asked: string[] = [];
  const ask = async ({ node }: OnNodeQuestions) => {
    asked.push(node);
    return NO;
  };
  const onNode = await askOnNode(live, row("Node", null, "fast-1"), ask, never);
  expect(asked).toEqual(["fast-1"]);
  expect(onNode("fast-1")).toEqual({ kind: "read", reading: NO });
});

test("a cluster that nobody follows any more is a failure, not an answer", async () => {
  const onNode = await askOnNode(live, row("Node", null, "fast-1"), () => Promise.resolve(null), never);
  expect(onNode("fast-1")).toMatchObject({
    reading: { stats: { kind: "failed", reason: "The cluster is not followed just now." } },
  });
});

test("a connection that goes away in between is told in its steps, and the report is there", async () => {
  const gone = () => Promise.reject(new Error("the context prod is not followed now"));
  const onNode = await askOnNode(live, row("Node", null, "fast-1"), gone, never);
  expect(onNode("fast-1")).toMatchObject({
    reading: { kubelet: { kind: "failed", reason: "the context prod is not followed now." } },
  });
});

test("a report that nobody waits for is left, and the kubelet with it", async () => {
  const source = new CancellationTokenSource();
  const report = askOnNode(
    live,
    row("Node", null, "fast-1"),
    (_questions, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason));
        source.cancel();
      }),
    source.token,
  );
  await expect(report).rejects.toBeInstanceOf(Cancelled);
});
