// The explorer's reports and checks as people read them. A change of wording shows here, to be read and accepted.
import { describe, expect, it } from "vitest";
import { coverageMatrix } from "../../server/src/explorer/matrix.ts";
import { beforeChangeReport } from "../../server/src/explorer/reports/before-change.ts";
import { compareReport } from "../../server/src/explorer/reports/compare.ts";
import { explorerReport } from "../../server/src/explorer/reports/explorer-report.ts";
import { checksFor } from "../../server/src/explorer/reports/kubectl.ts";
import { onNodeChecklist } from "../../server/src/explorer/reports/on-node-checklist.ts";
import { recoveryReport } from "../../server/src/explorer/reports/recovery.ts";
import { triageReport } from "../../server/src/explorer/reports/triage-report.ts";
import { fixFor, workloadOf } from "../../server/src/explorer/reports/workload-fix.ts";
import { ExplorerViews } from "../../server/src/explorer/view.ts";
import type { RowTarget } from "../../shared/src/explorer.ts";
import { before, cluster, node, now, sick } from "./example.ts";
import { allRows, judged, treeText } from "./tree.ts";

const golden = (name: string, text: string) => expect(text).toMatchFileSnapshot(`./golden/example-${name}.txt`);

describe("the example", () => {
  it("as a tree, with an earlier snapshot", () =>
    golden("tree", treeText(allRows(new ExplorerViews([cluster]), "nodes"))));
  it("triage of a node, step by step", () =>
    golden(
      "triage",
      triageReport(cluster, node, () => ({ kind: "not asked", why: "off" })),
    ));
  it("ordered recovery", () => golden("recovery", recoveryReport(cluster, sick)));
  it("before a change", () => golden("before-change", beforeChangeReport(cluster, sick)));
  it("on the node", () => golden("on-node", onNodeChecklist(cluster, sick)));
  it("compared with the snapshot before", () =>
    golden(
      "compare",
      compareReport(
        before,
        now,
        cluster.facts.platform.map(({ key }) => key),
      ),
    ));
  it("checks to type", () =>
    golden(
      "checks",
      checksFor(cluster, node)
        .map(({ title, command }) => `${title}\n    ${command}\n`)
        .join(""),
    ));
  it("the coverage matrix", () => {
    const matrix = coverageMatrix(cluster, {
      row: "none",
      taint: { key: "dedicated", value: "web", effect: "NoSchedule" },
    });
    const lines = matrix.rows.flatMap((row) => [
      `## ${row.name} (${row.nodes})${row.whatIf ? " what if" : ""}`,
      ...row.cells.map(
        (cell, index) => `- ${matrix.columns[index]?.name}: ${cell.state} ${cell.nodes}, ${cell.reason}`,
      ),
    ]);
    return golden("matrix", `${lines.join("\n")}\n`);
  });
});

describe("commands", () => {
  it("quote what a shell would read", () => {
    const [first] = checksFor(cluster, { ...node, name: "a; rm -rf $HOME" });
    expect(first?.command).toBe("kubectl --context 'prod'\\''s cluster' describe node 'a; rm -rf $HOME'");
  });
  it("name no context where the cluster was read from a file", () => {
    const [first] = checksFor(judged(now), node);
    expect(first?.command).toBe(`kubectl describe node ${sick}`);
  });
});

describe("the fix of a workload", () => {
  const target = (name: string) =>
    cluster.facts.daemonSets
      .filter((daemonSet) => daemonSet.name === name)
      .map((daemonSet) => ({ ...node, kind: "DaemonSet", namespace: daemonSet.namespace, name }))[0]!;
  it("tests the list and appends to it", () => {
    const blocked = cluster.facts.daemonSets.find((daemonSet) => {
      const workload = workloadOf(cluster, target(daemonSet.name));
      return workload !== null && fixFor(cluster, workload).patch !== null;
    });
    const workload = workloadOf(cluster, target(blocked?.name ?? ""));
    if (workload === null) throw new Error("nothing of the example can be patched");
    const patch = JSON.parse(fixFor(cluster, workload).patch?.json ?? "[]");
    const steps = patch.map(({ op, path }: { op: string; path: string }) => `${op} ${path}`);
    const list = "/spec/template/spec/tolerations";
    const added = workload.template.tolerations.length === 0 ? `add ${list}` : `add ${list}/-`;
    expect(steps).toEqual([`test ${list}`, ...steps.slice(1).map(() => added)]);
  });
  it("of an owned object is the owner's", () => {
    const daemonSet = cluster.facts.daemonSets.find(({ workload }) => fixFor(cluster, workload).patch !== null);
    if (daemonSet === undefined) throw new Error("nothing of the example can be patched");
    const owner = { apiVersion: "x.io/v1", kind: "Agent", name: "main", uid: "u" };
    const owned = judged({
      ...now,
      workloads: now.workloads.map((one) => (one === daemonSet.workload ? { ...one, controller: owner } : one)),
    });
    const workload = workloadOf(owned, target(daemonSet.name));
    if (workload === null) throw new Error("it is gone");
    const fix = fixFor(owned, workload);
    expect(fix.patch).toBeNull();
    expect(fix.owner).toBe("Agent main");
    expect(fix.advice).toContain("would revert an edit");
  });
});

describe("before a change", () => {
  it("names who would not live with a taint that nobody knows yet, on a node where all is well", () => {
    const text = beforeChangeReport(cluster, "worker-1");
    const [, checks = ""] = /A tick means[^\n]*\n\n([\s\S]*?)- \[.\] \*\*No NoExecute/.exec(text) ?? [];
    expect(checks).toBe(
      [
        "- [x] **Every platform pod comes back after a drain, a rollout or a new node of its pool (no taints, 2 nodes)**",
        "- [ ] **A taint with a new key would keep no platform pod away**",
        "  - with NoSchedule these run on, until they are deleted or rolled out: `monitoring/log-agent` (log agent), `monitoring/node-exporter` (exporter), `storage/files-csi-node` (CSI node driver)",
        "  - with NoExecute these are removed at once: `monitoring/log-agent` (log agent), `monitoring/node-exporter` (exporter), `storage/files-csi-node` (CSI node driver)",
        "",
      ].join("\n"),
    );
  });
});

describe("compared with a snapshot", () => {
  const answer = (target: RowTarget | null) =>
    explorerReport("compare", [cluster], target, () => ({ kind: "not asked", why: "off" }));
  const text = (target: RowTarget | null): string => {
    const told = answer(target);
    return told.kind === "report" ? told.report.markdown : told.reason;
  };
  const nodes = (markdown: string) => [...markdown.matchAll(/^### `(.+)`$/gm)].map(([, name]) => name);
  it("a node is compared alone, the cluster whole", () => {
    expect(nodes(text(node))).toEqual([sick]);
    expect(nodes(text(null))).toContain(sick);
    expect(nodes(text(null)).length).toBeGreaterThan(1);
  });
  it("a condition that nobody writes any more is told", () => {
    const home = before.nodes.get(sick);
    const [first] = home?.conditions ?? [];
    if (home === undefined || first === undefined) throw new Error("it is gone");
    const earlier = {
      ...home,
      conditions: [...home.conditions, { ...first, type: "KernelDeadlock", status: "False" }],
    };
    const baseline = { ...before, nodes: new Map([...before.nodes, [sick, earlier]]) };
    expect(compareReport(baseline, now, [], [sick])).toContain("- condition `KernelDeadlock` is gone; it was False");
  });
});

it("triage of a pod that waits is about the nodes that it waits for", () => {
  const [waiting] = now.pods.filter((pod) => pod.phase === "Pending" && pod.spec.nodeName === "");
  if (waiting === undefined) throw new Error("no pod of the example waits");
  const target = { ...node, kind: "Pod", namespace: waiting.namespace, name: waiting.name, node: null };
  const report = triageReport(cluster, target, () => ({ kind: "not asked", why: "off" }));
  expect(report).toContain(`The investigation of \`${sick}\``);
});
