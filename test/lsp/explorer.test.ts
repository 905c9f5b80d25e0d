// The explorer over a real connection: rows from memory, changes that are told, reports and fixes about a row.
import { expect, test } from "vitest";
import {
  CoverageMatrix,
  ExplorerChanged,
  ExplorerChecks,
  ExplorerReport,
  type ExplorerRow,
  ExplorerRows,
  type ExplorerSummary,
  WorkloadFix,
} from "../../shared/src/explorer.ts";
import { type Editor, startEditor, until } from "./editor.ts";
import { agent, CLUSTER, OPEN_CLUSTER } from "./fixtures.ts";

const SETTINGS = { cluster: { file: "cluster.yaml" } };
const OPTIONS = { grouping: "flat", poolLabel: "", filter: "", onlyProblems: false } as const;

async function rows(editor: Editor, view: "nodes" | "workloads", parent: string | null = null) {
  return editor.request(ExplorerRows, { view, parent, limit: 500, options: OPTIONS });
}

/** The view's rows once the nodes are judged. */
function settledRows(editor: Editor, view: "nodes" | "workloads"): Promise<readonly ExplorerRow[]> {
  return until(
    async () => {
      const answer = await rows(editor, view);
      return answer.rows.length > 0 && !answer.judging ? answer.rows : undefined;
    },
    () => "the nodes were not judged",
  );
}

const start = () =>
  startEditor({ files: { "cluster.yaml": CLUSTER, "deploy/agent.yaml": agent("agent") }, settings: SETTINGS });

test("nodes come from memory, and open", async () => {
  const editor = await start();
  const [worst, ...others] = await settledRows(editor, "nodes");
  expect(worst?.label).toBe("fast-1");
  expect(others.map(({ label }) => label)).toEqual(["worker-1", "worker-2"]);
  const sections = await rows(editor, "nodes", worst?.id);
  expect(sections.rows.map(({ label }) => label)).toContain("Taints");
});

test("a change of the cluster is told, and the rows keep their ids", async () => {
  const editor = await start();
  const told: ExplorerSummary[] = [];
  editor.connection.onNotification(ExplorerChanged.method, (summary: ExplorerSummary) => {
    told.push(summary);
  });
  const before = await settledRows(editor, "nodes");
  const seen = told.length;
  editor.write("cluster.yaml", OPEN_CLUSTER);
  editor.touched("cluster.yaml");
  await until(
    () => (told.length > seen ? true : undefined),
    () => "no change was told",
  );
  const after = await until(
    async () => {
      const now = await settledRows(editor, "nodes");
      const sections = await rows(editor, "nodes", before[0]?.id);
      return sections.rows.some(({ label }) => label === "Taints") ? undefined : now;
    },
    () => "the taint stayed",
  );
  expect(after.map(({ id }) => id).sort()).toEqual(before.map(({ id }) => id).sort());
});

test("a report, checks and a fix are about the row that was clicked", async () => {
  const editor = await start();
  const [node] = await settledRows(editor, "nodes");
  if (!node?.target) throw new Error("a node has a target");
  const report = await editor.request(ExplorerReport, { report: "triage", target: node.target, path: null });
  expect(report).toMatchObject({ kind: "report", report: { title: "Triage: fast-1" } });
  const checks = await editor.request(ExplorerChecks, node.target);
  expect(checks[0]?.command).toBe("kubectl describe node fast-1");
  const target = { ...node.target, kind: "DaemonSet", namespace: "monitoring", name: "agent" };
  const fix = await until(
    async () => {
      const answer = await editor.request(WorkloadFix, target);
      return answer !== null && answer.files.length > 0 ? answer : undefined;
    },
    () => "the manifest was not found",
  );
  expect(fix.files.map(({ label }) => label)).toEqual(["deploy/agent.yaml:3"]);
  expect(await editor.request(WorkloadFix, { ...target, name: "gone" })).toBeNull();
});

test("a snapshot to compare with must be of this cluster", async () => {
  const editor = await start();
  editor.write("before.yaml", OPEN_CLUSTER);
  editor.write("other.yaml", CLUSTER.replaceAll("worker-", "w").replaceAll("fast-", "f"));
  await settledRows(editor, "nodes");
  const compare = (path: string | null) => editor.request(ExplorerReport, { report: "compare", target: null, path });
  expect(await compare(null)).toMatchObject({ kind: "none" });
  expect(await compare(`${editor.root}/other.yaml`)).toMatchObject({
    kind: "none",
    reason: expect.stringContaining("another cluster"),
  });
  const report = await compare(`${editor.root}/before.yaml`);
  expect(report.kind === "report" ? report.report.markdown : "").toContain("taint added: `dedicated=rdma:NoSchedule`");
});

test("a what-if that cannot be read says why, and leaves the matrix as it is", async () => {
  const editor = await start();
  await settledRows(editor, "nodes");
  const plain = await editor.request(CoverageMatrix, { cluster: null, whatIf: null });
  const asked = await editor.request(CoverageMatrix, { cluster: null, whatIf: { row: "none", taint: "a b" } });
  expect(asked?.problem).not.toBe("");
  expect(asked?.rows).toEqual(plain?.rows);
  const gone = { row: "dedicated=nobody:NoSchedule", taint: "a=b:NoSchedule" };
  expect(await editor.request(CoverageMatrix, { cluster: null, whatIf: gone })).toMatchObject({
    problem: expect.stringContaining("not there any more"),
  });
});
