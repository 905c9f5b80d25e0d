// Fixes composed for a whole file, and diagnostics silenced or declared as expected.
import { describe, expect, it } from "vitest";
import { addExpected } from "../../server/src/config/add-expected.ts";
import { fixAll } from "../../server/src/features/fixes/compose.ts";
import { expectedFix, silenceDocumentFix, silenceFix } from "../../server/src/features/fixes/silence.ts";
import { workload } from "../support/annotated.ts";
import { applyEdits, configOf, diagnose } from "../support/judge.ts";
import { POOLS } from "./cluster.ts";

const judging = { clusters: [POOLS] };

describe("fix all", () => {
  it("applies safe fixes only, all at once", () => {
    const before = workload(
      "Deployment",
      `
      nodeSelector: {gpu: yes}
      tolerations:
      - {key: a, value: true, effect: NO_SCHEDULE}
      - {key: b, operator: Exists}
      - {key: b, operator: Exists}
      `,
    );
    expect(applyEdits(before, fixAll(diagnose(before)))).toBe(
      workload(
        "Deployment",
        `
        nodeSelector: {gpu: "yes"}
        tolerations:
        - {key: a, value: "true", effect: NO_SCHEDULE}
        - {key: b, operator: Exists}
        `,
      ),
    );
  });
});

describe("silencing", () => {
  const text = `# head\n${workload("DaemonSet", "hostPID: false", "csi-node")}`;
  const [gap] = diagnose(text, judging);

  it("writes a comment that silences it, above the line or for the document", () => {
    if (gap === undefined) throw new Error("no gap");
    const here = silenceFix(text, gap.span.start, gap.code);
    const whole = silenceDocumentFix(text, text.indexOf("apiVersion"), gap.code);
    const fixes = [here, whole].filter((fix) => fix !== null);
    expect(fixes.map((fix) => fix.title)).toEqual([
      "Silence toleration-gap here",
      "Silence toleration-gap in this document",
    ]);
    for (const fix of fixes) expect(diagnose(applyEdits(text, fix.edits), judging)).toEqual([]);
    expect(silenceFix('{"kind": "DaemonSet"}', 5, gap.code)).toBeNull();
  });

  it("writes an entry of the workspace file that makes it information", () => {
    if (gap === undefined) throw new Error("no gap");
    for (const before of ["", "# ours\n", "severity: {toleration-blanket: off}\n", "expected:\n  - role: exporter\n"]) {
      const fix = expectedFix(gap, before);
      const config = configOf(applyEdits(before, fix?.edits ?? []));
      expect(
        diagnose(text, { ...judging, config }).map(({ severity }) => severity),
        before,
      ).toEqual(["information"]);
    }
  });

  it("leaves a workspace file alone that it cannot read", () => {
    expect(addExpected("expected: [\n", { workload: "a", taint: null, reason: "" })).toBeNull();
    expect(addExpected("expected: yes\n", { workload: "a", taint: null, reason: "" })).toBeNull();
  });
});
