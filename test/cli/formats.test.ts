// What the formats look like, and that they keep the rules of those who read them.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import Ajv from "ajv-draft-04";
import addFormats from "ajv-formats";
import { describe, expect, it } from "vitest";
import { checkJson } from "../../server/src/report/check-json.ts";
import { checkMarkdown } from "../../server/src/report/check-markdown.ts";
import { problemText, summaryText } from "../../server/src/report/check-text.ts";
import { githubLines } from "../../server/src/report/github.ts";
import { PLAIN } from "../../server/src/report/paint.ts";
import { sarifText } from "../../server/src/report/sarif.ts";
import { taintwise } from "./command.ts";
import { sampleReport, TEXT } from "./reports.ts";

const asNamed = (path: string): string => path;

/** The part of a SARIF result that the tests look at. */
interface SarifResultText {
  readonly ruleId: string;
  readonly locations: readonly [
    {
      readonly logicalLocations: readonly { readonly fullyQualifiedName: string }[];
      readonly physicalLocation?: { readonly artifactLocation: { readonly uri: string } };
    },
  ];
}

/** Validates against the schema of SARIF 2.1.0 and gives the complaints. */
function sarifErrors(text: string): unknown {
  const path = createRequire(import.meta.url).resolve("@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json");
  const ajv = new Ajv.default({ strict: false, allErrors: true, unicodeRegExp: false });
  addFormats.default(ajv as never);
  const validate = ajv.compile(JSON.parse(readFileSync(path, "utf8")));
  validate(JSON.parse(text));
  return validate.errors;
}

describe("text", () => {
  it("shows place, severity, code and message, the line with carets, and the fix", () => {
    const report = sampleReport();
    const [first, second, third] = report.problems.map((problem) => problemText(problem, PLAIN, true));
    expect(first).toBe(
      "a dir/x,y.yaml:1:1: hint toleration-unmatched: No taint. [DaemonSet/kube-system/plugin on prod]\n" +
        "  1 | kind: DaemonSet\n" +
        "    | ^^^^\n" +
        "    = fix: Add toleration dedicated=rdma:NoSchedule\n\n",
    );
    expect(second).toContain('  2 | name: "🙂" # nothing\n    | ^^^^^^^^^\n');
    expect(third).toContain("a dir/x,y.yaml:3:2: error yaml-problem: A tab indents a line.\n");
    expect(third).toContain("  3 | \tspec: {a: 1}\n    | \t^^^^^^^^^^^^\n");
    expect(summaryText(report, PLAIN)).toBe(
      "1 error, 1 warning, 1 hint in 1 of 3 files, judged against prod (nodes unknown, time of observation unknown).\n" +
        "Can be fixed: 2 by taintwise fix --code toleration-unmatched,toleration-gap (--dry-run shows how).\n",
    );
  });

  it("cuts a line of a hundred kilobytes around the place, and shows no control characters", () => {
    const [problem] = sampleReport().problems;
    const line = `${" ".repeat(50_000)}name: \u001b[31mred${"x".repeat(50_000)}`;
    const range = { start: { line: 0, character: 50_000 }, end: { line: 0, character: 50_004 } };
    const shown = problemText({ ...problem!, line, range }, PLAIN, false).split("\n");
    expect(shown[1]).toMatch(/^ {2}1 \| … {40}name: \ufffd\[31mredx+…$/);
    expect(shown[2]).toBe(`    | ${" ".repeat(41)}^^^^`);
  });
});

describe("json", () => {
  it("has 0-based UTF-16 positions and the fixes' edits", () => {
    const report = checkJson(sampleReport());
    expect(report.diagnostics[1]).toEqual({
      path: "a dir/x,y.yaml",
      range: { start: { line: 1, character: 0 }, end: { line: 1, character: 10 } },
      severity: "warning",
      code: "toleration-gap",
      message: "DaemonSet/kube-system/plugin: 2 of 5 nodes, 40%\nare blocked, see dedicated=rdma:NoSchedule",
      cluster: "prod",
      workload: { kind: "DaemonSet", namespace: "kube-system", name: "plugin" },
      taints: ["dedicated=rdma:NoSchedule"],
      nodes: { count: 2, names: ["rdma-1", "rdma-2"] },
      fixes: [
        {
          title: "Add toleration dedicated=rdma:NoSchedule",
          kind: "suggested",
          preferred: true,
          edits: [
            {
              range: { start: { line: 3, character: 0 }, end: { line: 3, character: 0 } },
              newText: "tolerations: []\n",
            },
          ],
        },
      ],
    });
    expect(TEXT.split("\n")).toHaveLength(4);
  });

  it("lists twenty nodes and counts all", () => {
    const report = sampleReport();
    const nodes = Array.from({ length: 300 }, (_, index) => `n${index}`);
    const problems = report.problems.map((problem) => ({ ...problem, diagnostic: { ...problem.diagnostic, nodes } }));
    const [first] = checkJson({ ...report, problems }).diagnostics;
    expect(first?.nodes.count).toBe(300);
    expect(first?.nodes.names).toEqual(nodes.slice(0, 20));
  });
});

describe("sarif", () => {
  it("is valid SARIF 2.1.0, with and without problems", () => {
    const report = sampleReport();
    expect(sarifErrors(sarifText(report, asNamed))).toBeNull();
    expect(sarifErrors(sarifText({ ...report, problems: [], notes: [], clusters: [] }, asNamed))).toBeNull();
  });

  it("is valid for a triage too, with the nodes and pods as logical locations", () => {
    const { stdout } = taintwise(["triage", "--cluster", "shared-cause.yaml", "--format", "sarif"]);
    expect(sarifErrors(stdout)).toBeNull();
    const [{ results }] = JSON.parse(stdout).runs;
    const places = results.map(
      ({ ruleId, locations: [{ logicalLocations, physicalLocation }] }: SarifResultText) =>
        `${ruleId} ${logicalLocations[0]?.fullyQualifiedName} ${physicalLocation?.artifactLocation.uri}`,
    );
    expect(places).toEqual([
      "platform-pod-missing Node/w2 shared-cause.yaml",
      "platform-pod-missing Node/w3 shared-cause.yaml",
      "pod-pending Pod/shop/db-0 undefined",
    ]);
  });

  it("counts from 1 and writes paths as URIs", () => {
    const log = JSON.parse(sarifText(sampleReport(), asNamed));
    expect(log.runs[0].results[1].locations[0].physicalLocation).toEqual({
      artifactLocation: { uri: "a%20dir/x%2Cy.yaml" },
      region: { startLine: 2, startColumn: 1, endLine: 2, endColumn: 11 },
    });
    const absolute = JSON.parse(sarifText(sampleReport(), () => "/tmp/x.yaml"));
    expect(absolute.runs[0].results[0].locations[0].physicalLocation.artifactLocation.uri).toBe("file:///tmp/x.yaml");
  });

  it("tells what limits the answer", () => {
    const log = JSON.parse(sarifText(sampleReport(), asNamed));
    expect(log.runs[0].invocations[0].toolExecutionNotifications).toEqual([
      {
        level: "note",
        message: { text: "prod: pods are not in the file: which pods run, and so time bombs, are unknown." },
      },
    ]);
  });
});

describe("github", () => {
  it("writes one escaped workflow command for each problem and note", () => {
    expect(githubLines(sampleReport(), asNamed).split("\n")).toEqual([
      "::notice file=a dir/x%2Cy.yaml,line=1,col=1,endLine=1,endColumn=5,title=taintwise toleration-unmatched::No taint.",
      "::warning file=a dir/x%2Cy.yaml,line=2,col=1,endLine=2,endColumn=11,title=taintwise toleration-gap::DaemonSet/kube-system/plugin: 2 of 5 nodes, 40%25%0Aare blocked, see dedicated=rdma:NoSchedule",
      "::error file=a dir/x%2Cy.yaml,line=3,endLine=4,title=taintwise yaml-problem::A tab indents a line.",
      "::notice title=taintwise::prod: pods are not in the file: which pods run, and so time bombs, are unknown.",
      "",
    ]);
  });
});

describe("markdown", () => {
  it("is a table in which nothing of the texts is markup", () => {
    expect(checkMarkdown(sampleReport()).split("\n")).toEqual([
      "### Taintwise: 1 error, 1 warning, 1 hint in 3 files",
      "",
      "Judged against prod (nodes unknown, time of observation unknown).",
      "",
      "> prod: pods are not in the file: which pods run, and so time bombs, are unknown.",
      "",
      "| severity | place | workload | code | what | nodes | fix |",
      "| --- | --- | --- | --- | --- | --- | --- |",
      "| hint | `a dir/x,y.yaml:1` | `DaemonSet/kube-system/plugin` | `toleration-unmatched` | No taint. | rdma-1, rdma-2 | Add toleration dedicated=rdma:NoSchedule |",
      "| warning | `a dir/x,y.yaml:2` | `DaemonSet/kube-system/plugin` | `toleration-gap` | DaemonSet/kube-system/plugin: 2 of 5 nodes, 40% are blocked, see dedicated=rdma:NoSchedule | rdma-1, rdma-2 | Add toleration dedicated=rdma:NoSchedule |",
      "| error | `a dir/x,y.yaml:3` |  | `yaml-problem` | A tab indents a line. |  |  |",
      "",
    ]);
  });
});
