// LSP layer: the files that are not open, checked in slices so that requests in between are answered at once.

import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { CancellationToken, Diagnostic as ProtocolDiagnostic } from "vscode-languageserver";
import { DISK } from "../../analysis/disk.ts";
import { isManifestName, walk } from "../../analysis/file-walk.ts";
import { lineIndex } from "../../text/line-index.ts";
import type { ManifestFile } from "../../workload/manifest.ts";
import { toProtocolDiagnostic } from "../convert/diagnostic.ts";
import { leftAloneFor } from "../documents/analysed.ts";
import { uriKey, uriOf } from "../documents/uri.ts";
import type { WorkspaceFolder } from "../workspace-folder.ts";
import type { Elsewhere } from "./elsewhere.ts";
import { limited } from "./limit.ts";
import { workspaceFileDiagnostics } from "./workspace-file.ts";

/** A workload of a file that is not open, for looking things up across the workspace. */
export interface FiledWorkload {
  readonly kind: string;
  readonly namespace: string | null;
  readonly name: string | null;
  /** Offset of its name. */
  readonly offset: number;
  readonly line: number;
}

export interface CheckedFile {
  readonly uri: string;
  readonly path: string;
  readonly diagnostics: readonly ProtocolDiagnostic[];
  /** Equal for equal diagnostics. */
  readonly resultId: string;
  readonly workloads: readonly FiledWorkload[];
  readonly template: boolean;
  /** Holds something of ours that could not be read whole. */
  readonly broken: boolean;
}

export interface CheckProgress {
  readonly checked: number;
  /** The file just checked; null when it holds nothing of ours. */
  readonly file: CheckedFile | null;
}

/** A scan stops after this many files and says so. */
const MOST_FILES = 100_000;
/** Milliseconds a slice may take before other work gets its turn. */
const SLICE = 12;
/** Files read at once: reading one by one takes longer than judging. */
const READ_AHEAD = 16;

/**
 * Checks every manifest of a folder, yielding after each file. `known` holds the results so far by normal form of
 * the URI and is brought up to date, files that are gone included.
 * Returns whether the scan stopped at its limit.
 */
export async function* checkFolder(
  folder: WorkspaceFolder,
  known: Map<string, CheckedFile>,
  elsewhere: Elsewhere,
  token: CancellationToken,
): AsyncGenerator<CheckProgress, boolean, undefined> {
  if (folder.path === null) return false;
  const seen = new Set<string>();
  let checked = 0;
  let started = performance.now();
  for (const paths of batches(folder, folder.path)) {
    // A slice that is half over ends before texts are read, which would have to be read again when it ends among them.
    if (performance.now() - started > SLICE / 2) {
      await nextTurn();
      started = performance.now();
    }
    let texts = await Promise.all(paths.map((path) => readText(folder, path)));
    for (const [index, path] of paths.entries()) {
      if (performance.now() - started > SLICE) {
        await nextTurn();
        // Meanwhile files may have been written, and the new text judged: an older one must not take its place.
        texts = await Promise.all(paths.map((each, place) => (place < index ? null : readText(folder, each))));
        started = performance.now();
      }
      if (token.isCancellationRequested) return false;
      if (checked >= MOST_FILES) return true;
      checked += 1;
      const key = uriKey(uriOf(path));
      seen.add(key);
      const file = judgeFile(folder, path, texts[index] ?? null, elsewhere);
      if (file === null) known.delete(key);
      else known.set(key, file);
      yield { checked, file };
    }
  }
  for (const [key, file] of known) {
    if (!seen.has(key) && file.path.startsWith(`${folder.path}/`)) known.delete(key);
  }
  return false;
}

/** The manifests of a folder, some at a time; fewer where they are so far apart that looking for them fills a slice. */
function* batches(folder: WorkspaceFolder, root: string): Generator<readonly string[]> {
  let paths: string[] = [];
  let began = performance.now();
  for (const step of walk(root, DISK, (path) => folder.hides(path), isManifestName)) {
    if (step.type !== "file") continue;
    paths.push(step.path);
    if (paths.length < READ_AHEAD && performance.now() - began < SLICE) continue;
    yield paths;
    paths = [];
    began = performance.now();
  }
  if (paths.length > 0) yield paths;
}

/** Checks one file as it lies on the disk; null when it is gone or holds nothing of ours. */
export async function checkFile(
  folder: WorkspaceFolder,
  path: string,
  elsewhere: Elsewhere,
): Promise<CheckedFile | null> {
  return judgeFile(folder, path, await readText(folder, path), elsewhere);
}

/**
 * The file's text; null when it is in quarantine (it may be its size that ended the process), gone, or not readable:
 * nothing can be said of it, and opening it will show why.
 */
async function readText(folder: WorkspaceFolder, path: string): Promise<string | null> {
  return folder.quarantine.holds(uriOf(path)) ? null : readFile(path, "utf8").catch(() => null);
}

function judgeFile(
  folder: WorkspaceFolder,
  path: string,
  text: string | null,
  elsewhere: Elsewhere,
): CheckedFile | null {
  const uri = uriOf(path);
  if (text === null) return null;
  if (folder.isWorkspaceFile(uri)) {
    const diagnostics = workspaceFileDiagnostics(text);
    const resultId = resultIdOf(diagnostics);
    return { uri, path, diagnostics, resultId, workloads: [], template: false, broken: false };
  }
  // Nothing is known of such a text, and the editor says so when it is opened.
  if (leftAloneFor(text) !== null) return null;
  const { file, diagnoses } = folder.session.snapshot.judge(text, folder.factsOf(path, path));
  if (file.documents.length === 0 && !file.template) return null;
  const lines = lineIndex(text);
  const around = { uri, lines, elsewhere: elsewhere.of.bind(elsewhere) };
  const diagnostics = limited(
    diagnoses.map((each) => toProtocolDiagnostic(each, around)),
    folder.settings.maxProblems,
  );
  return {
    uri,
    path,
    diagnostics,
    resultId: resultIdOf(diagnostics),
    workloads: filedWorkloads(file, (offset) => lines.positionAt(offset).line),
    template: file.template,
    broken: file.documents.some((document) => document.yaml.problems.length > 0),
  };
}

/** A short mark of what was found: equal for what looks equal. Asked for at every key stroke, so it reads few fields. */
export function resultIdOf(diagnostics: readonly ProtocolDiagnostic[]): string {
  const hash = createHash("sha1");
  for (const { range, severity, code, message, relatedInformation } of diagnostics) {
    const { start, end } = range;
    hash.update(`${start.line}:${start.character}-${end.line}:${end.character} ${severity} ${code} ${message}\n`);
    for (const { location } of relatedInformation ?? []) {
      hash.update(`${location.uri} ${location.range.start.line}:${location.range.start.character}\n`);
    }
  }
  return hash.digest("base64url").slice(0, 16);
}

function filedWorkloads(file: ManifestFile, lineOf: (offset: number) => number): readonly FiledWorkload[] {
  return file.documents.flatMap((document) =>
    document.workloads.map(({ workload, kind, nameSpan }) => ({
      kind: kind.kind,
      namespace: detached(workload.namespace),
      name: detached(workload.name),
      offset: nameSpan.start,
      line: lineOf(nameSpan.start),
    })),
  );
}

/** A string of its own: a piece cut out of a text would keep the whole text in memory. */
function detached(text: string | null): string | null {
  return text === null ? null : Buffer.from(text).toString();
}
