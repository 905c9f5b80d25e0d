// Command-line layer: the manifests that the operands name: files, folders, standard input.
import { type Stats, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { DISK } from "../../analysis/disk.ts";
import { walk } from "../../analysis/file-walk.ts";
import { reasonOf, Unusable } from "../unusable.ts";
import { type DecodedText, decodeText, type FileReader } from "./text-file.ts";
import { isLeftAlone, type Workspaces } from "./workspace.ts";

/** A manifest to read. */
export interface ManifestSource {
  /** How people named it: relative to where they stand, with `/`. */
  readonly path: string;
  /** Absolute path; null for standard input. */
  readonly file: string | null;
  /** Whether it was named itself, so that being no text is an error of the call. */
  readonly named: boolean;
}

/** How standard input is named in outputs. */
const STDIN_PATH = "<stdin>";

/**
 * Checks that every operand is there. Throws Unusable for the first that is not, before any work is done.
 */
export function requireOperands(operands: readonly string[], cwd: string, command: string): void {
  if (operands.length === 0) {
    throw new Unusable(
      `${command} needs a path: taintwise ${command} PATH… (a file, a folder, or - for standard input).`,
    );
  }
  for (const operand of operands) {
    if (operand === "-") continue;
    const stats = statOf(operand, cwd);
    const device = stats.isBlockDevice() || (stats.isCharacterDevice() && operand !== "/dev/null");
    if (device) throw new Unusable(`${operand}: is a device, which may never end.`);
  }
}

function statOf(operand: string, cwd: string): Stats {
  try {
    return statSync(resolve(cwd, operand));
  } catch (error) {
    throw new Unusable(`${operand}: ${reasonOf(error)}.`);
  }
}

/**
 * The manifests behind the operands, in order, each once. Folders are walked while the caller reads, so the first
 * file comes at once. A dump that the clusters are read from (`clusterFiles`, absolute) is no manifest, unless it is
 * named; `onUnreadable` hears of folders that cannot be listed.
 */
export function* manifestSources(
  operands: readonly string[],
  cwd: string,
  workspaces: Workspaces,
  clusterFiles: ReadonlySet<string>,
  onUnreadable: (path: string, reason: string) => void,
): Generator<ManifestSource, void, undefined> {
  const seen = new Set<string>();
  for (const operand of operands) {
    if (operand === "-") {
      yield { path: STDIN_PATH, file: null, named: true };
      continue;
    }
    const root = resolve(cwd, operand).replaceAll("\\", "/");
    const shown = shownRoot(operand);
    if (!statSync(root).isDirectory()) {
      if (!seen.has(root)) yield { path: shown, file: root, named: true };
      seen.add(root);
      continue;
    }
    const excluded = (path: string): boolean =>
      clusterFiles.has(path) || isLeftAlone(workspaces.of(dirname(path)), path);
    for (const step of walk(root, DISK, excluded)) {
      const below = step.path.slice(root === "/" ? 1 : root.length + 1);
      const path = shown === "." ? below : `${shown === "/" ? "" : shown}/${below}`;
      if (step.type === "unreadable") onUnreadable(below === "" ? shown : path, reasonOf(step.error));
      else if (!seen.has(step.path)) {
        seen.add(step.path);
        yield { path, file: step.path, named: false };
      }
    }
  }
}

function shownRoot(operand: string): string {
  const slashed = operand.replaceAll("\\", "/").replace(/(?<=.)\/+$/, "");
  return slashed.startsWith("./") && slashed.length > 2 ? slashed.slice(2) : slashed;
}

/** Reads a manifest from the disk. Never throws: what cannot be read is said. */
export function readManifestText(file: string, reader: FileReader): DecodedText {
  try {
    return decodeText(reader.read(file));
  } catch (error) {
    return { text: null, problem: `cannot be read: ${reasonOf(error)}`, binary: false };
  }
}
