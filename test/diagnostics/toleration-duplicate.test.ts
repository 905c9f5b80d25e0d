// `toleration-duplicate`: twice the same, or what the controller adds anyway.
import { describe, expect, it } from "vitest";
import { check, fixed, fixesAt, workload } from "../support/annotated.ts";

describe("toleration-duplicate", () => {
  it("hints at exact repetition only", () => {
    check(
      workload(
        "Deployment",
        `
        tolerations:
        - {key: a, operator: Exists}
        - {key: cp, operator: Exists, effect: NoSchedule}
        - {key: a, operator: Exists}
        # ^^^^^^^^^^^^^^^^^^^^^^^^^^ hint toleration-duplicate: a Exists is listed twice; the first one counts.
        - {key: cp, operator: Equal, value: "", effect: NoSchedule}
        - {key: cp, effect: NoSchedule}
        `,
      ),
    );
  });

  it("hints at what the DaemonSet controller adds, network-unavailable only with hostNetwork", () => {
    check(
      workload(
        "DaemonSet",
        `
        tolerations:
        - {key: node.kubernetes.io/not-ready, operator: Exists, effect: NoExecute}
        # ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint toleration-duplicate: adds node.kubernetes.io/not-ready:NoExecute Exists to every pod
        - {key: node.kubernetes.io/not-ready, operator: Exists, effect: NoSchedule}
        - {key: node.kubernetes.io/network-unavailable, operator: Exists, effect: NoSchedule}
        `,
      ),
    );
    check(
      workload(
        "Deployment",
        `
        tolerations:
        - {key: node.kubernetes.io/not-ready, operator: Exists, effect: NoExecute}
        `,
      ),
    );
  });

  it("removes the later one as a safe fix, comments of others kept", () => {
    const before = workload(
      "Deployment",
      "tolerations:\n- key: a # first\n  operator: Exists\n# second\n- key: b\n  operator: Exists\n- key: a\n  operator: Exists",
    );
    const after = workload(
      "Deployment",
      "tolerations:\n- key: a # first\n  operator: Exists\n# second\n- key: b\n  operator: Exists",
    );
    expect(fixed(before, "toleration-duplicate", "Remove the duplicate toleration")).toBe(after);
    expect(fixesAt(before, "toleration-duplicate").fixes.map((fix) => fix.kind)).toEqual(["safe"]);
  });

  it("leaves the choice where the seconds differ", () => {
    const text = workload(
      "Deployment",
      `
      tolerations:
      - {key: a, operator: Exists, effect: NoExecute, tolerationSeconds: 30}
      - {key: a, operator: Exists, effect: NoExecute}
      `,
    );
    expect(fixesAt(text, "toleration-duplicate").fixes).toEqual([]);
  });
});
