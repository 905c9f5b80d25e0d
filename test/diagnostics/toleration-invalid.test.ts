// `toleration-invalid`: the API server's refusals, in its words, and the corrections that are clear.
import { describe, expect, it } from "vitest";
import { check, fixed, fixesAt, workload } from "../support/annotated.ts";

describe("toleration-invalid", () => {
  it("quotes the server for each rule and marks the field", () => {
    check(
      workload(
        "Deployment",
        `
        tolerations:
        - effect: NoSchedule
        #         ^^^^^^^^^^ error toleration-invalid: operator must be Exists when \`key\` is empty
        - key: gpu
          operator: Exists
          value: a100
          #      ^^^^ error toleration-invalid: spec.template.spec.tolerations[1].operator: Invalid value: "a100": value must be empty when \`operator\` is 'Exists'
        - key: gpu
          operator: In
          #         ^^ error toleration-invalid: Unsupported value: "In": supported values: "Equal", "Exists"
        - key: gpu
          effect: Nope
          #       ^^^^ error toleration-invalid: Unsupported value: "Nope": supported values: "NoSchedule", "PreferNoSchedule", "NoExecute"
        - key: a/b/c
        #      ^^^^^ error toleration-invalid: a valid label key
          effect: NoSchedule
        - key: gpu
          value: "bad value!"
          #      ^^^^^^^^^^^^ error toleration-invalid: a valid label must be an empty string or consist of
        - key: gpu
          effect: NoSchedule
          tolerationSeconds: 0
          #                  ^ error toleration-invalid: effect must be 'NoExecute' when \`tolerationSeconds\` is set
        `,
      ),
    );
  });

  it("accepts what the server accepts", () => {
    check(
      workload(
        "Deployment",
        `
        tolerations:
        - {key: gpu, effect: NoSchedule}
        - {key: gpu, operator: Exists, value: null}
        - {key: gpu, operator: Equal, value: "", effect: NoExecute, tolerationSeconds: -5}
        - {key: example.com/GPU.x_y-z, operator: "", value: 0x1F0z}
        `,
      ),
    );
  });

  it("says when a StatefulSet is refused only later", () => {
    check(
      workload(
        "StatefulSet",
        `
        tolerations:
        - {key: gpu, effect: NoSchedule, tolerationSeconds: 5}
        #                                                   ^ error toleration-invalid: Servers before 1.34 store the StatefulSet
        `,
      ),
    );
  });

  it("knows that Lt and Gt hang on a feature gate", () => {
    check(
      workload(
        "Deployment",
        `
        tolerations:
        - {key: sla, operator: Gt, value: "950", effect: NoSchedule}
        #                      ^^ error toleration-invalid: need the feature gate TaintTolerationComparisonOperators
        `,
      ),
    );
  });

  it("refuses a mapping where the list stands", () => {
    check(
      workload(
        "DaemonSet",
        `
        tolerations: {key: stage, operator: Exists}
        #            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error toleration-invalid: tolerations must be a list; this is a mapping
        `,
      ),
    );
  });

  it("refuses an item that is no mapping", () => {
    check(
      workload(
        "DaemonSet",
        `
        tolerations:
        - stage
        # ^^^^^ error toleration-invalid: spec.template.spec.tolerations[0] must be a mapping; this is text
        `,
      ),
    );
  });
});

describe("the fixes of toleration-invalid", () => {
  const one = (item: string): string => workload("Deployment", `tolerations:\n- ${item}`);
  it.each([
    ["{key: gpu, effect: NO_SCHEDULE}", "Change the effect to NoSchedule", "{key: gpu, effect: NoSchedule}"],
    ["{key: gpu, effect: noexecute}", "Change the effect to NoExecute", "{key: gpu, effect: NoExecute}"],
    ["{key: gpu, operator: exists}", "Change the operator to Exists", "{key: gpu, operator: Exists}"],
    ["{key: gpu, operator: Equals, value: x}", "Change the operator to Equal", "{key: gpu, operator: Equal, value: x}"],
    [
      "{key: gpu, operator: Exists, value: x}",
      "Remove the value: Exists tolerates any value",
      "{key: gpu, operator: Exists}",
    ],
    [
      "{key: gpu, operator: Exists, value: x}",
      "Change the operator to Equal, to tolerate only this value",
      "{key: gpu, operator: Equal, value: x}",
    ],
    [
      "{key: gpu, effect: NoSchedule, tolerationSeconds: 0}",
      "Remove tolerationSeconds: only NoExecute has a limit in time",
      "{key: gpu, effect: NoSchedule}",
    ],
    [`{key: gpu, value: "\\"true\\""}`, "Remove the quote characters from the value", `{key: gpu, value: "true"}`],
    [`{key: "gpu ", value: x}`, "Remove the blanks around the key", `{key: "gpu", value: x}`],
  ])("%s → %s", (before, title, after) => {
    expect(fixed(one(before), "toleration-invalid", title)).toBe(one(after));
  });

  it("prefer a correction only where it is the only one", () => {
    const preferred = (item: string) => {
      const { fixes } = fixesAt(one(item), "toleration-invalid");
      return fixes.map((fix) => fix.preferred);
    };
    expect(preferred("{key: gpu, effect: NO_SCHEDULE}")).toEqual([true]);
    expect(preferred("{key: gpu, operator: Exists, value: x}")).toEqual([false, false]);
  });

  it("offer nothing where the meaning is open", () => {
    expect(fixesAt(one("{effect: NoSchedule}"), "toleration-invalid").fixes).toEqual([]);
    expect(fixesAt(one("{key: gpu, operator: In}"), "toleration-invalid").fixes).toEqual([]);
    expect(fixesAt(one("{key: a/b/c, operator: Exists}"), "toleration-invalid").fixes).toEqual([]);
  });

  it("wrap a mapping, in flow and in block form", () => {
    const title = "Make it a list with this one toleration";
    const flow = workload("DaemonSet", "tolerations: {key: a, operator: Exists}");
    expect(fixed(flow, "toleration-invalid", title)).toBe(
      workload("DaemonSet", "tolerations: [{key: a, operator: Exists}]"),
    );
    const block = workload("DaemonSet", "tolerations:\n  key: a # why\n  operator: Exists");
    expect(fixed(block, "toleration-invalid", title)).toBe(
      workload("DaemonSet", "tolerations:\n  - key: a # why\n    operator: Exists"),
    );
  });
});
