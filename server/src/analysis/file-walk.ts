// Analysis layer: which files of a folder are manifests. Steps, so that a caller can stop or pause between them.
import { type IgnoreRules, isIgnored, readIgnoreRules } from "./ignore-rules.ts";

export interface FolderEntry {
  readonly name: string;
  readonly kind: "file" | "folder" | "link" | "other";
}

/** The file system as the walk needs it. Paths use `/`. */
export interface FileTree {
  /** Entries of a folder in any order. Throws when it cannot be read. */
  readonly list: (folder: string) => readonly FolderEntry[];
  /** Text of a small file; null when there is none. */
  readonly readText: (path: string) => string | null;
  /** Where a path really lies and what is there; null when it leads nowhere. */
  readonly resolve: (path: string) => { readonly path: string; readonly kind: "file" | "folder" | "other" } | null;
}

/** One step: a manifest's path, or a folder that could not be read. */
export type WalkStep =
  | { readonly type: "file"; readonly path: string }
  | { readonly type: "unreadable"; readonly path: string; readonly error: unknown };

/** Folders that never hold manifests of one's own. */
const NEVER: ReadonlySet<string> = new Set([".git", ".hg", ".svn", "node_modules"]);

const MANIFEST_NAME = /\.(ya?ml|json)$/i;

/** Whether a file name is one that a walk looks into. */
export function isManifestName(name: string): boolean {
  return MANIFEST_NAME.test(name);
}

/**
 * Finds the manifests under `root` in the order of their names: `.yaml`, `.yml` and `.json` files that neither an
 * ignore file on the way (those of the enclosing git work tree included) nor `excluded` leaves out; `wanted` asks for
 * other file names. Links are followed
 * once, and only to places outside the folders that are walked anyway, so a loop of links ends.
 */
export function* walk(
  root: string,
  tree: FileTree,
  excluded: (path: string) => boolean = () => false,
  wanted: (name: string) => boolean = isManifestName,
): Generator<WalkStep, void, undefined> {
  const real = tree.resolve(root)?.path ?? root;
  const roots = [real];
  yield* walkFolder(root, outerRules(root, tree), { tree, excluded, wanted, roots });
}

/** Whether a walk from `root` would come to a path inside of it: no folder on the way, nor the file, is ignored. */
export function reaches(root: string, path: string, tree: FileTree): boolean {
  const rules = [...outerRules(root, tree)];
  const names = path.slice(root.length + 1).split("/");
  let at = root;
  return names.every((name, index) => {
    const own = readRules(at, tree);
    if (own !== null) rules.push(own);
    at = `${at}/${name}`;
    return !NEVER.has(name) && !isIgnored(rules, at, index < names.length - 1);
  });
}

interface Walk {
  readonly tree: FileTree;
  readonly excluded: (path: string) => boolean;
  readonly wanted: (name: string) => boolean;
  /** Real paths of the folders that are walked as a whole; links into them are not followed. */
  readonly roots: string[];
}

function* walkFolder(folder: string, outer: readonly IgnoreRules[], walk: Walk): Generator<WalkStep, void, undefined> {
  let entries: readonly FolderEntry[];
  try {
    entries = walk.tree.list(folder);
  } catch (error) {
    yield { type: "unreadable", path: folder, error };
    return;
  }
  const own = entries.some((entry) => entry.name === ".gitignore") ? readRules(folder, walk.tree) : null;
  const rules = own === null ? outer : [...outer, own];
  for (const entry of [...entries].sort(byName)) {
    if (NEVER.has(entry.name)) continue;
    const path = folder === "/" ? `/${entry.name}` : `${folder}/${entry.name}`;
    const kind = entry.kind === "link" ? followLink(path, entry.name, walk) : entry.kind;
    if (kind === "folder") {
      if (!isIgnored(rules, path, true) && !walk.excluded(path)) yield* walkFolder(path, rules, walk);
    } else if (kind === "file" && walk.wanted(entry.name)) {
      if (!isIgnored(rules, path, false) && !walk.excluded(path)) yield { type: "file", path };
    }
  }
}

/** What a link stands for, or `other` when it leads nowhere or to what is walked anyway. */
function followLink(path: string, name: string, walk: Walk): "file" | "folder" | "other" {
  const target = walk.tree.resolve(path);
  if (target === null) return "other";
  const covered = walk.roots.some(
    (root) => target.path === root || target.path.startsWith(root === "/" ? "/" : `${root}/`),
  );
  if (target.kind === "folder") {
    // A folder that holds a root of the walk would lead back into it.
    if (covered || walk.roots.some((root) => root.startsWith(`${target.path}/`))) return "other";
    walk.roots.push(target.path);
    return "folder";
  }
  return target.kind === "file" &&
    !(covered && walk.wanted(name) && walk.wanted(target.path.slice(target.path.lastIndexOf("/") + 1)))
    ? "file"
    : "other";
}

/** Rules of the folders above `root`, up to the top of its git work tree; none when it lies in no work tree. */
function outerRules(root: string, tree: FileTree): readonly IgnoreRules[] {
  const found: IgnoreRules[] = [];
  let folder = root;
  for (;;) {
    if (tree.resolve(`${folder}/.git`) !== null) return found.reverse();
    const slash = folder.lastIndexOf("/");
    if (slash <= 0) return [];
    folder = folder.slice(0, slash);
    const rules = readRules(folder, tree);
    if (rules !== null) found.push(rules);
  }
}

function readRules(folder: string, tree: FileTree): IgnoreRules | null {
  const text = tree.readText(`${folder}/.gitignore`);
  return text === null ? null : readIgnoreRules(folder, text);
}

function byName(left: FolderEntry, right: FolderEntry): number {
  return left.name < right.name ? -1 : left.name > right.name ? 1 : 0;
}
