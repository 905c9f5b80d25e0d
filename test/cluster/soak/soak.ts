// A soak: a real control plane under churn and faults, followed by a process of its own. At intervals the cluster is
// brought back to the same state; then the followed model must equal a fresh list, and what the process holds is noted.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildPrograms } from "../build.ts";
import { type ControlPlane, startControlPlane } from "../control-plane.ts";
import { freshEssence } from "../live/essence.ts";
import { type FaultyProxy, startProxy } from "../live/proxy.ts";
import { Churn } from "./churn.ts";
import { type Followed, startFollower } from "./followed.ts";
import type { Usage } from "./follower.ts";

export interface SoakOptions {
  /** Milliseconds of churn and measurements; the start comes on top. */
  readonly duration: number;
  /** Milliseconds of churn between two measurements. */
  readonly interval: number;
  readonly say: (line: string) => void;
}

export interface SoakReport {
  /** One for each interval, in order; the first, in which caches fill, is left out. */
  readonly usages: readonly Usage[];
  /** Random changes that were made. */
  readonly steps: number;
  /** Models that were given out. */
  readonly models: number;
  readonly faults: Readonly<Record<Fault, number>>;
}

type Fault = "streams cut" | "server restarted" | "versions compacted";

/** Milliseconds between two changes. */
const PAUSE = 60;
/** Milliseconds the follower may take to equal a fresh list. */
const PATIENCE = 90_000;

/**
 * Runs a soak.
 * @throws Error when the followed model does not come to equal a fresh list, or is not live then.
 */
export async function runSoak({ duration, interval, say }: SoakOptions): Promise<SoakReport> {
  await buildPrograms(say);
  const cluster = await startControlPlane({ controllerManager: true, scheduler: true, kwok: true });
  const proxy = await startProxy(cluster.server);
  const folder = mkdtempSync(join(tmpdir(), "taintwise-soak-"));
  const kubeconfig = join(folder, "kubeconfig");
  const admin = cluster.kubeconfigFor({ name: "admin", token: cluster.token });
  writeFileSync(kubeconfig, admin.replace(cluster.server, proxy.url));
  const follower = startFollower(kubeconfig, folder);
  try {
    return await soak({ cluster, proxy, follower, duration, interval, say });
  } catch (error) {
    // A runner that tries again keeps quiet about the first failure.
    say(`failed: ${error instanceof Error ? error.message : String(error)}`);
    throw error;
  } finally {
    await follower.stop();
    await proxy.stop();
    await cluster.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Running extends SoakOptions {
  readonly cluster: ControlPlane;
  readonly proxy: FaultyProxy;
  readonly follower: Followed;
}

async function soak({ cluster, proxy, follower, duration, interval, say }: Running): Promise<SoakReport> {
  const churn = new Churn(cluster.api, seeded(1));
  await churn.begin();
  const faults = { "streams cut": 0, "server restarted": 0, "versions compacted": 0 };
  const usages: Usage[] = [];
  const started = Date.now();
  // On a busy machine rounds are few: each fault happens once all the same.
  const missing = (): boolean => Object.values(faults).includes(0);
  for (let round = 0; Date.now() - started < duration || missing(); round += 1) {
    const end = Date.now() + interval;
    const fault = roundFault(round);
    let due = Date.now() + interval / 2;
    while (Date.now() < end) {
      if (Date.now() >= due) {
        due = Number.POSITIVE_INFINITY;
        faults[fault] += 1;
        await inflict(fault, cluster, proxy, churn);
      }
      await churn.step();
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
    }
    await churn.reset();
    await untilEqual(cluster, follower);
    const usage = await follower.usage();
    if (round > 0) usages.push(usage);
    say(`${seconds(Date.now() - started)} s, ${churn.steps} changes, ${fault}: ${describeUsage(usage)}`);
  }
  const { models } = await follower.standing();
  return { usages, steps: churn.steps, models, faults };
}

/** Streams are cut in every second round. */
function roundFault(round: number): Fault {
  if (round % 2 === 0) return "streams cut";
  return round % 4 === 1 ? "versions compacted" : "server restarted";
}

async function inflict(fault: Fault, cluster: ControlPlane, proxy: FaultyProxy, churn: Churn): Promise<void> {
  if (fault === "streams cut") {
    proxy.cut();
    return;
  }
  if (fault === "versions compacted") {
    // While nobody listens, versions pass and are forgotten: resuming is answered with 410.
    proxy.deaf(true);
    for (let times = 0; times < 10; times += 1) await churn.step();
    await compact(cluster);
  }
  await cluster.stopComponent("kube-apiserver", true);
  await cluster.startComponent("kube-apiserver");
  proxy.deaf(false);
}

/** Forgets everything in etcd but the present state. */
async function compact(cluster: ControlPlane): Promise<void> {
  const post = async (path: string, body: object): Promise<unknown> => {
    const answer = await fetch(`${cluster.etcd}${path}`, { method: "POST", body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`etcd ${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  };
  const status = (await post("/v3/maintenance/status", {})) as { readonly header: { readonly revision: string } };
  await post("/v3/kv/compaction", { revision: status.header.revision, physical: true });
}

async function untilEqual(cluster: ControlPlane, follower: Followed): Promise<void> {
  const deadline = Date.now() + PATIENCE;
  for (;;) {
    const [fresh, held] = [await freshEssence(cluster.api), await follower.standing()];
    if (held.origin === "live" && JSON.stringify(held.lines) === JSON.stringify(fresh)) return;
    if (Date.now() > deadline) {
      const only = (left: readonly string[], right: readonly string[]): string =>
        left.filter((line) => !right.includes(line)).join("; ");
      throw new Error(
        `the followed model (${held.origin}) is no fresh list; only held: ${only(held.lines, fresh)}; only fresh: ${only(fresh, held.lines)}; ${held.problems.join("; ")}`,
      );
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** Medians of the first and the last third of a measure, in the measure's own unit. */
export function thirds(
  usages: readonly Usage[],
  measure: keyof Usage,
): { readonly first: number; readonly last: number } {
  const third = Math.max(1, Math.floor(usages.length / 3));
  const median = (part: readonly Usage[]): number =>
    part.map((usage) => usage[measure]).sort((left, right) => left - right)[Math.floor(part.length / 2)] ?? 0;
  return { first: median(usages.slice(0, third)), last: median(usages.slice(-third)) };
}

/** How much the last third may be above the first: part of it, plus so much whatever it is. */
interface Tolerance {
  readonly part: number;
  readonly plus: number;
}

const MEGABYTE = 1024 * 1024;

/**
 * What counts as flat. The heap after collection moves by what the engine compiles and caches; descriptors and handles
 * by connections that are being replaced at the moment of the look.
 */
const TOLERANCES: Readonly<Record<"heap" | "external" | "descriptors" | "handles", Tolerance>> = {
  heap: { part: 0.05, plus: 2 * MEGABYTE },
  external: { part: 0.05, plus: 2 * MEGABYTE },
  descriptors: { part: 0, plus: 6 },
  handles: { part: 0, plus: 6 },
};

/** What grew, in sentences; empty when everything stayed flat. */
export function growth(usages: readonly Usage[]): readonly string[] {
  return (["heap", "external", "descriptors", "handles"] as const).flatMap((measure) => {
    const { first, last } = thirds(usages, measure);
    const { part, plus } = TOLERANCES[measure];
    return last <= first * (1 + part) + plus ? [] : [`${measure} grew from ${first} to ${last}`];
  });
}

/** For people: megabytes and counts. */
export function describeUsage({ heap, reserved, external, resident, descriptors, handles }: Usage): string {
  const megabytes = (bytes: number): string => (bytes / MEGABYTE).toFixed(1);
  return `heap ${megabytes(heap)} of ${megabytes(reserved)} MB, buffers ${megabytes(external)} MB, resident ${megabytes(resident)} MB, ${descriptors} descriptors, ${handles} handles`;
}

const seconds = (milliseconds: number): string => (milliseconds / 1000).toFixed(0);

/** Numbers in [0, 1) that are the same in every run. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
