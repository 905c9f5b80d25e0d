// A small check report, made by hand, for tests of the output formats.

import { emptyModel } from "../../server/src/cluster/empty.ts";
import type { Diagnostic } from "../../server/src/features/diagnostic.ts";
import type { CheckReport } from "../../server/src/report/check-report.ts";
import { problemsOf } from "../../server/src/report/problem.ts";

/** The manifest that the diagnostics stand in; the second line holds a character of two UTF-16 units. */
export const TEXT = 'kind: DaemonSet\nname: "🙂" # nothing\n\tspec: {a: 1}\n';

const base: Diagnostic = {
  code: "toleration-gap",
  severity: "warning",
  span: { start: TEXT.indexOf("name"), end: TEXT.indexOf(" #") },
  message: "DaemonSet/kube-system/plugin: 2 of 5 nodes, 40%\nare blocked, see dedicated=rdma:NoSchedule",
  workload: { kind: "DaemonSet", namespace: "kube-system", name: "plugin" },
  taints: ["dedicated=rdma:NoSchedule"],
  nodes: ["rdma-1", "rdma-2"],
  cluster: "prod",
  related: [],
  tags: [],
  fixes: [
    {
      title: "Add toleration dedicated=rdma:NoSchedule",
      kind: "suggested",
      preferred: true,
      edits: [{ span: { start: TEXT.length, end: TEXT.length }, newText: "tolerations: []\n" }],
    },
  ],
};

/** Three problems in one file whose path needs escaping, and what limits the answer. */
export function sampleReport(): CheckReport {
  const diagnostics: readonly Diagnostic[] = [
    base,
    {
      ...base,
      code: "yaml-problem",
      severity: "error",
      span: { start: TEXT.indexOf("spec"), end: TEXT.length },
      message: "A tab indents a line.",
      workload: null,
      taints: [],
      nodes: [],
      cluster: null,
      fixes: [],
    },
    { ...base, code: "toleration-unmatched", severity: "hint", span: { start: 0, end: 4 }, message: "No taint." },
  ];
  return {
    files: 3,
    clusters: [emptyModel("prod", "file")],
    problems: problemsOf("a dir/x,y.yaml", TEXT, diagnostics),
    notes: ["prod: pods are not in the file: which pods run, and so time bombs, are unknown."],
  };
}
