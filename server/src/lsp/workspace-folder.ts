// LSP layer: one workspace folder with its settings, its workspace file, its clusters and its session.
import { existsSync, readFileSync } from "node:fs";
import { relative, resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { DiagnosticCode } from "../../../shared/src/codes.ts";
import type { Settings } from "../../../shared/src/settings.ts";
import { ChartFolders } from "../analysis/chart-folders.ts";
import { DISK } from "../analysis/disk.ts";
import type { FileFacts } from "../analysis/engine.ts";
import { walk } from "../analysis/file-walk.ts";
import { changedFiles, isKustomizationName, readKustomization } from "../analysis/kustomizations.ts";
import { Session } from "../analysis/session.ts";
import type { ClusterModel } from "../cluster/model.ts";
import { matchesPath } from "../config/pattern.ts";
import { readWorkspaceText } from "../config/read-workspace.ts";
import type { ConfigProblem } from "../config/shape.ts";
import { DEFAULT_CONFIG, WORKSPACE_FILE, type WorkspaceConfig } from "../config/workspace.ts";
import type { Diagnostic } from "../features/diagnostic.ts";
import type { JudgeMemo } from "../features/diagnostics/judge.ts";
import { diagnosticEngine } from "../features/engine.ts";
import type { ClusterSource } from "./clusters/source.ts";
import type { Quarantine } from "./documents/quarantine.ts";
import { pathOf } from "./documents/uri.ts";

/** The workspace file of a folder as read. */
export interface WorkspaceFile {
  readonly path: string;
  readonly text: string;
  readonly problems: readonly ConfigProblem[];
}

export interface FolderOptions {
  readonly yamlErrorsShown: boolean;
  /** The wall clock in milliseconds, for the age of a cluster model. */
  readonly now: () => number;
  readonly memo: JudgeMemo;
  /** Documents that are not read, whichever folder they lie in. */
  readonly quarantine: Quarantine;
  readonly onRuleFailure: (code: DiagnosticCode, error: unknown) => void;
}

/** Judges its documents by its own settings and clusters; no folder hears of another. */
export class WorkspaceFolder {
  /** The client's spelling; empty for the folder of documents that lie in none. */
  readonly uri: string;
  /** Absolute path with `/`; null for the folder of documents that lie in none. */
  readonly path: string | null;
  readonly #options: FolderOptions;
  readonly #charts = new ChartFolders();
  #settings: Settings;
  #config: WorkspaceConfig = DEFAULT_CONFIG;
  #workspaceFile: WorkspaceFile | null = null;
  #patched: ((path: string) => boolean) | null = null;
  #clusters: readonly ClusterModel[] = [];
  #dumps: readonly string[] = [];
  #ages = "";
  #hidden: readonly string[] = [];
  #session: Session<Diagnostic>;

  constructor(uri: string, path: string | null, settings: Settings, options: FolderOptions) {
    this.uri = uri;
    this.path = path;
    this.#settings = settings;
    this.#options = options;
    this.readWorkspaceFile();
    this.#session = this.#newSession();
  }

  get settings(): Settings {
    return this.#settings;
  }

  get config(): WorkspaceConfig {
    return this.#config;
  }

  get workspaceFile(): WorkspaceFile | null {
    return this.#workspaceFile;
  }

  get clusters(): readonly ClusterModel[] {
    return this.#clusters;
  }

  get quarantine(): Quarantine {
    return this.#options.quarantine;
  }

  get session(): Session<Diagnostic> {
    return this.#session;
  }

  /** Whether they are others than before. */
  setSettings(settings: Settings): boolean {
    if (isDeepStrictEqual(settings, this.#settings)) return false;
    this.#settings = settings;
    this.#renew();
    return true;
  }

  /** Whether the URI is that of the folder's taintwise.yaml. */
  isWorkspaceFile(uri: string): boolean {
    return this.path !== null && pathOf(uri) === `${this.path}/${WORKSPACE_FILE}`;
  }

  /**
   * Whether the models are others than before, or old enough by now to name their age. `dumps` are the absolute paths of
   * the files and folders they were read from.
   */
  setClusters(clusters: readonly ClusterModel[], dumps: readonly string[]): boolean {
    this.#dumps = dumps;
    const same =
      clusters.length === this.#clusters.length && clusters.every((model, index) => model === this.#clusters[index]);
    this.#clusters = clusters;
    const ages = [...this.#ageNotes()].join();
    if (same && ages === this.#ages) return false;
    if (ages === this.#ages) this.#session.setClusters(clusters);
    else this.#renew();
    return true;
  }

  /** Reads taintwise.yaml again; whether it is another one than before. */
  readWorkspaceFile(): boolean {
    if (this.path === null) return false;
    const path = resolve(this.path, WORKSPACE_FILE);
    const text = existsSync(path) ? readFileSync(path, "utf8") : null;
    if (text === (this.#workspaceFile?.text ?? null)) return false;
    const { config, problems } = text === null ? { config: DEFAULT_CONFIG, problems: [] } : readWorkspaceText(text);
    this.#workspaceFile = text === null ? null : { path, text, problems };
    this.#config = config;
    this.#session?.setConfig(config);
    return true;
  }

  /** A kustomization came, went or changed: which files are patched is looked for again. */
  forgetKustomizations(): void {
    this.#patched = null;
  }

  /** What the folder itself names as clusters: its setting, else its workspace file. */
  get ownSources(): readonly ClusterSource[] {
    const base = this.path ?? "";
    const { file, context } = this.#settings.cluster;
    if (file !== "") return [{ kind: "file", path: resolve(base, file), name: null }];
    if (context !== "") return [{ kind: "context", context, kubeconfig: null, name: null }];
    return this.#config.clusters.flatMap(({ name, file: own, context: named }): readonly ClusterSource[] => {
      if (own !== null) return [{ kind: "file", path: resolve(base, own), name }];
      return named === null ? [] : [{ kind: "context", context: named, kubeconfig: null, name }];
    });
  }

  /** Whether the source is a file inside the folder. */
  holds(source: ClusterSource): boolean {
    return source.kind === "file" && this.path !== null && resolve(source.path).startsWith(`${this.path}/`);
  }

  /**
   * Whether the settings leave this file alone (the workspace file's excludes are the rules' own matter), or it is what a
   * cluster is read from: its objects are live ones, no manifests. A workspace inside such a folder stays checked.
   */
  excludes(path: string): boolean {
    const isDump = (dump: string): boolean =>
      path === dump || (path.startsWith(`${dump}/`) && dump !== this.path && !this.path?.startsWith(`${dump}/`));
    if (this.#dumps.some(isDump)) return true;
    return this.#settings.exclude.some((glob) => matchesPath(glob, this.relative(path)));
  }

  /** Takes over what the editor hides: globs relative to the folder. */
  setHidden(globs: readonly string[]): void {
    this.#hidden = globs;
  }

  /** Whether a file that is not open is left alone: one that is excluded, or that the editor hides from its user. */
  hides(path: string): boolean {
    return this.excludes(path) || this.#hidden.some((glob) => matchesPath(glob, this.relative(path)));
  }

  /** A path as globs see it. */
  relative(path: string): string {
    return this.path === null ? path : relative(this.path, path).replaceAll("\\", "/");
  }

  /** `path` is absolute; null for a document that is not saved yet. */
  factsOf(path: string | null, name: string): FileFacts {
    if (path === null) return { path: name, location: name, inChart: null, rendered: false };
    return {
      path: this.relative(path),
      location: path,
      inChart: this.#charts.holds(path),
      rendered: this.#clusters.length > 0 && this.#isPatched(path),
    };
  }

  #isPatched(path: string): boolean {
    this.#patched ??= this.path === null ? () => false : patchedBelow(this.path);
    return this.#patched(path);
  }

  #newSession(): Session<Diagnostic> {
    const ageNotes = this.#ageNotes();
    this.#ages = [...ageNotes].join();
    const engine = diagnosticEngine({
      severity: this.#settings.severity,
      rendered: false,
      yamlErrorsShown: this.#options.yamlErrorsShown,
      ageNotes,
      memo: this.#options.memo,
      onRuleFailure: this.#options.onRuleFailure,
    });
    return new Session(engine, { clusters: this.#clusters, config: this.#config });
  }

  /** A new session with the same open files: settings and ages are part of the engine. */
  #renew(): void {
    const { files } = this.#session.snapshot;
    this.#session = this.#newSession();
    for (const [key, file] of files) this.#session.setFile(key, file);
  }

  #ageNotes(): ReadonlyMap<string, string> {
    const { staleAfter } = this.#settings;
    const notes = new Map<string, string>();
    if (staleAfter === 0) return notes;
    for (const { name, origin, observedAt } of this.#clusters) {
      if (origin === "live" || observedAt === null) continue;
      const minutes = Math.floor((this.#options.now() - observedAt) / 60_000);
      if (minutes >= staleAfter) notes.set(name, `(${name} as it was ${ageInWords(minutes)} ago)`);
    }
    return notes;
  }
}

/** Coarse on purpose: a message must not change every minute. */
function ageInWords(minutes: number): string {
  if (minutes < 120) return `${minutes - (minutes % 10)} minutes`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} hours` : `${Math.floor(hours / 24)} days`;
}

function patchedBelow(folder: string): (path: string) => boolean {
  const found = [];
  for (const step of walk(folder, DISK, () => false, isKustomizationName)) {
    if (step.type !== "file") continue;
    found.push(readKustomization(step.path.slice(0, step.path.lastIndexOf("/")), DISK.readText(step.path) ?? ""));
  }
  return changedFiles(found);
}
