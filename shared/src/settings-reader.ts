// Shared by client and server: reading the settings once from `unknown` into a type with defaults.
import { DIAGNOSTIC_CODES, type DiagnosticCode } from "./codes.ts";
import {
  type RunMode,
  SETTING_DEFINITIONS,
  SETTINGS_SECTION,
  type SettingDefinition,
  type Settings,
  type SeverityOverride,
  type TraceLevel,
} from "./settings.ts";
import { SEVERITIES } from "./severity.ts";

/** A value that cannot be used; the default stands in for it. */
export interface SettingProblem {
  /** The full key: `taintwise.maxProblems`. */
  readonly key: string;
  /** For people: what was found and what is expected. */
  readonly message: string;
}

export interface ReadSettings {
  readonly settings: Settings;
  readonly problems: readonly SettingProblem[];
}

type SettingValue = boolean | string | number | readonly string[];

/**
 * Reads the value of the `taintwise` section, nested (`{cluster: {file}}`, as VS Code sends it) or flat
 * (`{"cluster.file": …}`, as people write it for other editors). Never throws: a bad value is reported and its default used.
 * Unknown keys are left alone, since a newer client may know more.
 */
export function readSettings(section: unknown): ReadSettings {
  const problems: SettingProblem[] = [];
  if (section !== null && section !== undefined && !isRecord(section)) {
    problems.push({ key: SETTINGS_SECTION, message: `Expected an object of settings, found ${describe(section)}.` });
  }
  const value = (key: string): SettingValue => {
    const definition = SETTING_DEFINITIONS[key];
    if (definition === undefined) throw new Error(`no such setting: ${key}`);
    const found = lookUp(section, key);
    if (found === undefined || found === null) return definition.default;
    const read = readOne(definition, found);
    if (read !== undefined) return read;
    problems.push({
      key: `${SETTINGS_SECTION}.${key}`,
      message: `Expected ${expectation(definition)}, found ${describe(found)}; ${describe(definition.default)} is used.`,
    });
    return definition.default;
  };

  const severity: Partial<Record<DiagnosticCode, SeverityOverride>> = {};
  for (const code of DIAGNOSTIC_CODES) {
    const chosen = asSeverity(value(`severity.${code}`));
    if (chosen !== null) severity[code] = chosen;
  }
  const settings: Settings = {
    run: asRunMode(value("run")),
    maxProblems: asNumber(value("maxProblems")),
    exclude: asStrings(value("exclude")),
    staleAfter: asNumber(value("staleAfter")),
    languages: asStrings(value("languages")),
    cluster: {
      file: asText(value("cluster.file")),
      context: asText(value("cluster.context")),
      kubeconfig: asText(value("cluster.kubeconfig")),
      extraPath: asStrings(value("cluster.extraPath")),
      signInTimeout: asNumber(value("cluster.signInTimeout")),
      namespaces: asStrings(value("cluster.namespaces")),
      nodeProxy: value("cluster.nodeProxy") === true,
      allowChanges: value("cluster.allowChanges") === true,
    },
    explorer: { poolLabel: asText(value("explorer.poolLabel")) },
    workspaceCheck: { enabled: value("workspaceCheck.enabled") === true },
    codeLens: { enabled: value("codeLens.enabled") === true },
    inlayHints: { impliedTolerations: value("inlayHints.impliedTolerations") === true },
    severity,
    trace: { server: asTrace(value("trace.server")) },
  };
  return { settings, problems };
}

/** The value under a dotted key, nested, flat, or half and half (`{severity: {…}}`); undefined when absent. */
function lookUp(section: unknown, key: string): unknown {
  if (!isRecord(section)) return undefined;
  if (Object.hasOwn(section, key)) return section[key];
  for (let dot = key.indexOf("."); dot >= 0; dot = key.indexOf(".", dot + 1)) {
    const head = key.slice(0, dot);
    if (!Object.hasOwn(section, head)) continue;
    const found = lookUp(section[head], key.slice(dot + 1));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The value as the definition wants it, or undefined. */
function readOne(definition: SettingDefinition, value: unknown): SettingValue | undefined {
  switch (definition.type) {
    case "boolean":
      return typeof value === "boolean" ? value : undefined;
    case "string":
      return typeof value === "string" ? value : undefined;
    case "choice":
      return typeof value === "string" && definition.choices.includes(value) ? value : undefined;
    case "integer":
      return typeof value === "number" &&
        Number.isInteger(value) &&
        value >= definition.minimum &&
        value <= definition.maximum
        ? value
        : undefined;
    case "strings":
      return Array.isArray(value) && value.every((item) => typeof item === "string") ? value : undefined;
  }
}

function expectation(definition: SettingDefinition): string {
  switch (definition.type) {
    case "boolean":
      return "true or false";
    case "string":
      return "a text";
    case "choice":
      return `one of ${definition.choices.join(", ")}`;
    case "integer":
      return `a whole number from ${definition.minimum} to ${definition.maximum}`;
    case "strings":
      return "a list of texts";
  }
}

/** A value as JSON, shortened: it is quoted in a message of one line. */
function describe(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const asNumber = (value: SettingValue): number => (typeof value === "number" ? value : 0);
const asText = (value: SettingValue): string => (typeof value === "string" ? value : "");
const asStrings = (value: SettingValue): readonly string[] => (typeof value === "object" ? value : []);
const asRunMode = (value: SettingValue): RunMode => (value === "onSave" ? "onSave" : "onType");
const asTrace = (value: SettingValue): TraceLevel => (value === "verbose" ? "verbose" : "messages");
const asSeverity = (value: SettingValue): SeverityOverride | null =>
  value === "off" ? "off" : (SEVERITIES.find((severity) => severity === value) ?? null);

/** The settings when nothing is set. */
export const DEFAULT_SETTINGS: Settings = readSettings(undefined).settings;
