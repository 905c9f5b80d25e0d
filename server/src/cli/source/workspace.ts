// Command-line layer: the workspace file that a manifest belongs to: the nearest taintwise.yaml above it.
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { readWorkspace } from "../../config/read-workspace.ts";
import { DEFAULT_CONFIG, WORKSPACE_FILE, type WorkspaceConfig } from "../../config/workspace.ts";
import { isExcluded } from "../../config/workspace-shape.ts";
import { lineIndex } from "../../text/line-index.ts";
import { parseText } from "../../yaml/parse.ts";
import { reasonOf, Unusable } from "../unusable.ts";

export interface Workspace {
  /** Absolute path of the workspace file; null where there is none. */
  readonly file: string | null;
  /** Absolute path that its globs are relative to. */
  readonly folder: string;
  readonly config: WorkspaceConfig;
}

/** Finds and reads workspace files, each once. */
export class Workspaces {
  readonly #byFolder = new Map<string, Workspace>();
  readonly #fixed: Workspace | null;
  readonly #cwd: string;

  /** `file` is --config: it then counts for every path. Throws Unusable when it cannot be read. */
  constructor(cwd: string, file: string | null) {
    this.#cwd = cwd;
    this.#fixed = file === null ? null : readWorkspaceFile(resolve(cwd, file), file);
  }

  /** The workspace of a folder given by its absolute path. Throws Unusable when its workspace file has an error. */
  of(folder: string): Workspace {
    return this.#fixed ?? this.#ofFolder(folder);
  }

  #ofFolder(folder: string): Workspace {
    const known = this.#byFolder.get(folder);
    if (known !== undefined) return known;
    const file = join(folder, WORKSPACE_FILE);
    const parent = dirname(folder);
    const found = existsSync(file)
      ? readWorkspaceFile(file, relative(this.#cwd, file) || file)
      : parent === folder
        ? { file: null, folder: this.#cwd, config: DEFAULT_CONFIG }
        : this.#ofFolder(parent);
    this.#byFolder.set(folder, found);
    return found;
  }
}

/** A path as the globs of the workspace file see it: relative to its folder, with `/`. */
export function pathInWorkspace(workspace: Workspace, path: string): string {
  return relative(workspace.folder, path).replaceAll("\\", "/");
}

/** Whether the workspace file leaves this path alone. */
export function isLeftAlone(workspace: Workspace, path: string): boolean {
  return workspace.config.exclude.length > 0 && isExcluded(workspace.config.exclude, pathInWorkspace(workspace, path));
}

function readWorkspaceFile(file: string, shown: string): Workspace {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    throw new Unusable(`${shown}: the workspace file cannot be read: ${reasonOf(error)}.`);
  }
  const { config, problems } = readWorkspace([parseText(text)]);
  const [problem] = problems;
  if (problem !== undefined) {
    const { line, character } = lineIndex(text).positionAt(problem.span.start);
    const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : "";
    throw new Unusable(`${shown}:${line + 1}:${character + 1}: ${problem.message}${more}`);
  }
  return { file, folder: dirname(file), config };
}
