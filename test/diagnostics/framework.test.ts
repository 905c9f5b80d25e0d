// What settings, comments and circumstances make of diagnostics, whatever their code.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { RULES } from "../../server/src/features/diagnostics/rules.ts";
import { DIAGNOSTIC_CODES } from "../../shared/src/codes.ts";
import { workload } from "../support/annotated.ts";
import { configOf, diagnose } from "../support/judge.ts";
import { POOLS } from "./cluster.ts";

const TEXT = workload("DaemonSet", "tolerations: [{key: a, effect: X}]");

describe("every diagnostic", () => {
  it("takes its severity from the editor, else from the workspace file, and can be off", () => {
    const config = configOf("severity: {toleration-invalid: hint}");
    const severities = (options: object) => diagnose(TEXT, { config, options }).map(({ severity }) => severity);
    expect(severities({})).toEqual(["hint"]);
    expect(severities({ severity: { "toleration-invalid": "warning" } })).toEqual(["warning"]);
    expect(severities({ severity: { "toleration-invalid": "off" } })).toEqual([]);
  });

  it("is silenced by a comment in the document's head or above the line", () => {
    expect(diagnose(`# taintwise-ignore: toleration-invalid\n${TEXT}`)).toEqual([]);
    expect(
      diagnose(TEXT.replace("      tolerations", "      # taintwise-ignore: toleration-invalid\n      tolerations")),
    ).toEqual([]);
    expect(diagnose(`# taintwise-ignore: toleration-gap\n${TEXT}`)).toHaveLength(1);
  });

  it("is left out of excluded files", () => {
    const config = configOf("exclude: [vendor/**]");
    expect(diagnose(TEXT, { config, path: "vendor/a.yaml" })).toEqual([]);
    expect(diagnose(TEXT, { config, path: "a.yaml" })).toHaveLength(1);
  });

  it("carries the age of its cluster where the caller tells it", () => {
    const options = { ageNotes: new Map([["pools", "(seen 3 days ago)"]]) };
    const [found] = diagnose(workload("DaemonSet", "hostPID: false", "csi-node"), { clusters: [POOLS], options });
    expect(found?.message).toMatch(/\(seen 3 days ago\)$/);
    expect(found?.cluster).toBe("pools");
  });

  it("comes in text order, the same each time", () => {
    const text = workload("DaemonSet", "tolerations: [{key: a, effect: X}, {operator: Exists}, {key: b, value: true}]");
    const once = diagnose(text, { clusters: [POOLS] });
    expect(diagnose(text, { clusters: [POOLS] })).toEqual(once);
    expect(once.map(({ span }) => span.start)).toEqual(once.map(({ span }) => span.start).toSorted((a, b) => a - b));
  });

  it("keeps its words in templates that a script can gather", async () => {
    for (const folder of ["server/src/features/diagnostics", "server/src/features/fixes"]) {
      for (const name of readdirSync(folder)) {
        const module: Readonly<Record<string, unknown>> = await import(
          /* @vite-ignore */ pathToFileURL(`${folder}/${name}`).href
        );
        for (const [key, template] of Object.entries(module.messages ?? {})) {
          expect(template, `${name} ${key}`).toMatch(/^(?:[^{}]|\{\w+\})+$/);
        }
      }
    }
  });

  it("has one rule and one page per code", () => {
    const codes = RULES.map((rule) => rule.code);
    expect(new Set(codes).size).toBe(codes.length);
    for (const code of DIAGNOSTIC_CODES) {
      expect(existsSync(`docs/diagnostics/${code}.md`), code).toBe(true);
      expect(readFileSync("docs/diagnostics/README.md", "utf8")).toContain(`(${code}.md)`);
      if (code !== "template-drift") expect(codes).toContain(code);
    }
  });
});
