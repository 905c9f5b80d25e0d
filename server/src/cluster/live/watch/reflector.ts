// Live cluster, watching: one resource kept equal to the server's. One loop, at most one request in flight;
// it ends only when it is stopped. Source of the protocol: k8s.io/client-go/tools/cache Reflector.
import { CredentialError } from "../credentials/credential.ts";
import type { LiveResource } from "../resource.ts";
import type { ApiClient } from "../transport/api-client.ts";
import { ApiError } from "../transport/api-error.ts";
import { ConnectionError } from "../transport/request.ts";
import { type PlainObject, WireDecoder, WireError } from "../wire/decode.ts";
import { JsonWatchReader } from "../wire/json-lines.ts";
import { StringReader } from "../wire/strings.ts";
import { WatchReader } from "../wire/watch-reader.ts";
import { Backoff } from "./backoff.ts";
import { readChunks } from "./body.ts";
import type { BusyGate } from "./busy-gate.ts";
import type { Clock } from "./clock.ts";
import { DEFAULT_LIMITS, type ReflectorLimits } from "./limits.ts";
import { isProtobuf, JSON_TYPE, type ListPage, PROTOBUF, readPage, textOf } from "./list-page.ts";
import { leadsBackwards, RecentEvents } from "./recent-events.ts";
import type { ReflectorSink } from "./sink.ts";
import { INITIAL_STATE, type ReflectorPhase, type ReflectorState } from "./state.ts";

/** As many `410 Gone` in a row without an event between them make a resource poll. */
const EXPIRED_IN_A_ROW = 3;
/** Milliseconds until what was refused is asked for again, and how much longer each time. */
const FIRST_REFUSAL = 2_000;
const REFUSAL_FACTOR = 4;
/** As many failures in a row make the version suspect: the list is read again. */
const FAILURES_IN_A_ROW = 5;

export class Reflector {
  readonly resource: LiveResource;
  readonly #client: ApiClient;
  readonly #sink: ReflectorSink;
  readonly #clock: Clock;
  readonly #limits: ReflectorLimits;
  readonly #backoff: Backoff;
  readonly #strings = new StringReader();
  readonly #busy: BusyGate;
  #state: ReflectorState = INITIAL_STATE;
  readonly #recent = new RecentEvents();
  #version = "";
  #expired = 0;
  #failures = 0;
  /** 403s in a row. */
  #refusals = 0;
  /** Milliseconds to wait before the next list. */
  #rest = 0;
  /** Milliseconds of the last whole list. */
  #listedAt = 0;
  #abort = new AbortController();
  #attempt = new AbortController();
  #running: Promise<void> | null = null;
  #wake: AbortController | null = null;

  constructor(
    resource: LiveResource,
    client: ApiClient,
    sink: ReflectorSink,
    clock: Clock,
    busy: BusyGate,
    limits: ReflectorLimits = DEFAULT_LIMITS,
  ) {
    this.resource = resource;
    this.#client = client;
    this.#sink = sink;
    this.#clock = clock;
    this.#busy = busy;
    this.#limits = limits;
    this.#backoff = new Backoff(() => clock.random());
  }

  get state(): ReflectorState {
    return this.#state;
  }

  /** Starts the loop; a second call does nothing. */
  start(): void {
    if (this.#running !== null) return;
    this.#abort = new AbortController();
    this.#running = this.#run(this.#abort.signal);
  }

  /** Ends the loop and its request; resolves when nothing of it is left. */
  async stop(): Promise<void> {
    this.#abort.abort();
    this.#attempt.abort();
    await this.#running;
    this.#running = null;
    this.#setState({ phase: "stopped", nextAttempt: null });
  }

  /** Tries now instead of at the planned time (a person asked). */
  retryNow(): void {
    this.#backoff.reset();
    this.#wake?.abort();
  }

  /** Takes everything for stale (sleep, another network): ends the request under way and lists again, after a while. */
  relist(milliseconds: number): void {
    this.#version = "";
    this.#rest = milliseconds;
    this.#attempt.abort();
    this.retryNow();
    if (this.#state.phase === "watching")
      this.#setState({ phase: "waiting", nextAttempt: this.#clock.now() + milliseconds });
  }

  async #run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      this.#attempt = new AbortController();
      const attempt = this.#attempt.signal;
      try {
        if (this.#rest > 0) await this.#restOnce(signal);
        if (this.#version === "") await this.#list(attempt);
        await this.#watch(attempt);
      } catch (error) {
        if (!attempt.aborted) await this.#recover(error, signal);
      }
    }
  }

  async #restOnce(signal: AbortSignal): Promise<void> {
    const milliseconds = this.#rest;
    this.#rest = 0;
    await this.#pause("", milliseconds, "waiting", signal);
  }

  async #list(signal: AbortSignal): Promise<void> {
    // What is refused stays so until an answer says otherwise.
    const { phase } = this.#state;
    if (phase !== "forbidden" && phase !== "not-served") this.#setState({ phase: "listing", nextAttempt: null });
    this.#sink.beginList();
    try {
      let page = await this.#page("", signal);
      while (page.next !== "") page = await this.#page(page.next, signal);
      this.#sink.commitList();
      this.#version = page.version;
    } catch (error) {
      this.#sink.abandonList();
      throw error;
    }
    this.#recent.clear();
    this.#listedAt = this.#clock.now();
    this.#setState({
      phase: "listing",
      asOf: this.#listedAt,
      synced: true,
      problem: "",
      unreachable: false,
      nextAttempt: null,
    });
  }

  /** Reads one answer of a list; `from` is the `continue` of the one before. A server may page unasked. */
  async #page(from: string, signal: AbortSignal): Promise<ListPage> {
    const { resource } = this;
    const path = `${resource.path}${query({ fieldSelector: resource.fieldSelector, continue: from })}`;
    await this.#busy.wait(signal);
    const { deadline, silence } = this.#limits;
    const answer = await this.#client.get(path, `${PROTOBUF},${JSON_TYPE}`, deadline, signal);
    const listed = (item: PlainObject): void => this.#sink.listed(item);
    return readPage(answer, from, { resource, strings: this.#strings, silence, signal, listed });
  }

  async #watch(signal: AbortSignal): Promise<void> {
    const path = `${this.resource.path}${query({
      fieldSelector: this.resource.fieldSelector,
      watch: "true",
      allowWatchBookmarks: "true",
      resourceVersion: this.#version,
      timeoutSeconds: String(300 + Math.floor(300 * this.#clock.random())),
    })}`;
    await this.#busy.wait(signal);
    const accept = `${PROTOBUF};stream=watch,${JSON_TYPE};stream=watch`;
    const answer = await this.#client.get(path, accept, this.#limits.deadline, signal);
    const started = this.#clock.now();
    this.#refusals = 0;
    this.#setState({ phase: "watching", problem: "", unreachable: false, nextAttempt: null, asOf: started });
    const reader = isProtobuf(answer.headers["content-type"])
      ? new WatchReader(new WireDecoder(this.#strings), this.resource.schema)
      : new JsonWatchReader();
    let alive = false;
    try {
      alive = await readChunks(answer.body, this.#limits.silence, signal, (chunk) => {
        for (const frame of reader.push(chunk)) this.#take(frame.type, frame.object);
        this.#state = { ...this.#state, asOf: this.#clock.now() };
      });
    } finally {
      // However it ended: what went wrong before it is forgiven.
      if (this.#clock.now() - started >= this.#limits.healthy) this.#forgive();
    }
    if (this.#clock.now() - started < this.#limits.healthy && !signal.aborted) {
      await this.#pause("the server ended the watch at once", this.#backoff.next(), "waiting", signal);
    }
    // A frame that was cut off, or a silent stream, resumes from the last whole version: nothing is lost.
    if (!alive && !signal.aborted) this.#setState({ problem: "the stream went silent; it is opened again" });
    // A whole list now and then corrects what a faulty cache of the server never told.
    if (this.#clock.now() - this.#listedAt > this.#limits.resync) this.#version = "";
  }

  #forgive(): void {
    this.#backoff.reset();
    this.#failures = 0;
    this.#expired = 0;
  }

  #take(type: string, object: PlainObject): void {
    if (type === "ERROR") throw statusOf(object);
    const metadata = object.metadata;
    const version =
      typeof metadata === "object" && metadata !== null && "resourceVersion" in metadata
        ? textOf(metadata.resourceVersion)
        : "";
    if (type === "BOOKMARK") {
      if (leadsBackwards(version, this.#version)) throw new WireError("the server's versions went backwards");
      if (version !== "") this.#version = version;
      return;
    }
    if (type !== "ADDED" && type !== "MODIFIED" && type !== "DELETED")
      throw new WireError(`a watch event of the unknown type ${type}`);
    this.#expired = 0;
    if (!this.#recent.isNew(type, version)) return;
    if (type === "DELETED") this.#sink.deleted(object);
    else this.#sink.changed(object);
    if (version !== "") this.#version = version;
  }

  /** Decides what a failure means and waits accordingly. */
  async #recover(error: unknown, signal: AbortSignal): Promise<void> {
    if (error instanceof ApiError) {
      await this.#recoverFromAnswer(error, signal);
    } else if (error instanceof CredentialError) {
      await this.#pause(error.message, Number.POSITIVE_INFINITY, "sign-in-needed", signal);
    } else if (error instanceof WireError) {
      this.#version = "";
      await this.#pause(
        `the answer is damaged (${error.message}); the list is read again`,
        this.#backoff.next(),
        "waiting",
        signal,
      );
    } else {
      const message = error instanceof Error ? error.message : String(error);
      this.#state = { ...this.#state, unreachable: error instanceof ConnectionError };
      await this.#pause(message, this.#backoff.next(), "waiting", signal);
    }
  }

  async #recoverFromAnswer(error: ApiError, signal: AbortSignal): Promise<void> {
    if (error.gone) {
      await this.#recoverFromGone(error, signal);
      return;
    }
    if (error.status === 403) {
      this.#version = "";
      this.#state = { ...this.#state, synced: false };
      // A server that has just started refuses everybody until it has read its roles: soon at first, rarely later.
      const wait = Math.min(this.#limits.slow, FIRST_REFUSAL * REFUSAL_FACTOR ** this.#refusals);
      this.#refusals += 1;
      await this.#pause(error.message, wait, "forbidden", signal);
      return;
    }
    if (error.status === 404 && this.resource.optional) {
      this.#version = "";
      this.#state = { ...this.#state, synced: false };
      await this.#pause("not served by this cluster", this.#limits.slow * 6, "not-served", signal);
      return;
    }
    if (error.status === 429 || error.status === 503) {
      const wait = error.retryAfter ?? this.#backoff.next();
      this.#busy.hold(wait);
      await this.#pause(`the server is busy: ${error.message}`, wait + this.#clock.random() * 1000, "waiting", signal);
      return;
    }
    // A version that the server cannot serve fails for ever (its storage was restored from an older backup).
    this.#failures += 1;
    if (error.tooLargeVersion || this.#failures % FAILURES_IN_A_ROW === 0) this.#version = "";
    await this.#pause(error.message, this.#backoff.next(), "waiting", signal);
  }

  async #recoverFromGone(error: ApiError, signal: AbortSignal): Promise<void> {
    this.#version = "";
    this.#expired += 1;
    if (this.#expired >= EXPIRED_IN_A_ROW) {
      await this.#pause(
        "the server expires every version at once; the whole list is read now and then",
        this.#limits.slow,
        "polling",
        signal,
      );
    } else if (this.#expired > 1) await this.#pause(error.message, this.#backoff.next(), "waiting", signal);
  }

  async #pause(problem: string, milliseconds: number, phase: ReflectorPhase, signal: AbortSignal): Promise<void> {
    const finite = Number.isFinite(milliseconds);
    this.#setState({ phase, problem, nextAttempt: finite ? this.#clock.now() + milliseconds : null });
    const wake = new AbortController();
    const onAbort = (): void => wake.abort();
    signal.addEventListener("abort", onAbort);
    this.#wake = wake;
    await this.#clock.sleep(finite ? milliseconds : 2 ** 31 - 1, wake.signal);
    this.#wake = null;
    signal.removeEventListener("abort", onAbort);
  }

  #setState(change: Partial<ReflectorState>): void {
    this.#state = { ...this.#state, ...change };
    this.#sink.stateChanged();
  }
}

/** An ERROR frame's Status as the answer that it stands for. */
function statusOf(object: PlainObject): ApiError {
  const { code, reason, message, details } = object;
  const seconds =
    typeof details === "object" && details !== null && "retryAfterSeconds" in details ? details.retryAfterSeconds : 0;
  return new ApiError(
    typeof code === "number" ? code : 0,
    textOf(reason),
    textOf(message) || "the watch ended with an error",
    typeof seconds === "number" && seconds > 0 ? seconds * 1000 : null,
  );
}

/** `?a=b&c=d`; empty values are left out. */
function query(values: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(values).filter(([, value]) => value !== "");
  return pairs.length === 0 ? "" : `?${new URLSearchParams(pairs).toString()}`;
}
