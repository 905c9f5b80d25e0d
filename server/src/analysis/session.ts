// Analysis layer: the session, the one writer. It applies changes and hands out snapshots; a snapshot never changes.
import type { ClusterModel } from "../cluster/model.ts";
import type { WorkspaceConfig } from "../config/workspace.ts";
import type { ManifestFile } from "../workload/manifest.ts";
import type { Circumstances, Engine, FileFacts } from "./engine.ts";
import { type FileMemo, judgeFile } from "./file-memo.ts";

/** A file whose text is held: an open document. */
export interface OpenFile {
  readonly facts: FileFacts;
  readonly text: string;
}

/** What one moment knows. Every request reads one snapshot from beginning to end. */
export interface Snapshot<Diagnosis> extends Circumstances {
  /** Grows with every change of the session. */
  readonly version: number;
  /** Open files by the key that the caller chose (a path or URI). */
  readonly files: ReadonlyMap<string, OpenFile>;
  /** The diagnoses of an open file; null when it is not open. */
  readonly diagnoses: (key: string) => readonly Diagnosis[] | null;
  /** What an open file holds; null when it is not open. */
  readonly manifest: (key: string) => ManifestFile | null;
  /** Reads and judges a text that is not held, and keeps nothing of it. */
  readonly judge: (text: string, facts: FileFacts) => JudgedText<Diagnosis>;
}

/** A text that was read and judged. */
export interface JudgedText<Diagnosis> {
  readonly file: ManifestFile;
  /** In text order. */
  readonly diagnoses: readonly Diagnosis[];
}

/** The one writer: every change yields a new snapshot, and readers keep theirs. */
export class Session<Diagnosis> {
  readonly #engine: Engine<Diagnosis>;
  readonly #memos = new Map<string, FileMemo<Diagnosis>>();
  /** By key: the last reading of an open file, from which the next one takes unchanged documents. */
  readonly #readings = new Map<string, { readonly open: OpenFile; readonly file: ManifestFile }>();
  #snapshot: Snapshot<Diagnosis>;

  constructor(engine: Engine<Diagnosis>, circumstances: Circumstances) {
    this.#engine = engine;
    this.#snapshot = this.#next(0, new Map(), circumstances);
  }

  /** The present state. */
  get snapshot(): Snapshot<Diagnosis> {
    return this.#snapshot;
  }

  /** Opens a file or replaces its text. */
  setFile(key: string, file: OpenFile): Snapshot<Diagnosis> {
    return this.#change(new Map(this.#snapshot.files).set(key, file));
  }

  /** Closes a file and forgets its results. */
  removeFile(key: string): Snapshot<Diagnosis> {
    const files = new Map(this.#snapshot.files);
    files.delete(key);
    this.#memos.delete(key);
    this.#readings.delete(key);
    return this.#change(files);
  }

  /** Replaces the cluster models; results of equal models stay. */
  setClusters(clusters: readonly ClusterModel[]): Snapshot<Diagnosis> {
    return this.#change(this.#snapshot.files, { clusters, config: this.#snapshot.config });
  }

  /** Replaces the workspace file. */
  setConfig(config: WorkspaceConfig): Snapshot<Diagnosis> {
    return this.#change(this.#snapshot.files, { clusters: this.#snapshot.clusters, config });
  }

  #change(files: ReadonlyMap<string, OpenFile>, circumstances: Circumstances = this.#snapshot): Snapshot<Diagnosis> {
    this.#snapshot = this.#next(this.#snapshot.version + 1, files, circumstances);
    return this.#snapshot;
  }

  #next(
    version: number,
    files: ReadonlyMap<string, OpenFile>,
    { clusters, config }: Circumstances,
  ): Snapshot<Diagnosis> {
    const circumstances: Circumstances = { clusters, config };
    return {
      version,
      files,
      clusters,
      config,
      diagnoses: (key) => {
        const file = files.get(key);
        return file === undefined ? null : this.#diagnosesOf(key, file, circumstances);
      },
      manifest: (key) => {
        const file = files.get(key);
        return file === undefined ? null : this.#manifestOf(key, file);
      },
      judge: (text, facts) => {
        const file = this.#engine.read(text, facts, null);
        if (file.documents.length === 0) return { file, diagnoses: [] };
        return { file, diagnoses: file.documents.flatMap(this.#engine.judge(file, facts, circumstances)) };
      },
    };
  }

  #diagnosesOf(key: string, open: OpenFile, circumstances: Circumstances): readonly Diagnosis[] {
    const file = this.#manifestOf(key, open);
    const memo = judgeFile(this.#engine, file, open.facts, circumstances, this.#memos.get(key) ?? null);
    if (this.#isPresent(key, open)) this.#memos.set(key, memo);
    return memo.diagnoses;
  }

  #manifestOf(key: string, open: OpenFile): ManifestFile {
    const last = this.#readings.get(key);
    if (last?.open === open) return last.file;
    const previous = last !== undefined && last.open.facts.location === open.facts.location ? last.file : null;
    const file = this.#engine.read(open.text, open.facts, previous);
    if (this.#isPresent(key, open)) this.#readings.set(key, { open, file });
    return file;
  }

  /** A late request on an old snapshot must not push out the results of the present one. */
  #isPresent(key: string, open: OpenFile): boolean {
    return this.#snapshot.files.get(key) === open;
  }
}
