// LSP layer: every cluster source in use, read once however many folders name it, and followed while it is.
import { type StatsListener, unwatchFile, watchFile } from "node:fs";
import type { ObjectWriter } from "../../cluster/change.ts";
import type { ClusterReading } from "../../cluster/file/cluster-reader.ts";
import { loadClusterFile } from "../../cluster/file/load.ts";
import type { ChangePermit } from "../../cluster/live/write/permit.ts";
import type { OnNodeQuestions, OnNodeReading } from "../../cluster/on-node.ts";
import { formatClusterProblem } from "../../cluster/problem.ts";
import { type ClusterSource, type LoadedCluster, sourceKey } from "./source.ts";

/** What follows a live context; loaded only when one is chosen. */
export interface ContextFollower {
  stop(): Promise<void>;
  retryNow(): void;
  /** Asks a node's kubelet; never rejects but for an abort of `signal`. */
  askNode(questions: OnNodeQuestions, signal: AbortSignal): Promise<OnNodeReading>;
  /** What changes single objects; null while the context is not connected. */
  writer(permit: ChangePermit): ObjectWriter | null;
}

/** Opens a context and tells of it until stopped. */
export type FollowContext = (
  source: Extract<ClusterSource, { readonly kind: "context" }>,
  changed: (state: Omit<LoadedCluster, "source">) => void,
) => Promise<ContextFollower>;

export interface PoolOptions {
  readonly readStdin: () => Promise<Uint8Array>;
  readonly followContext: FollowContext;
  /** Called after a source changed in any way. */
  readonly onChange: () => void;
}

/** Milliseconds between two looks at a cluster file; a stat each. */
const LOOK_EVERY = 2_000;

interface Entry {
  loaded: LoadedCluster;
  follower: ContextFollower | null;
  watching: StatsListener | null;
  ready: Promise<void>;
  dropped: boolean;
}

/** Holds each source once, however many folders are held against it, and reads it again when it changes. */
export class ClusterPool {
  readonly #options: PoolOptions;
  readonly #entries = new Map<string, Entry>();

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  /** The source as it stands; begins to read it when it is new. */
  get(source: ClusterSource): LoadedCluster {
    return this.#entry(source).loaded;
  }

  /** Resolves when the source was read, or cannot be. */
  async ready(source: ClusterSource): Promise<LoadedCluster> {
    const entry = this.#entry(source);
    await entry.ready;
    return entry.loaded;
  }

  /** Reads a file again; asks a context that waits to try now. */
  async refresh(source: ClusterSource): Promise<void> {
    const entry = this.#entry(source);
    entry.follower?.retryNow();
    if (source.kind === "file") await this.#read(source, entry);
  }

  /** Asks a node's kubelet through the context that is followed; null where none is. */
  async askNode(source: ClusterSource, questions: OnNodeQuestions, signal: AbortSignal): Promise<OnNodeReading | null> {
    const follower = this.#entries.get(sourceKey(source))?.follower ?? null;
    return follower === null ? null : follower.askNode(questions, signal);
  }

  /** What changes single objects of a context that is followed now; null for everything else. */
  writer(source: ClusterSource, permit: ChangePermit): ObjectWriter | null {
    return this.#entries.get(sourceKey(source))?.follower?.writer(permit) ?? null;
  }

  /** Lets go of every source that is not in `wanted`. */
  keepOnly(wanted: readonly ClusterSource[]): void {
    const keys = new Set(wanted.map(sourceKey));
    for (const [key, entry] of this.#entries) if (!keys.has(key)) this.#drop(key, entry);
  }

  dispose(): Promise<unknown> {
    const followers = [...this.#entries.values()].map((entry) => entry.follower?.stop());
    this.keepOnly([]);
    return Promise.all(followers);
  }

  #entry(source: ClusterSource): Entry {
    const key = sourceKey(source);
    const known = this.#entries.get(key);
    if (known !== undefined) return known;
    const description = source.kind === "file" ? source.path : source.context;
    const loaded: LoadedCluster = { source, model: null, loading: true, problems: [], description };
    const entry: Entry = { loaded, follower: null, watching: null, ready: Promise.resolve(), dropped: false };
    this.#entries.set(key, entry);
    entry.ready = source.kind === "file" ? this.#open(source, entry) : this.#follow(source, entry);
    return entry;
  }

  async #open(source: Extract<ClusterSource, { readonly kind: "file" }>, entry: Entry): Promise<void> {
    await this.#read(source, entry);
    if (source.path === "-" || entry.dropped) return;
    const listener: StatsListener = (now, before) => {
      if (now.mtimeMs !== before.mtimeMs || now.size !== before.size) void this.#read(source, entry);
    };
    watchFile(source.path, { interval: LOOK_EVERY, persistent: false }, listener);
    entry.watching = listener;
  }

  async #read(source: Extract<ClusterSource, { readonly kind: "file" }>, entry: Entry): Promise<void> {
    let reading: ClusterReading;
    try {
      const { readStdin } = this.#options;
      reading = await loadClusterFile(source.path, { name: source.name, now: null, readStdin });
    } catch (error) {
      const problem = `${source.path}: ${error instanceof Error ? error.message : String(error)}`;
      this.#set(entry, { ...entry.loaded, model: null, loading: false, problems: [problem] });
      return;
    }
    const { model, problems } = reading;
    const told = problems.filter((problem) => problem.severity !== "information").map(formatClusterProblem);
    const usable = problems.every((problem) => problem.severity !== "error");
    this.#set(entry, { ...entry.loaded, model: usable ? model : null, loading: false, problems: told });
  }

  async #follow(source: Extract<ClusterSource, { readonly kind: "context" }>, entry: Entry): Promise<void> {
    const first = Promise.withResolvers<void>();
    try {
      entry.follower = await this.#options.followContext(source, (state) => {
        const named =
          state.model === null || source.name === null ? state.model : { ...state.model, name: source.name };
        this.#set(entry, { ...state, source, model: named });
        if (!state.loading) first.resolve();
      });
      if (entry.dropped) await entry.follower.stop();
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error);
      this.#set(entry, { ...entry.loaded, loading: false, problems: [problem] });
      first.resolve();
    }
    await first.promise;
  }

  #set(entry: Entry, loaded: LoadedCluster): void {
    if (entry.dropped) return;
    entry.loaded = loaded;
    this.#options.onChange();
  }

  #drop(key: string, entry: Entry): void {
    entry.dropped = true;
    this.#entries.delete(key);
    if (entry.watching !== null && entry.loaded.source.kind === "file")
      unwatchFile(entry.loaded.source.path, entry.watching);
    void entry.follower?.stop();
  }
}
