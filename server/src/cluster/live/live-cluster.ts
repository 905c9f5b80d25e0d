// Live cluster: one context, watched. Reflectors fill the stores; changes are collected and given out as one new model
// a few times a second, however many events come.
import { createInterner } from "../../kube/decode/interner.ts";
import type { ObjectWriter } from "../change.ts";
import type { ClusterModel, ClusterPart } from "../model.ts";
import { CLUSTER_PARTS } from "../model.ts";
import type { OnNodeQuestions, OnNodeReading } from "../on-node.ts";
import { type FollowedResource, liveModel, unreadModel } from "./live-model.ts";
import { readOnNode } from "./node-proxy/node-proxy.ts";
import { Pace } from "./pace.ts";
import { inNamespace, LIVE_RESOURCES, type LiveResource } from "./resource.ts";
import { readVersion } from "./server-version.ts";
import { type Change, ResourceStore } from "./store.ts";
import type { ApiClient } from "./transport/api-client.ts";
import { BusyGate } from "./watch/busy-gate.ts";
import type { Clock } from "./watch/clock.ts";
import { DEFAULT_LIMITS, type ReflectorLimits } from "./watch/limits.ts";
import { Reflector } from "./watch/reflector.ts";
import type { ReflectorSink } from "./watch/sink.ts";
import type { ReflectorState } from "./watch/state.ts";
import { ApiWriter } from "./write/api-writer.ts";
import type { ChangePermit } from "./write/permit.ts";

export interface LiveOptions {
  /** What the model is called: the context's name. */
  readonly name: string;
  readonly client: ApiClient;
  readonly clock: Clock;
  /** Called with each new model; never more often than `flushEvery`. */
  readonly onModel: (model: ClusterModel) => void;
  /** Called when a resource changes its state. */
  readonly onState: (states: ReadonlyMap<string, ReflectorState>) => void;
  readonly resources?: readonly LiveResource[];
  /** Namespaces that are read where the whole cluster may not be. */
  readonly namespaces?: readonly string[];
  readonly limits?: ReflectorLimits;
  /** Milliseconds between two models; more where looking at one takes long. */
  readonly flushEvery?: number;
  /** Milliseconds that a look at the clock may come too late before the machine is thought to have slept. */
  readonly sleptAfter?: number;
}

const FLUSH_EVERY = 250;
/** Milliseconds between looks at the clock. */
const TICK = 5_000;
/** A tick that comes this much too late means that the machine slept: everything is taken for stale. */
const SLEPT = 30_000;
/** Milliseconds over which the clusters of one machine that woke up are read again. */
const WAKE_SPREAD = 2_000;
/** Distinct values of each sort that are shared between objects; more would be remembered for nothing. */
const SHARED_VALUES = 8_192;

interface Followed extends FollowedResource {
  readonly reflector: Reflector;
}

export class LiveCluster {
  readonly #options: LiveOptions;
  /** Of the whole cluster. */
  readonly #followed: readonly Followed[];
  /** By the id of a resource that is refused as a whole: the same in single namespaces. */
  readonly #inNamespaces = new Map<string, readonly Followed[]>();
  readonly #follow: (resource: LiveResource) => Followed;
  readonly #dirty = new Set<ClusterPart>();
  readonly #pace: Pace;
  #model: ClusterModel;
  #flush: NodeJS.Timeout | null = null;
  #stop: AbortController | null = null;
  #settled = false;
  #version = "";
  /** Milliseconds of the last look at the clock. */
  #awakeAt = Number.POSITIVE_INFINITY;
  /** Whether the server's version is being asked for. */
  #asking = false;
  /** Whether something that people must be told changed since the last model. */
  #news = false;

  constructor(options: LiveOptions) {
    this.#options = options;
    this.#pace = new Pace(options.flushEvery ?? FLUSH_EVERY);
    this.#model = unreadModel(options.name);
    const busy = new BusyGate(options.clock);
    const interner = createInterner({ most: SHARED_VALUES, bySource: true });
    this.#follow = (resource) => {
      const store = new ResourceStore(resource, interner);
      const reflector = new Reflector(
        resource,
        options.client,
        this.#sink(store),
        options.clock,
        busy,
        options.limits ?? DEFAULT_LIMITS,
      );
      return {
        store,
        reflector,
        get state() {
          return reflector.state;
        },
      };
    };
    this.#followed = (options.resources ?? LIVE_RESOURCES).map(this.#follow);
  }

  get model(): ClusterModel {
    return this.#model;
  }

  /** State of every resource by its id. */
  get states(): ReadonlyMap<string, ReflectorState> {
    return new Map(this.#all.map(({ reflector }) => [reflector.resource.id, reflector.state]));
  }

  /** Whether every resource was read once, or refused: nothing more is to come by itself. */
  get settled(): boolean {
    if (this.#asking) return false;
    return this.#all.every(({ state }) => state.synced || (state.phase !== "listing" && state.phase !== "stopped"));
  }

  start(): void {
    if (this.#stop !== null) return;
    const stop = new AbortController();
    this.#stop = stop;
    for (const { reflector } of this.#followed) reflector.start();
    void this.#askVersion(stop.signal);
    void this.#tick(stop.signal);
  }

  /** Ends every request and timer; resolves when none is left. */
  async stop(): Promise<void> {
    this.#stop?.abort();
    this.#stop = null;
    if (this.#flush !== null) clearTimeout(this.#flush);
    this.#flush = null;
    await Promise.all(this.#all.map(({ reflector }) => reflector.stop()));
    this.#options.client.close();
  }

  /** Tries every waiting resource now, because a person asks; credentials too may be asked for again. */
  retryNow(): void {
    this.#options.client.forgive();
    for (const { reflector } of this.#all) reflector.retryNow();
  }

  /** Asks a node's kubelet, because a person asks; see `readOnNode`. */
  askNode(questions: OnNodeQuestions, signal: AbortSignal): Promise<OnNodeReading> {
    const { client, clock } = this.#options;
    return readOnNode(client, questions, () => clock.now(), signal);
  }

  /** What changes single objects of the cluster, for whoever has leave to; see write/. */
  writer(permit: ChangePermit): ObjectWriter {
    return new ApiWriter(this.#options.client, permit);
  }

  #sink(store: ResourceStore): ReflectorSink {
    const note = (change: Change): void => {
      if (change === "none") return;
      this.#dirty.add(store.resource.part);
      // Heartbeats and renewals go along with the next real change.
      if (change !== "changed") return;
      this.#news = true;
      this.#schedule();
    };
    return {
      beginList: () => store.beginList(),
      listed: (object) => store.listed(object),
      commitList: () => {
        note(store.commitList());
        this.#schedule();
      },
      abandonList: () => store.abandonList(),
      changed: (object) => note(store.changed(object)),
      deleted: (object) => note(store.deleted(object)),
      stateChanged: () => this.#stateChanged(store),
    };
  }

  #stateChanged(store: ResourceStore): void {
    const followed = this.#all.find((each) => each.store === store);
    if (followed?.state.phase === "forbidden" && store.clear() === "changed") {
      this.#dirty.add(store.resource.part);
      this.#news = true;
    }
    if (followed?.state.phase === "watching") this.#serverIsBack();
    if (followed !== undefined) this.#readNamespaces(followed);
    unharmed(() => this.#options.onState(this.states));
    this.#schedule();
  }

  /** Everything that is followed now; nothing while the first of it is made. */
  get #all(): readonly Followed[] {
    return [...(this.#followed ?? []), ...[...this.#inNamespaces.values()].flat()];
  }

  /** Single namespaces are read while the whole is refused, and no longer. */
  #readNamespaces({ reflector, state }: Followed): void {
    const { resource } = reflector;
    const { namespaces = [] } = this.#options;
    if (!resource.namespaced || resource.namespace !== null || namespaces.length === 0) return;
    const held = this.#inNamespaces.get(resource.id);
    if (state.phase === "forbidden" && held === undefined && this.#stop !== null) {
      const parts = namespaces.map((namespace) => this.#follow(inNamespace(resource, namespace)));
      this.#inNamespaces.set(resource.id, parts);
      for (const part of parts) part.reflector.start();
    }
    if (state.phase === "watching" && held !== undefined) {
      this.#inNamespaces.delete(resource.id);
      this.#dirty.add(resource.part);
      this.#news = true;
      for (const part of held) void part.reflector.stop();
    }
  }

  /** What reached the server first spares the others the rest of their pause. */
  #serverIsBack(): void {
    if (this.#version === "" && this.#stop !== null) void this.#askVersion(this.#stop.signal);
    for (const { reflector } of this.#all) {
      if (reflector.state.phase === "waiting" && reflector.state.unreachable) reflector.retryNow();
    }
  }

  /** Everybody may read the version; where it cannot be had, it stays unknown. */
  async #askVersion(signal: AbortSignal): Promise<void> {
    if (this.#asking) return;
    this.#asking = true;
    this.#version = await readVersion(this.#options.client, this.#options.limits ?? DEFAULT_LIMITS, signal);
    this.#asking = false;
    if (this.#version !== "") this.#news = true;
    this.#schedule();
  }

  #schedule(): void {
    if (this.#flush !== null || this.#stop === null) return;
    this.#flush = setTimeout(() => {
      this.#flush = null;
      this.#give();
    }, this.#pace.pause);
  }

  #give(): void {
    // Whichever timer comes first after a sleep: nothing from before it may be given out as fresh.
    this.#noticeSleep();
    // Before the first settling a model would only say what is not read yet.
    if (!this.#settled && !this.settled) return;
    const first = !this.#settled;
    this.#settled = true;
    const here = this.#options.clock.now();
    const now = { here, server: here + this.#options.client.clockSkew };
    const dirty = first ? new Set(CLUSTER_PARTS) : this.#dirty;
    const next = liveModel({ ...this.#model, serverVersion: this.#version }, this.#all, dirty, now);
    if (!first && !this.#news && sameStanding(this.#model, next)) return;
    this.#dirty.clear();
    this.#news = false;
    this.#model = next;
    this.#pace.give(() => unharmed(() => this.#options.onModel(next)));
  }

  /**
   * A process that slept (the machine did, or it was stopped) takes everything for stale at once: what is held becomes a
   * memory, the connections from before, half dead, are left, and everything is read once more.
   */
  #noticeSleep(): void {
    const { client, clock } = this.#options;
    const now = clock.now();
    const slept = now - this.#awakeAt > TICK + (this.#options.sleptAfter ?? SLEPT);
    this.#awakeAt = now;
    if (!slept || this.#stop === null) return;
    const spread = 1 + WAKE_SPREAD * clock.random();
    for (const { reflector } of this.#all) reflector.relist(spread);
    client.close();
  }

  async #tick(signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    this.#awakeAt = clock.now();
    while (!signal.aborted) {
      await clock.sleep(TICK, signal);
      if (signal.aborted) return;
      this.#noticeSleep();
      this.#schedule();
    }
  }
}

/** What throws in a handler is the handler's fault: it surfaces, and the cluster is followed on. */
function unharmed(tell: () => void): void {
  try {
    tell();
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}

/** Whether two models with the same objects also say the same of their age and their gaps. */
function sameStanding(before: ClusterModel, after: ClusterModel): boolean {
  return (
    before.origin === after.origin &&
    (after.origin === "live" || before.observedAt === after.observedAt) &&
    CLUSTER_PARTS.every((part) => before.parts[part] === after.parts[part])
  );
}
