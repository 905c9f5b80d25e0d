// Settings: read once from anything, and the same in package.json as in the code.
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DIAGNOSTIC_CODES } from "../../shared/src/codes.ts";
import { SETTING_DEFINITIONS, type SettingDefinition } from "../../shared/src/settings.ts";
import { DEFAULT_SETTINGS, readSettings } from "../../shared/src/settings-reader.ts";

const manifest = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
const contributed: Readonly<Record<string, Record<string, unknown>>> = Object.assign(
  {},
  ...manifest.contributes.configuration.map((group: { properties: object }) => group.properties),
);

/** A definition as package.json writes it. */
function schemaOf(definition: SettingDefinition): Record<string, unknown> {
  switch (definition.type) {
    case "boolean":
    case "string":
      return { type: definition.type, default: definition.default };
    case "choice":
      return { type: "string", enum: definition.choices, default: definition.default };
    case "integer":
      return { type: "integer", minimum: definition.minimum, maximum: definition.maximum, default: definition.default };
    case "strings":
      return { type: "array", items: { type: "string" }, uniqueItems: true, default: definition.default };
  }
}

describe("package.json", () => {
  it("contributes exactly the settings that the code reads", () => {
    expect(Object.keys(contributed).sort()).toEqual(
      Object.keys(SETTING_DEFINITIONS)
        .map((key) => `taintwise.${key}`)
        .sort(),
    );
  });

  for (const [key, definition] of Object.entries(SETTING_DEFINITIONS)) {
    it(`types and defaults taintwise.${key} as the code does`, () => {
      const { scope, markdownDescription, ...schema } = contributed[`taintwise.${key}`]!;
      expect(schema).toEqual(schemaOf(definition));
      expect(["resource", "window", "machine"]).toContain(scope);
      expect(markdownDescription).toBe(`%setting.${key}%`);
    });
  }

  it("lets the severity of every code be set", () => {
    for (const code of DIAGNOSTIC_CODES) expect(contributed).toHaveProperty([`taintwise.severity.${code}`]);
  });

  it("keeps an untrusted workspace from naming clusters", () => {
    expect(manifest.capabilities.untrustedWorkspaces).toMatchObject({
      supported: "limited",
      restrictedConfigurations: ["file", "context", "kubeconfig", "extraPath"].map((key) => `taintwise.cluster.${key}`),
    });
  });
});

describe("readSettings", () => {
  it("reads the nested form that VS Code sends", () => {
    const { settings, problems } = readSettings({
      run: "onSave",
      cluster: { file: "prod.yaml" },
      severity: { "toleration-gap": "error", unschedulable: "off", "template-drift": "default" },
      codeLens: { enabled: false },
    });
    expect(problems).toEqual([]);
    expect(settings).toEqual({
      ...DEFAULT_SETTINGS,
      run: "onSave",
      cluster: { ...DEFAULT_SETTINGS.cluster, file: "prod.yaml" },
      severity: { "toleration-gap": "error", unschedulable: "off" },
      codeLens: { enabled: false },
    });
  });

  it("reads the flat form that people write for other editors", () => {
    const { settings } = readSettings({ "cluster.file": "prod.yaml", "severity.toleration-gap": "hint" });
    expect(settings.cluster.file).toBe("prod.yaml");
    expect(settings.severity).toEqual({ "toleration-gap": "hint" });
  });

  it("reports a bad value with its key and uses the default", () => {
    const { settings, problems } = readSettings({ maxProblems: 0, run: "always", exclude: "*.yaml" });
    expect(settings).toEqual(DEFAULT_SETTINGS);
    expect(problems).toEqual([
      { key: "taintwise.run", message: 'Expected one of onType, onSave, found "always"; "onType" is used.' },
      { key: "taintwise.maxProblems", message: "Expected a whole number from 1 to 10000, found 0; 200 is used." },
      { key: "taintwise.exclude", message: 'Expected a list of texts, found "*.yaml"; [] is used.' },
    ]);
  });

  it("leaves keys alone that a newer client may send", () => {
    expect(readSettings({ explorer: { groupBy: "pool" } })).toEqual({ settings: DEFAULT_SETTINGS, problems: [] });
  });

  it("says so when the section itself is no object", () => {
    expect(readSettings("on").problems).toEqual([
      { key: "taintwise", message: 'Expected an object of settings, found "on".' },
    ]);
  });

  it("never throws, whatever it is given", () => {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        expect(readSettings(value).settings).toHaveProperty("run");
      }),
    );
  });
});
