// Analysis layer: which files a kustomization changes before they are applied. Text in, paths out; nothing is rendered.
import { toPlain } from "../yaml/locate.ts";
import { parseText } from "../yaml/parse.ts";

/** What one kustomization file says, paths made absolute. */
export interface Kustomization {
  /** Absolute folder with `/`, no trailing one. */
  readonly folder: string;
  /** Files and folders it takes in: resources, bases, components. */
  readonly takes: readonly string[];
  /** Whether it has patches, components, replacements or transformers. */
  readonly changes: boolean;
}

const NAMES: ReadonlySet<string> = new Set(["kustomization.yaml", "kustomization.yml", "Kustomization"]);

/** The file names that Kustomize looks for. */
export function isKustomizationName(name: string): boolean {
  return NAMES.has(name);
}

const TAKES = ["resources", "bases", "components"] as const;
const CHANGES = [
  "patches",
  "patchesStrategicMerge",
  "patchesJson6902",
  "components",
  "replacements",
  "transformers",
] as const;

/** Reads a kustomization that lies in `folder`. A text that cannot be read takes nothing in. */
export function readKustomization(folder: string, text: string): Kustomization {
  const { root } = parseText(text);
  const fields: unknown = root === null ? null : toPlain(root);
  const list = (name: string): readonly unknown[] => {
    const value = typeof fields === "object" && fields !== null && name in fields ? Reflect.get(fields, name) : null;
    return Array.isArray(value) ? value : [];
  };
  const words = TAKES.flatMap(list).filter((word) => typeof word === "string");
  return {
    folder,
    takes: words
      .filter((word) => !/^[a-z+]+:\/\/|^[^./][^/]*\.[a-z]+\//i.test(word))
      .map((word) => joined(folder, word)),
    changes: CHANGES.some((name) => list(name).length > 0),
  };
}

/** The files and folders that reach a cluster changed by one of the kustomizations, as a test for a file's path. */
export function changedFiles(kustomizations: readonly Kustomization[]): (path: string) => boolean {
  const byFolder = new Map(kustomizations.map((kustomization) => [kustomization.folder, kustomization]));
  const reached = new Set<string>();
  const open = kustomizations.filter((kustomization) => kustomization.changes).flatMap(({ takes }) => takes);
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (reached.has(path)) continue;
    reached.add(path);
    open.push(...(byFolder.get(path)?.takes ?? []));
  }
  return (path) => reached.has(path);
}

/** A relative path from a folder, `.` and `..` resolved. */
function joined(folder: string, path: string): string {
  const parts: string[] = path.startsWith("/") ? [] : folder.split("/");
  for (const part of path.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "." && part !== "") parts.push(part);
  }
  return path.startsWith("/") ? `/${parts.join("/")}` : parts.join("/");
}
