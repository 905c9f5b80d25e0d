// LSP layer: clusters judged in slices between requests, so that the explorer's rows come from memory.
import { setImmediate as nextTurn, setTimeout as pause } from "node:timers/promises";
import type { ClusterModel } from "../../cluster/model.ts";
import { type ClusterToJudge, type JudgedCluster, judgeCluster } from "../../explorer/judged-cluster.ts";
import { ExplorerViews } from "../../explorer/view.ts";
import { describeError, type ServerLog } from "../boundary.ts";

export interface JudgingOptions {
  /** The clusters in use as they are now. */
  readonly clusters: () => readonly ClusterToJudge[];
  /** Called after a cluster was judged anew, or is no longer in use. */
  readonly onChange: () => void;
  readonly log: ServerLog;
  /** Whether the client shows an explorer: another one costs nothing before it asks. */
  readonly follows: () => boolean;
  /** Whether somebody types: the processor is theirs. */
  readonly typing: () => boolean;
}

/** Milliseconds a slice may take before other work gets its turn. */
const SLICE = 5;
/** Milliseconds between two looks whether somebody still types. */
const YIELD = 50;
/**
 * Judging again waits this many times as long as it took, so that a busy cluster leaves the processor to others, and so
 * many milliseconds at most: while somebody looks, and while only the badge follows.
 */
const REST = { watched: { times: 4, most: 5_000 }, unwatched: { times: 40, most: 60_000 } } as const;
/** Milliseconds after which a view that asked for nothing counts as hidden. */
const WATCHED_FOR = 30_000;

/**
 * Milliseconds after which a cluster that is followed is judged again though nothing changed: a pod that starts becomes one
 * that hangs, a node that is silent one that is lost.
 */
const AGES_AFTER = 30_000;

/** Judges each cluster again when it changes; until then the last judgement stands. */
export class Judging {
  readonly #options: JudgingOptions;
  readonly #judged = new Map<string, JudgedCluster>();
  /** Models on which a rule failed: they are not tried again. */
  readonly #failed = new WeakSet<ClusterModel>();
  #order: readonly string[] = [];
  #views = new ExplorerViews([]);
  #run: Promise<void> | null = null;
  #askedAt = Number.NEGATIVE_INFINITY;
  /** Ends a rest that was meant for a hidden view. */
  #waking: AbortController | null = null;
  #ageing: NodeJS.Timeout | null = null;
  #stopped = false;

  constructor(options: JudgingOptions) {
    this.#options = options;
  }

  get views(): ExplorerViews {
    return this.#views;
  }

  /** Whether a cluster in use is not judged as it is now. */
  get pending(): boolean {
    return this.#run !== null;
  }

  /** In the order of the sources; clusters that were never judged are left out. */
  get clusters(): readonly JudgedCluster[] {
    return this.#order.flatMap((key) => this.#judged.get(key) ?? []);
  }

  /** The cluster of a key; null when it is not in use (any more) or not judged yet. */
  cluster(key: string): JudgedCluster | null {
    return this.#judged.get(key) ?? null;
  }

  /** Something changed: looks at once what it was, and judges it in the background. */
  refresh(): void {
    if (this.#stopped) return;
    this.#forgetOthers();
    if (!this.#options.follows() && this.#askedAt === Number.NEGATIVE_INFINITY) return;
    if (this.#run !== null || this.#stale().length === 0) return;
    this.#run = this.#judgeAll().finally(() => {
      this.#run = null;
      this.#ageLater();
    });
  }

  /** Somebody looks: what is known shall be new. */
  ask(): void {
    this.#askedAt = performance.now();
    this.#waking?.abort();
    this.refresh();
  }

  /** Resolves when everything is judged, or after so many milliseconds. */
  async settled(patience: number): Promise<void> {
    if (this.#run === null) return;
    const late = new AbortController();
    // The pause ends with the wait: nothing keeps a timer that nobody waits for.
    const limit = pause(patience, undefined, { signal: late.signal, ref: false }).catch(() => undefined);
    await Promise.race([this.#run, limit]);
    late.abort();
  }

  stop(): void {
    this.#stopped = true;
    if (this.#ageing !== null) clearTimeout(this.#ageing);
  }

  #ageLater(): void {
    if (this.#ageing !== null) clearTimeout(this.#ageing);
    if (this.#stopped || !this.#options.clusters().some(({ now }) => now !== undefined)) return;
    this.#ageing = setTimeout(() => this.refresh(), AGES_AFTER);
    this.#ageing.unref();
  }

  #stale(): readonly ClusterToJudge[] {
    return this.#options
      .clusters()
      .filter((cluster) => !this.#failed.has(cluster.model) && !isSame(this.#judged.get(cluster.key), cluster));
  }

  /** Clusters that are no longer in use go; the others keep their order. */
  #forgetOthers(): void {
    const wanted = this.#options.clusters().map(({ key }) => key);
    const gone = [...this.#judged.keys()].filter((key) => !wanted.includes(key));
    for (const key of gone) this.#judged.delete(key);
    const reordered = wanted.join("\n") !== this.#order.join("\n");
    this.#order = wanted;
    if (gone.length > 0 || reordered) this.#changed();
  }

  async #judgeAll(): Promise<void> {
    // What changes in one go is one change.
    await nextTurn();
    for (let took = 0; !this.#stopped; ) {
      // The newest model after the rest, not the one that was new before it.
      if (took > 0) await this.#rest(took);
      const [next] = this.#stale();
      if (next === undefined) return;
      const begun = performance.now();
      await this.#judge(next);
      took = this.#stale().some(({ key }) => key === next.key) ? performance.now() - begun : 0;
    }
  }

  /** Rests after a judgement that took so many milliseconds. */
  async #rest(took: number): Promise<void> {
    const watched = performance.now() - this.#askedAt < WATCHED_FOR;
    const { times, most } = watched ? REST.watched : REST.unwatched;
    const waking = watched ? null : new AbortController();
    this.#waking = waking;
    const options = waking === null ? { ref: false } : { ref: false, signal: waking.signal };
    // The only way that this fails is to be woken.
    await pause(Math.min(most, took * times), undefined, options).catch(() => undefined);
    this.#waking = null;
  }

  async #judge(cluster: ClusterToJudge): Promise<void> {
    try {
      const steps = judgeCluster(cluster);
      let started = performance.now();
      for (let step = steps.next(); ; step = steps.next()) {
        if (step.done) {
          const before = this.#judged.get(cluster.key);
          if (before !== undefined) cluster.history?.observe(before.facts, step.value.facts);
          this.#judged.set(cluster.key, step.value);
          break;
        }
        if (performance.now() - started < SLICE) continue;
        await nextTurn();
        while (this.#options.typing() && !this.#stopped) await pause(YIELD, undefined, { ref: false });
        if (this.#stopped) return;
        started = performance.now();
      }
    } catch (error) {
      this.#options.log.error(`judging ${cluster.model.name}: ${describeError(error)}`);
      this.#failed.add(cluster.model);
    }
    this.#changed();
  }

  #changed(): void {
    this.#views = new ExplorerViews(this.clusters);
    this.#options.onChange();
  }
}

function isSame(judged: JudgedCluster | undefined, cluster: ClusterToJudge): boolean {
  return (
    judged !== undefined &&
    judged.model === cluster.model &&
    judged.config === cluster.config &&
    judged.baseline === cluster.baseline &&
    (cluster.now ?? 0) - (judged.now ?? 0) < AGES_AFTER
  );
}
