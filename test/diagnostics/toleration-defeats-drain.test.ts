// `toleration-defeats-drain`: replacements that go back to the cordoned node.
import { describe, expect, it } from "vitest";
import { check, fixed, workload } from "../support/annotated.ts";
import { diagnose } from "../support/judge.ts";

describe("toleration-defeats-drain", () => {
  it("warns of Deployments and StatefulSets that tolerate a cordon", () => {
    check(
      workload(
        "StatefulSet",
        `
        tolerations:
        - {key: node.kubernetes.io/unschedulable, operator: Exists, effect: NoSchedule}
        #       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning toleration-defeats-drain: the StatefulSet's replacement pod goes straight back
        - {operator: Exists, effect: NoExecute}
        #            ^^^^^^ information toleration-blanket
        - {key: a, operator: Exists}
        `,
      ),
    );
  });

  it("is normal in a DaemonSet, and a hint while nothing runs", () => {
    expect(diagnose(workload("DaemonSet", "tolerations: [{operator: Exists}]", "csi-node"))).toEqual([]);
    const idle = workload("Deployment", "tolerations: [{operator: Exists}]").replace(
      "spec:\n",
      "spec:\n  replicas: 0\n",
    );
    const found = diagnose(idle).map(({ severity, code }) => `${severity} ${code}`);
    expect(found).toContain("hint toleration-defeats-drain");
  });

  it("takes the toleration out", () => {
    const before = workload(
      "Deployment",
      "tolerations:\n- {key: a, operator: Exists}\n- {key: node.kubernetes.io/unschedulable, operator: Exists}",
    );
    const after = workload("Deployment", "tolerations:\n- {key: a, operator: Exists}");
    expect(fixed(before, "toleration-defeats-drain", "Remove the toleration of cordoned nodes")).toBe(after);
  });
});
