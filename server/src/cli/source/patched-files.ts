// Command-line layer: the manifests that a kustomization nearby patches before they reach a cluster.
import { statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { DISK } from "../../analysis/disk.ts";
import { walk } from "../../analysis/file-walk.ts";
import {
  changedFiles,
  isKustomizationName,
  type Kustomization,
  readKustomization,
} from "../../analysis/kustomizations.ts";
import type { Workspaces } from "./workspace.ts";

/**
 * Reads every kustomization below the operands' folders, or below the workspace file's folder where there is one, and
 * gives a test for a manifest's absolute path.
 */
export function patchedFiles(
  operands: readonly string[],
  cwd: string,
  workspaces: Workspaces,
): (path: string) => boolean {
  const roots = new Set<string>();
  for (const operand of operands) {
    if (operand === "-") continue;
    const path = resolve(cwd, operand);
    const folder = statSync(path).isDirectory() ? path : dirname(path);
    const workspace = workspaces.of(folder);
    roots.add((workspace.file === null ? folder : workspace.folder).replaceAll("\\", "/"));
  }
  const found = new Map<string, Kustomization>();
  for (const root of roots) {
    for (const step of walk(root, DISK, () => false, isKustomizationName)) {
      // A folder that cannot be read is told when its manifests are looked for.
      if (step.type !== "file" || found.has(step.path)) continue;
      const folder = step.path.slice(0, step.path.lastIndexOf("/"));
      found.set(step.path, readKustomization(folder, DISK.readText(step.path) ?? ""));
    }
  }
  return changedFiles([...found.values()]);
}
