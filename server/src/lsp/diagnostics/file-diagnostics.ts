// LSP layer: the problems of files that are not open: what the last check of them found, and checking them again.
import type { CancellationToken, Diagnostic as ProtocolDiagnostic } from "vscode-languageserver";
import { DISK } from "../../analysis/disk.ts";
import { reaches } from "../../analysis/file-walk.ts";
import { describeError, type ServerLog } from "../boundary.ts";
import { uriKey } from "../documents/uri.ts";
import type { Workspace } from "../workspace.ts";
import type { WorkspaceFolder } from "../workspace-folder.ts";
import { type CheckedFile, checkFile, checkFolder } from "./background-check.ts";
import type { Elsewhere } from "./elsewhere.ts";

export interface FileDiagnosticsOptions {
  readonly workspace: () => Workspace;
  readonly elsewhere: Elsewhere;
  readonly log: ServerLog;
  readonly isOpen: (uri: string) => boolean;
  /** Hears of one file's problems; none where it is gone or clean. */
  readonly onFile: (uri: string, diagnostics: readonly ProtocolDiagnostic[]) => void;
  /** Hears that a batch of files is through. */
  readonly onChange: () => void;
}

/** Holds the results until a file changes, goes, or is opened. */
export class FileDiagnostics {
  readonly #options: FileDiagnosticsOptions;
  /** By normal form of the URI. */
  readonly #files = new Map<string, CheckedFile>();
  /** Files to look at again, by normal form of the URI: the spelling they were named by. */
  readonly #touched = new Map<string, string>();
  #passing = false;
  #disposed = false;
  #truncated = false;

  constructor(options: FileDiagnosticsOptions) {
    this.#options = options;
  }

  /** By normal form of the URI. */
  get files(): ReadonlyMap<string, CheckedFile> {
    return this.#files;
  }

  /** Whether the last check stopped at its limit of files. */
  get truncated(): boolean {
    return this.#truncated;
  }

  /** Checks a file soon. A burst of such calls is one pass, a file at a time. */
  checkSoon(uri: string): void {
    this.#touched.set(uriKey(uri), uri);
    if (this.#passing) return;
    this.#passing = true;
    void this.#passTouched().finally(() => {
      this.#passing = false;
      this.#options.onChange();
    });
  }

  /** Checks folders now; resolves when done or cancelled. `report` hears how many files were checked so far. */
  async check(
    folders: readonly WorkspaceFolder[],
    token: CancellationToken,
    report: (checked: number) => void,
  ): Promise<void> {
    for (const folder of folders) {
      const steps = checkFolder(folder, this.#files, this.#options.elsewhere, token);
      for (let step = await steps.next(); ; step = await steps.next()) {
        if (step.done) {
          this.#truncated = step.value;
          break;
        }
        report(step.value.checked);
      }
    }
  }

  /** Takes back the results of the files that `gone` is true for. */
  forget(gone: (key: string, uri: string) => boolean): void {
    const before = this.#files.size;
    for (const [key, { uri }] of this.#files) {
      if (!gone(key, uri)) continue;
      this.#files.delete(key);
      this.#options.onFile(uri, []);
    }
    if (this.#files.size !== before) this.#options.onChange();
  }

  dispose(): void {
    this.#disposed = true;
    this.#touched.clear();
  }

  async #passTouched(): Promise<void> {
    // Files that are touched meanwhile, the same ones again included, come up at the end of the loop.
    for (const [key, uri] of this.#touched) {
      this.#touched.delete(key);
      try {
        await this.#checkTouched(key, uri);
      } catch (error) {
        this.#options.log.error(`${uri}: ${describeError(error)}`);
      }
    }
  }

  async #checkTouched(key: string, uri: string): Promise<void> {
    if (this.#options.isOpen(uri)) return;
    const folder = this.#options.workspace().folderOf(uri);
    const path = key.startsWith("file:") ? key.slice("file:".length) : null;
    const wanted =
      path !== null &&
      folder.path !== null &&
      folder.settings.workspaceCheck.enabled &&
      !folder.hides(path) &&
      reaches(folder.path, path, DISK);
    const file = wanted ? await checkFile(folder, path, this.#options.elsewhere) : null;
    // Opened while it was read: what the editor holds counts.
    if (this.#disposed || this.#options.isOpen(uri)) return;
    if (file === null) this.#files.delete(key);
    else this.#files.set(key, file);
    this.#options.onFile(uri, file?.diagnostics ?? []);
  }
}
