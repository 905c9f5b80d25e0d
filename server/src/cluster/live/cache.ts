// Live cluster: the last model of each context in the user's storage, so that the next start shows it at once, with its
// age. No secrets are in it (see the snapshot's format).
import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { ClusterModel } from "../model.ts";
import { readSnapshot } from "../snapshot/read-snapshot.ts";
import { saveSnapshot } from "../snapshot/save-snapshot.ts";
import type { KubeContext } from "./kubeconfig/merge.ts";

/** What a connection is known by: two files may each have a context `default`. */
export interface ContextKey {
  /** Path of the kubeconfig file that defines the context. */
  readonly path: string;
  readonly name: string;
  /** Where it leads: another server is another cluster. */
  readonly server: string;
}

/** Milliseconds between two writes of one context. */
const WRITE_EVERY = 60_000;
/** Milliseconds after which a snapshot that nobody wrote again is forgotten: a quarter of a year. */
const KEPT = 90 * 86_400_000;
const SUFFIX = ".taintwise.gz";

/** What a context of the kubeconfig is remembered by. */
export function cacheKeyOf(context: KubeContext): ContextKey {
  return { path: context.path, name: context.name, server: context.cluster?.server ?? "" };
}

export class LiveCache {
  readonly #folder: string;
  readonly #key: ContextKey;
  readonly #onProblem: (message: string) => void;
  #pending: ClusterModel | null = null;
  #timer: NodeJS.Timeout | null = null;
  #writing: Promise<void> = Promise.resolve();
  #wroteAt = Number.NEGATIVE_INFINITY;

  /** `folder` is the user's storage; `onProblem` is told, in a sentence, when a snapshot cannot be written. */
  constructor(folder: string, key: ContextKey, onProblem: (message: string) => void) {
    this.#folder = folder;
    this.#key = key;
    this.#onProblem = onProblem;
  }

  /** The model remembered; null when there is none or it cannot be read (then it is forgotten). */
  async read(): Promise<ClusterModel | null> {
    let bytes: Buffer;
    try {
      bytes = await readFile(this.#path);
    } catch {
      // No snapshot yet is the usual case; any other reason ends the same way: nothing is remembered.
      return null;
    }
    const { model, problem } = readSnapshot(bytes);
    if (model === null) {
      this.#onProblem(`the remembered state of ${this.#key.name} is not used: ${problem}`);
      await rm(this.#path, { force: true });
      return null;
    }
    return { ...model, name: this.#key.name, origin: "cache" };
  }

  /** Remembers a live model, soon: the newest of those given within a minute is written. */
  remember(model: ClusterModel): void {
    if (model.origin !== "live") return;
    this.#pending = model;
    if (this.#timer !== null) return;
    const wait = Math.max(1_000, this.#wroteAt + WRITE_EVERY - performance.now());
    this.#timer = setTimeout(() => {
      this.#timer = null;
      void this.flush();
    }, wait);
    this.#timer.unref();
  }

  /** Writes what is not written yet; resolves when it is on the disk. */
  flush(): Promise<void> {
    const model = this.#pending;
    this.#pending = null;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (model !== null) this.#writing = this.#writing.then(() => this.#write(model));
    return this.#writing;
  }

  async #write(model: ClusterModel): Promise<void> {
    this.#wroteAt = performance.now();
    try {
      await mkdir(dirname(this.#path), { recursive: true });
      await saveSnapshot(this.#path, model);
      await this.#forgetOld();
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      this.#onProblem(`the state of ${this.#key.name} could not be remembered in ${this.#folder}: ${message}`);
    }
  }

  /** Contexts that were renamed, moved or given up leave their snapshots behind. */
  async #forgetOld(): Promise<void> {
    const folder = dirname(this.#path);
    for (const name of await readdir(folder)) {
      const path = join(folder, name);
      // Another window may have been faster.
      const written = await stat(path).catch(() => null);
      const old = written !== null && written.mtimeMs < Date.now() - KEPT;
      if (old && name.endsWith(SUFFIX)) await rm(path, { force: true });
    }
  }

  get #path(): string {
    const hash = createHash("sha256")
      .update([this.#key.path, this.#key.name, this.#key.server].join("\0"))
      .digest("hex")
      .slice(0, 24);
    return join(this.#folder, "clusters", `${hash}${SUFFIX}`);
  }
}
