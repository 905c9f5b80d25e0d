// Bench: measurements on the generated feed: what an event costs, what a storm does to the language server, and what a
// cluster larger than any real one needs.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type FollowerReport, LineChild, MEGABYTE, pause } from "./child.ts";
import { BenchedServer } from "./language-server.ts";

const FEED = new URL("feed/main.ts", import.meta.url).pathname;
const FOLLOWER = new URL("follower.ts", import.meta.url).pathname;

export interface FollowedFeed {
  /** Until the first whole model. */
  readonly seconds: number;
  readonly nodes: number;
  readonly pods: number;
  /** Megabytes. */
  readonly peak: number;
  readonly steady: number;
}

/** A feed as a process of its own, and a kubeconfig that leads to it. */
class FeedProcess {
  readonly #child: LineChild;
  readonly #folder = mkdtempSync(join(tmpdir(), "taintwise-feed-"));
  readonly kubeconfig = join(this.#folder, "kubeconfig");

  constructor(nodes: number, podsPerNode: number) {
    this.#child = new LineChild([FEED, String(nodes), String(podsPerNode)]);
  }

  async ready(): Promise<void> {
    const { url } = await this.#child.next<{ readonly url: string }>();
    writeFileSync(
      this.kubeconfig,
      `{apiVersion: v1, kind: Config, current-context: test, clusters: [{name: test, cluster: {server: "${url}"}}],
contexts: [{name: test, context: {cluster: test}}]}\n`,
    );
  }

  /** Resolves when the last of `rate` × `seconds` events was sent. */
  async send(what: "pods" | "nodes", rate: number, seconds: number): Promise<void> {
    await this.#child.ask(`${what} ${rate} ${seconds}`);
  }

  async stop(): Promise<void> {
    await this.#child.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** Follows a feed of this size in a process with `flags` and lets it rest for `seconds`. */
export async function followFeed(
  nodes: number,
  podsPerNode: number,
  flags: readonly string[],
  seconds: number,
): Promise<FollowedFeed> {
  const feed = new FeedProcess(nodes, podsPerNode);
  await feed.ready();
  const follower = new LineChild([...flags, FOLLOWER, feed.kubeconfig]);
  const first = await follower.next<{ readonly milliseconds: number; readonly nodes: number; readonly pods: number }>();
  await pause(seconds);
  const { now, most } = follower.memory;
  await follower.stop();
  await feed.stop();
  return {
    seconds: first.milliseconds / 1000,
    nodes: first.nodes,
    pods: first.pods,
    peak: most / MEGABYTE,
    steady: now / MEGABYTE,
  };
}

/** CPU microseconds of the following process for each event. */
export interface EventCost {
  /** Among a thousand pod events a second. */
  readonly podInStorm: number;
  /** Among a hundred node events a second. */
  readonly nodeInStorm: number;
  /** One pod event by itself, with a model of its own. */
  readonly podAlone: number;
}

/** Measures at `nodes` nodes with thirty pods each. */
export async function eventCost(nodes: number): Promise<EventCost> {
  const feed = new FeedProcess(nodes, 30);
  await feed.ready();
  const follower = new LineChild([FOLLOWER, feed.kubeconfig]);
  await follower.next();
  const cost = async (what: "pods" | "nodes", rate: number, seconds: number): Promise<number> => {
    await follower.ask("");
    await feed.send(what, rate, seconds);
    // What came last still becomes a model.
    await pause(1);
    const { cpuMicroseconds } = await follower.ask<FollowerReport>("");
    return cpuMicroseconds / (rate * seconds);
  };
  // Code that has not run yet is not compiled.
  await cost("pods", 1_000, 8);
  await cost("nodes", 100, 4);
  const podInStorm = await cost("pods", 1_000, 10);
  const nodeInStorm = await cost("nodes", 100, 10);
  const podAlone = await cost("pods", 3, 10);
  await follower.stop();
  await feed.stop();
  return { podInStorm, nodeInStorm, podAlone };
}

export interface Latency {
  /** Milliseconds. */
  readonly median: number;
  readonly p95: number;
  readonly most: number;
}

/** What an editor's questions take beside a quiet cluster and in a storm of pod events. */
export interface StormAnswers {
  readonly quiet: Latency;
  readonly storm: Latency;
  /** Of one core, what the server takes in the storm: what a busy machine does not change. */
  readonly share: number;
  /** Megabytes of the server at most. */
  readonly peak: number;
}

/** Types into the open manifest four times a second, for `seconds` quietly and as long in a storm of `rate` events. */
export async function stormAnswers(nodes: number, rate: number, seconds: number): Promise<StormAnswers> {
  const feed = new FeedProcess(nodes, 30);
  await feed.ready();
  const storage = mkdtempSync(join(tmpdir(), "taintwise-bench-storage-"));
  const server = new BenchedServer(feed.kubeconfig, storage);
  await server.follow();
  let version = 2;
  const type = async (during: Promise<void>): Promise<Latency> => {
    const times: number[] = [];
    let over = false;
    void during.then(() => {
      over = true;
    });
    while (!over) {
      version += 1;
      times.push(await server.type(version));
      await pause(0.25);
    }
    times.sort((left, right) => left - right);
    const at = (share: number): number => times[Math.floor((times.length - 1) * share)] ?? 0;
    return { median: at(0.5), p95: at(0.95), most: at(1) };
  };
  await type(pause(seconds / 2));
  const quiet = await type(pause(seconds));
  const before = { cpu: server.cpu, time: performance.now() };
  const storm = await type(feed.send("pods", rate, seconds));
  const share = (server.cpu - before.cpu) / (performance.now() - before.time);
  const peak = server.memory.most / MEGABYTE;
  await server.stop();
  await feed.stop();
  rmSync(storage, { recursive: true, force: true });
  return { quiet, storm, share, peak };
}
