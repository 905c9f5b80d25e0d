// Triage layer, on the node: a kubelet's measures held against the thresholds at which it would evict by default.
import type { FileSystemStats, MemoryStats, NodeStats, PodUsage, ProcessStats } from "../../kube/node-stats.ts";
import { formatAmount } from "../../scheduling/amount.ts";
import { listNames } from "../wording/list.ts";
import { formatAge } from "../wording/time.ts";
import { defaultThresholds, type EvictionThresholds } from "./thresholds.ts";

/** One sentence each. */
export interface JudgedStats {
  /** What is wrong. */
  readonly found: readonly string[];
  /** What was measured, and what limits it. */
  readonly seen: readonly string[];
  /** Whether memory and disks were measured; without them nothing found proves nothing. */
  readonly complete: boolean;
}

/** What a node's measures are judged beside. */
export interface StatsSurroundings {
  /** `status.nodeInfo.operatingSystem`. */
  readonly operatingSystem: string;
  /** Pressures that the node's conditions tell of. */
  readonly pressures: readonly string[];
  /** Milliseconds that the node's clock is ahead of the API server's; null: unknown. */
  readonly clockAhead: number | null;
  /** The observation time in milliseconds; null: unknown. */
  readonly now: number | null;
}

/** No default exists for process ids; from here on forks begin to fail. */
const PROCESSES_FULL = 0.95;
/** Close to a threshold the largest users are worth a line. */
const CLOSE = 2;
/** Percent of the last minute in which tasks waited that are worth a line. */
const STALLED = 10;
/** Milliseconds: a Date header is exact to a second, and an answer takes its time; then, what counts as old measures. */
const CLOCK_TOLERATED = 30_000;
const STALE = 5 * 60_000;

interface Measure {
  readonly found: string | null;
  readonly seen: string | null;
  /** Whether it is short or nearly so. */
  readonly close: boolean;
  /** False where it should have been measured and was not. */
  readonly known: boolean;
}

/** Judges a summary. What was not measured is said to be unknown, never taken for well. */
export function judgeStats(stats: NodeStats, around: StatsSurroundings): JudgedStats {
  const limits = defaultThresholds(around.operatingSystem);
  const shared = sameFileSystem(stats.nodeFs, stats.imageFs);
  const memory = judgeMemory(stats.memory, limits);
  const disks = [
    judgeBytes(shared ? "The file system of node and images" : "The node's file system", stats.nodeFs, {
      threshold: shared ? limits.imageFs : limits.nodeFs,
      signal: shared ? "imagefs.available" : "nodefs.available",
    }),
    judgeInodes("The node's file system", stats.nodeFs, limits.nodeFsInodes, "nodefs.inodesFree"),
    ...(shared
      ? []
      : [
          judgeBytes("The images' file system", stats.imageFs, {
            threshold: limits.imageFs,
            signal: "imagefs.available",
          }),
          judgeInodes("The images' file system", stats.imageFs, limits.imageFsInodes, "imagefs.inodesFree"),
        ]),
  ];
  const processes = judgeProcesses(stats.processes);
  const measures = [memory, ...disks, processes];
  const found = [...measures.flatMap((each) => each.found ?? []), ...clockLines(around.clockAhead)];
  return {
    found,
    complete: measures.every(({ known }) => known),
    seen: [
      ...measures.flatMap((each) => each.seen ?? []),
      ...stallLines(stats),
      ...(memory.close ? usersLine("memory", stats.pods, (pod) => pod.memory) : []),
      ...(disks.some(({ close }) => close) ? usersLine("disk", stats.pods, (pod) => pod.disk) : []),
      ...pressureLines(around.pressures, measures),
      ...ageLines(stats.measuredAt, around),
    ],
  };
}

function judgeMemory(memory: MemoryStats | null, limits: EvictionThresholds): Measure {
  const available = memory?.availableBytes ?? null;
  if (available === null) return unknown("Available memory");
  const used = memory?.workingSetBytes ?? null;
  const whole = used === null ? "" : ` of ${bytes(available + used)}`;
  const text = `Memory: ${bytes(available)} available${whole}`;
  return measured(text, available, limits.memory, `memory.available, ${bytes(limits.memory)}`, "pods are evicted");
}

function judgeBytes(
  name: string,
  fs: FileSystemStats | null,
  limit: { readonly threshold: number; readonly signal: string },
): Measure {
  if (fs === null || fs.availableBytes === null || fs.capacityBytes === null || fs.capacityBytes === 0) {
    return unknown(`Free space: ${lower(name)}`);
  }
  const share = fs.availableBytes / fs.capacityBytes;
  const text = `${name}: ${bytes(fs.availableBytes)} of ${bytes(fs.capacityBytes)} available (${percent(share)})`;
  return measured(text, share, limit.threshold, `${limit.signal}, ${percent(limit.threshold)}`, FREED);
}

function judgeInodes(name: string, fs: FileSystemStats | null, threshold: number | null, signal: string): Measure {
  // File systems without a fixed table of inodes (btrfs, NTFS) have none to count.
  if (fs === null || fs.inodesFree === null || !fs.inodes) return NOTHING;
  const share = fs.inodesFree / fs.inodes;
  const text = `${name}: ${fs.inodesFree} of ${fs.inodes} inodes free (${percent(share)})`;
  return threshold === null
    ? { found: null, seen: `${text}.`, close: false, known: true }
    : measured(text, share, threshold, `${signal}, ${percent(threshold)}`, FREED);
}

function judgeProcesses(processes: ProcessStats | null): Measure {
  const { running, limit } = processes ?? { running: null, limit: null };
  if (running === null || limit === null || limit === 0) return NOTHING;
  const share = running / limit;
  const text = `Processes and threads: ${running} of at most ${limit} (${percent(share)})`;
  if (share < PROCESSES_FULL) return { found: null, seen: `${text}.`, close: false, known: true };
  return { found: `${text}: new ones begin to fail.`, seen: null, close: true, known: true };
}

const FREED = "images are removed, then pods are evicted";
const NOTHING: Measure = { found: null, seen: null, close: false, known: true };

function unknown(what: string): Measure {
  return { found: null, seen: `${what}: not measured, so unknown.`, close: false, known: false };
}

/** Below the threshold it is found, else only seen. */
function measured(text: string, amount: number, threshold: number, limit: string, then: string): Measure {
  const close = amount < threshold * CLOSE;
  return amount < threshold
    ? { found: `${text}, below the kubelet's default threshold (${limit}): ${then}.`, seen: null, close, known: true }
    : { found: null, seen: `${text}.`, close, known: true };
}

function clockLines(ahead: number | null): readonly string[] {
  if (ahead === null || Math.abs(ahead) < CLOCK_TOLERATED) return [];
  const direction = ahead > 0 ? "ahead of" : "behind";
  return [
    `The node's clock is ${formatAge(Math.abs(ahead))} ${direction} the API server's: certificates and leases suffer, and times in its logs are off.`,
  ];
}

function stallLines({ stalls }: NodeStats): readonly string[] {
  const waited = [
    ["CPU", stalls.cpu],
    ["memory", stalls.memory],
    ["I/O", stalls.io],
  ] as const;
  const told = waited.flatMap(([name, share]) =>
    share === null || share < STALLED ? [] : [`for ${name} ${Math.round(share)} % of the time`],
  );
  return told.length === 0 ? [] : [`In the last minute tasks waited ${listNames(told)}.`];
}

function usersLine(
  what: string,
  pods: readonly PodUsage[],
  amountOf: (pod: PodUsage) => number | null,
): readonly string[] {
  const users = pods
    .flatMap((pod) => {
      const amount = amountOf(pod);
      return amount === null || amount === 0 ? [] : [{ name: `${pod.namespace}/${pod.name}`, amount }];
    })
    .sort((a, b) => b.amount - a.amount)
    .slice(0, 3)
    .map(({ name, amount }) => `${name} (${bytes(amount)})`);
  return users.length === 0 ? [] : [`Pods with the most ${what}: ${users.join(", ")}.`];
}

function pressureLines(pressures: readonly string[], measures: readonly Measure[]): readonly string[] {
  if (pressures.length === 0 || measures.some(({ found }) => found !== null)) return [];
  return [
    `${listNames(pressures)} is True though nothing is below a default threshold now: the kubelet keeps a pressure for five minutes after it ended, or its thresholds are set higher.`,
  ];
}

function ageLines(measuredAt: number | null, { now, clockAhead }: StatsSurroundings): readonly string[] {
  if (measuredAt === null || now === null) return [];
  const age = now + (clockAhead ?? 0) - measuredAt;
  return age < STALE ? [] : [`Measured ${formatAge(age)} before: the kubelet does not measure any more.`];
}

/** Two names for one file system, as on most nodes. */
function sameFileSystem(a: FileSystemStats | null, b: FileSystemStats | null): boolean {
  return a !== null && b !== null && a.capacityBytes === b.capacityBytes && a.inodes === b.inodes;
}

const bytes = (amount: number): string => formatAmount("memory", amount);
const percent = (share: number): string => `${Math.round(share * 1000) / 10} %`;
const lower = (text: string): string => `${text.slice(0, 1).toLowerCase()}${text.slice(1)}`;
