// `toleration-eviction`: loops of placing and evicting, and seconds that are lost.
import { describe, expect, it } from "vitest";
import { check, fixed, workload } from "../support/annotated.ts";
import { clusterOf, diagnose } from "../support/judge.ts";

const LOOP = clusterOf(`
apiVersion: v1
kind: Node
metadata: {name: n1}
spec: {taints: [{key: foo, effect: NoExecute}]}
`);

describe("toleration-eviction", () => {
  it("informs that a DaemonSet's seconds are overwritten, without any cluster", () => {
    check(
      workload(
        "DaemonSet",
        `
        tolerations:
        - key: node.kubernetes.io/unreachable
          operator: Exists
          effect: NoExecute
          tolerationSeconds: 30
          #                  ^^ information toleration-eviction: the 30 s have no effect
        - {key: node.kubernetes.io/not-ready, operator: Exists, tolerationSeconds: 30, effect: NoExecute}
        #                                                                          ^^ information toleration-eviction
        `,
      ),
    );
  });

  it("warns of the loop, for DaemonSets too", () => {
    for (const kind of ["Deployment", "DaemonSet"]) {
      check(
        workload(
          kind,
          `
          tolerations:
          - {key: foo, operator: Exists, effect: NoExecute, tolerationSeconds: 30}
          #                                                                    ^^ warning toleration-eviction: Pods are placed on 1 node (n1) with foo:NoExecute, evicted after 30 s, and placed there again
          `,
        ),
        { clusters: [LOOP] },
      );
    }
  });

  it("is silent where a NoSchedule twin keeps new pods away, where another toleration comes first, and for bare pods", () => {
    const twin = clusterOf(
      "apiVersion: v1\nkind: Node\nmetadata: {name: n}\nspec: {taints: [{key: foo, effect: NoExecute}, {key: foo, effect: NoSchedule}]}\n",
    );
    const finite = "{key: foo, operator: Exists, effect: NoExecute, tolerationSeconds: 30}";
    const codes = (text: string, clusters = [LOOP]) => diagnose(text, { clusters }).map(({ code }) => code);
    expect(codes(workload("Deployment", `tolerations: [${finite}]`), [twin])).not.toContain("toleration-eviction");
    expect(codes(workload("Deployment", `tolerations: [{key: foo, operator: Exists}, ${finite}]`))).toEqual([]);
    const pod = `apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {tolerations: [${finite}], containers: [{name: c, image: i}]}\n`;
    expect(codes(pod)).toEqual([]);
  });

  it("takes the limit away, or the overwritten entry", () => {
    const loop = workload(
      "Deployment",
      "tolerations:\n- key: foo\n  operator: Exists\n  effect: NoExecute\n  tolerationSeconds: 30",
    );
    expect(fixed(loop, "toleration-eviction", "Tolerate it without a limit", { clusters: [LOOP] })).toBe(
      workload("Deployment", "tolerations:\n- key: foo\n  operator: Exists\n  effect: NoExecute"),
    );
    const lost = workload(
      "DaemonSet",
      "tolerations:\n- {key: a, operator: Exists}\n- {key: node.kubernetes.io/not-ready, operator: Exists, effect: NoExecute, tolerationSeconds: 5}",
    );
    expect(fixed(lost, "toleration-eviction", "Remove it: the controller adds the endless one")).toBe(
      workload("DaemonSet", "tolerations:\n- {key: a, operator: Exists}"),
    );
  });
});
