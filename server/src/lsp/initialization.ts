// LSP layer: what the client says of itself when it starts, read from `unknown`.
import type { InitializationOptions } from "../../../shared/src/protocol.ts";
import { SETTINGS_SECTION } from "../../../shared/src/settings.ts";

/** The options of the client; what is absent or of another shape gets the cautious value. */
export function readInitializationOptions(value: unknown): InitializationOptions {
  // An editor without a notion of trust runs what its user configured.
  if (typeof value !== "object" || value === null) return { trusted: true, cluster: null, commands: [] };
  const fields = new Map(Object.entries(value));
  return {
    trusted: fields.get("trusted") !== false,
    cluster: readChoice(fields.get("cluster")),
    commands: textsIn(fields.get("commands")),
    quarantined: textsIn(fields.get("quarantined")),
    yamlErrorsShown: fields.get("yamlErrorsShown") === true,
    nodeViews: fields.get("nodeViews") === true,
    permissions: fields.get("permissions") === true,
    explorer: fields.get("explorer") === true,
  };
}

function textsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

function readChoice(value: unknown): InitializationOptions["cluster"] {
  if (typeof value !== "object" || value === null || !("kind" in value)) return null;
  if (value.kind === "none") return { kind: "none" };
  if (value.kind === "file" && "path" in value && typeof value.path === "string")
    return { kind: "file", path: value.path };
  if (value.kind === "context" && "name" in value && typeof value.name === "string") {
    const kubeconfig = "kubeconfig" in value && typeof value.kubeconfig === "string" ? value.kubeconfig : null;
    return { kind: "context", name: value.name, kubeconfig };
  }
  return null;
}

/** The section in a pushed configuration, whether it is wrapped in its name or not. */
export function sectionOf(pushed: unknown): unknown {
  if (typeof pushed !== "object" || pushed === null) return undefined;
  return SETTINGS_SECTION in pushed ? Reflect.get(pushed, SETTINGS_SECTION) : pushed;
}

/** The setting of VS Code that names what its user does not want to see; other editors answer with nothing. */
export const HIDDEN_SECTION = "files.exclude";

/** The globs of a value of HIDDEN_SECTION. Those that depend on a sibling file are left out: their files are not hidden for sure. */
export function hiddenGlobs(value: unknown): readonly string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([glob, hidden]) => (hidden === true && !NEVER_WALKED.test(glob) ? [glob] : []));
}

/** What VS Code hides by itself and no walk looks into anyway. */
const NEVER_WALKED = /^\*\*\/(?:\.git|\.svn|\.hg|\.DS_Store|Thumbs\.db)$/;
