// Explorer layer, reports: "Ordered recovery" of a node whose network or runtime is confused, ticked as far as the cluster
// shows it. Nothing is run from here.
import type { ClusterEvent } from "../../kube/event.ts";
import { formatTaint } from "../../kube/taint.ts";
import { code, escapeMarkdown } from "../../report/markdown.ts";
import { listSome } from "../../report/text-layout.ts";
import { isoTime } from "../../report/time.ts";
import { isOlder } from "../../triage/facts/age.ts";
import { gapOf } from "../../triage/facts/gap.ts";
import type { NodeFacts } from "../../triage/facts/node.ts";
import { hasEnded, podKey, startOf } from "../../triage/facts/pod-state.ts";
import type { JudgedCluster } from "../judged-cluster.ts";
import { kubectl } from "./kubectl.ts";
import { programsOf } from "./node-programs.ts";

/** `seen`: the cluster shows that it is done; `open`: that it is not; `by hand`: only the node knows. */
export type Tick = "seen" | "open" | "by hand";

export interface RecoveryStep {
  readonly title: string;
  readonly tick: Tick;
  /** What the cluster shows. */
  readonly seen: string;
  readonly commands: readonly string[];
  /** Whether the commands are for the node itself. */
  readonly onNode: boolean;
}

const BOX: Readonly<Record<Tick, string>> = { seen: "[x]", open: "[ ]", "by hand": "[ ]" };

/**
 * The steps in their order: drain, runtime, kubelet, network plugin, uncordon. Empty for a node that is not there. What
 * counts is what came after the cordon, and a step is ticked only when those before it are: a kubelet that was Ready all
 * along was not restarted. Ticks outlast the uncordon, for as long as its event is kept.
 */
export function recoverySteps(cluster: JudgedCluster, name: string): readonly RecoveryStep[] {
  const node = cluster.facts.nodes.get(name);
  if (node === undefined) return [];
  const round = roundOf(cluster, node);
  const drafts = [
    drain(cluster, node, round),
    runtime(node),
    kubelet(cluster, node, round),
    network(cluster, node, round),
    uncordon(cluster, node, round),
  ];
  let open = false;
  return drafts.map((step) => {
    const tick = open && step.tick === "seen" ? "open" : step.tick;
    open ||= tick === "open";
    return { ...step, tick };
  });
}

/** A cordon and what it began: times in milliseconds, null where they are not known. */
interface Round {
  readonly begun: number | null;
  /** When the cordon was lifted again; null while it lasts, or where none is known. */
  readonly ended: number | null;
}

/** The cordon of now, else the last one that the node's events tell of. */
function roundOf({ facts }: JudgedCluster, node: NodeFacts): Round {
  const last = (reason: string) => node.events.findLast((event) => event.reason === reason)?.lastSeen ?? null;
  const told = last("NodeNotSchedulable");
  if (node.node.unschedulable) {
    const taint = node.node.taints.find(({ key }) => key === "node.kubernetes.io/unschedulable");
    return { begun: taint?.timeAdded ?? told, ended: null };
  }
  const lifted = last("NodeSchedulable");
  const over = told !== null && lifted !== null && lifted >= told && !isOlder(lifted, facts.now, KEPT);
  return over ? { begun: told, ended: lifted } : { begun: null, ended: null };
}

/** Events are kept for an hour; what began earlier may have lost some of its own. */
const KEPT = 3_600_000;

function drain(cluster: JudgedCluster, node: NodeFacts, { begun, ended }: Round): RecoveryStep {
  const known = cluster.model.parts.pods === "known";
  const left = node.pods
    .filter((pod) => pod.spec.nodeName !== "" && !hasEnded(pod) && !pod.mirror && pod.controller?.kind !== "DaemonSet")
    .filter((pod) => ended === null || (startOf(pod) ?? ended) < (begun ?? ended));
  const cordoned = node.node.unschedulable || ended !== null;
  const pods =
    left.length === 0
      ? ended === null
        ? "no pods but those of DaemonSets"
        : "no pod is older than that"
      : `still there: ${listSome(left.map(podKey), 6)}`;
  return {
    title: "Drain the node",
    tick: known && cordoned && left.length === 0 ? "seen" : "open",
    seen: [
      node.node.unschedulable
        ? `cordoned${since(begun)}`
        : ended === null
          ? "not cordoned"
          : `was cordoned from ${isoTime(begun)} to ${isoTime(ended)}`,
      known ? pods : "pods are unknown",
    ].join("; "),
    commands: [
      kubectl(cluster.access, "drain", node.name, "--ignore-daemonsets", "--delete-emptydir-data", "--timeout=5m"),
    ],
    onNode: false,
  };
}

function runtime(node: NodeFacts): RecoveryStep {
  const { runtime: unit, kubelet: other, crictl, windows } = programsOf(node);
  return {
    title: "Restart the container runtime",
    tick: "by hand",
    seen: unit === other ? `only the node knows; ${unit} is runtime and kubelet in one` : "only the node knows",
    commands: [
      ...restart(unit, windows),
      ...(crictl === null || windows ? [] : [`${crictl} info >/dev/null && echo runtime answers`]),
    ],
    onNode: true,
  };
}

function restart(unit: string, windows: boolean): readonly string[] {
  return windows
    ? [`Restart-Service ${unit}`, `Get-Service ${unit}`]
    : [`systemctl restart ${unit}`, `systemctl is-active ${unit}`];
}

function kubelet({ facts, model }: JudgedCluster, node: NodeFacts, { begun }: Round): RecoveryStep {
  const { kubelet: unit, windows } = programsOf(node);
  const step = (tick: Tick, seen: string): RecoveryStep => ({
    title: "Restart the kubelet",
    tick,
    seen,
    commands: [
      ...restart(unit, windows),
      ...(windows ? [] : [`journalctl -u ${unit} --since '-2 min' --no-pager | tail -n 40`]),
    ],
    onNode: true,
  });
  if (node.ready === "unstated") return step("by hand", "the node says no Ready condition");
  if (node.ready !== "True") return step("open", `Ready is ${node.ready}${words(node.readyCondition?.message)}`);
  const start = node.events.findLast(isStart)?.lastSeen ?? null;
  if (begun !== null && start !== null && start >= begun)
    return step("seen", `started at ${isoTime(start)}, and Ready`);
  const canTell = begun !== null && model.parts.events === "known" && !isOlder(begun, facts.now, KEPT);
  return canTell
    ? step("open", `Ready, and not started again${since(begun, "since the cordon at")}`)
    : step("by hand", "Ready; whether it was started again is not known");
}

/** kube-proxy says `Starting` too, so the words count. */
function isStart({ reason, message }: ClusterEvent): boolean {
  return reason === "Rebooted" || (reason === "Starting" && /kubelet/i.test(message));
}

function network(cluster: JudgedCluster, node: NodeFacts, { begun }: Round): RecoveryStep {
  const plugins = cluster.facts.platform.filter((daemonSet) => daemonSet.role === "network plugin");
  const pods = plugins.flatMap((daemonSet) => daemonSet.podsOn(node.name).living);
  const works = pods.length > 0 && pods.every((pod) => pod.containers.every((one) => one.init || one.ready));
  const old = pods.filter((pod) => begun !== null && (startOf(pod) ?? begun) < begun);
  const step = (tick: Tick, seen: string): RecoveryStep => ({
    title: "Renew the network plugin's pod",
    tick,
    seen,
    commands: pods.map((pod) => kubectl(cluster.access, "delete", "pod", pod.name, "--namespace", pod.namespace)),
    onNode: false,
  });
  const [first] = plugins;
  if (first === undefined) return step("by hand", "no DaemonSet is known as network plugin");
  if (cluster.model.parts.pods !== "known") return step("by hand", "pods are unknown");
  if (pods.length === 0) return step("open", `${first.key} has no pod here`);
  const names = listSome(pods.map(podKey), 3);
  const blocked = plugins.flatMap((daemonSet) => gapOf(cluster.facts, node, daemonSet).unwanted).map(formatTaint);
  if (blocked.length > 0) {
    return {
      ...step(
        "open",
        `do not delete ${names}: it would not come back, for it does not tolerate ${listSome(blocked, 3)}`,
      ),
      commands: [],
    };
  }
  if (!works) return step("open", `${names} is not ready`);
  if (begun === null) return step("by hand", `${names} is ready; whether it was renewed is not known`);
  return old.length > 0
    ? step("open", `${listSome(old.map(podKey), 3)} is ready, and older than the cordon`)
    : step("seen", `${names} is new and ready`);
}

function uncordon(cluster: JudgedCluster, { name, node }: NodeFacts, { ended }: Round): RecoveryStep {
  return {
    title: "Uncordon the node",
    tick: ended === null ? "open" : "seen",
    seen: node.unschedulable
      ? "cordoned"
      : ended === null
        ? "schedulable, and no cordon is known"
        : `uncordoned at ${isoTime(ended)}`,
    commands: [kubectl(cluster.access, "uncordon", name)],
    onNode: false,
  };
}

/** ` since 2026-03-02T10:00:00Z`; empty when the time is not known. */
function since(time: number | null, word = "since"): string {
  return time === null ? "" : ` ${word} ${isoTime(time)}`;
}

/** The checklist as a report; made again when the cluster changes, its ticks follow. */
export function recoveryReport(cluster: JudgedCluster, name: string): string {
  const steps = recoverySteps(cluster, name).flatMap((step, index) => [
    `${index + 1}. ${BOX[step.tick]} **${step.title}** (${step.tick === "by hand" ? "look on the node" : step.tick}): ${escapeMarkdown(step.seen)}`,
    ...(step.commands.length === 0
      ? []
      : [
          "",
          `   ${step.onNode ? "On the node" : "From here"}:`,
          "",
          "   ```sh",
          ...step.commands.map((line) => `   ${line}`),
          "   ```",
        ]),
    "",
  ]);
  return `${[
    `## Ordered recovery of ${code(name)}`,
    "",
    "In this order: a runtime that restarts under running pods, or a kubelet that comes back before its runtime, makes it worse. Taintwise runs none of this.",
    "",
    ...steps,
    `See it come back: ${code(kubectl(cluster.access, "get", "node", name, "--watch"))}`,
  ].join("\n")}\n`;
}

function words(message: string | undefined): string {
  return message === undefined || message === "" ? "" : `: ${message}`;
}
