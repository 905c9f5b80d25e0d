// `yaml-problem`: documents that matter and cannot be read as written.
import { describe, expect, it } from "vitest";
import { workload } from "../support/annotated.ts";
import { diagnose } from "../support/judge.ts";

const problems = (text: string, options = {}) =>
  diagnose(text, { options })
    .filter(({ code }) => code === "yaml-problem")
    .map(({ span, message }) => `${text.slice(0, span.start).split("\n").length}: ${message.split(".")[0]}`);

describe("yaml-problem", () => {
  it("tells a key written twice, an unknown anchor and broken syntax, each at its line", () => {
    expect(problems(workload("DaemonSet", "tolerations: []\nhostPID: true\ntolerations: []"))).toMatchInlineSnapshot(`
      [
        "11: The key "tolerations" stands twice in this mapping: Kubernetes takes the last one, strict validation refuses both",
      ]
    `);
    expect(problems(workload("DaemonSet", "tolerations: *nowhere"))).toMatchInlineSnapshot(`
      [
        "9: Unknown anchor "nowhere": no &nowhere stands above it in this document (anchors end at ---)",
      ]
    `);
    expect(problems(workload("DaemonSet", "tolerations: [{key: a"))).toMatchInlineSnapshot(`
      [
        "10: A comma or } is expected here",
      ]
    `);
  });

  it("bounds an alias bomb", () => {
    const levels = Array.from(
      { length: 12 },
      (_, index) => `l${index + 1}: &l${index + 1} [${Array(10).fill(`*l${index}`).join(", ")}]`,
    );
    const bomb = workload("DaemonSet", `l0: &l0 [x]\n${levels.join("\n")}`);
    const found = diagnose(bomb);
    expect(found.map(({ code }) => code)).toEqual(["yaml-problem"]);
    expect(found[0]?.message).toContain("unfolds to too many nodes; Kubernetes refuses such a document");
  });

  it("leaves the other documents judged", () => {
    const text = `${workload("DaemonSet", "tolerations: *nowhere")}---\n${workload("DaemonSet", "tolerations: [{key: a, effect: X}]", "other")}`;
    expect(diagnose(text).map(({ code, workload: ref }) => [code, ref?.name ?? null])).toEqual([
      ["yaml-problem", null],
      ["toleration-invalid", "other"],
    ]);
  });

  it("is silent about what is not Kubernetes, templates, and merge keys that are overridden", () => {
    expect(problems("a: [1\nb: 2\n")).toEqual([]);
    expect(problems(workload("DaemonSet", "tolerations: {{ toYaml .Values.tolerations }}"))).toEqual([]);
    expect(
      problems(
        workload(
          "DaemonSet",
          "tolerations:\n- &t {key: a, operator: Exists, effect: NoSchedule}\n- {<<: *t, effect: NoExecute}",
        ),
      ),
    ).toEqual([]);
  });

  it("does not repeat what the editor's YAML extension says", () => {
    const text = workload("DaemonSet", "tolerations: [{key: a");
    expect(problems(text, { yamlErrorsShown: true })).toEqual([]);
    expect(problems(workload("DaemonSet", "tolerations: []\ntolerations: []"), { yamlErrorsShown: true }).length).toBe(
      1,
    );
  });
});
