// Explorer layer, reports: the steps of an investigation that only the node's kubelet can answer: its measures, its log
// and the container runtime's.
import type { Asked, MeasuredStats, NodeLog, OnNode, OnNodeQuestions } from "../../cluster/on-node.ts";
import { type NodeLogQuery, nodeLogPath, nodeStatsPath } from "../../kube/node-proxy.ts";
import type { NodeFacts } from "../../triage/facts/node.ts";
import { judgeStats } from "../../triage/on-node/judge-stats.ts";
import { logUnits } from "../../triage/on-node/log-units.ts";
import { onNodeQuestions } from "../../triage/on-node/questions.ts";
import { isPressure } from "../../triage/read/condition.ts";
import type { ClusterAccess, JudgedCluster } from "../judged-cluster.ts";
import { judgeLog, type LogSpan } from "./judge-log.ts";
import { debugNode, kubectl } from "./kubectl.ts";
import { programsOf } from "./node-programs.ts";
import type { InvestigationStep, StepState } from "./step.ts";

/** What to ask the kubelet of a node; null where the cluster has none of this name or its time is unknown. */
export function questionsFor(cluster: JudgedCluster, name: string): OnNodeQuestions | null {
  const facts = cluster.facts.nodes.get(name);
  const { now } = cluster.facts;
  if (facts === undefined || now === null) return null;
  const begun = (cluster.nodes.get(name)?.findings ?? []).flatMap(({ since }) => (since === null ? [] : [since]));
  return onNodeQuestions(facts, begun.length === 0 ? null : Math.min(...begun), now);
}

/** The steps of a node; empty where the cluster has none of this name. */
export function onNodeSteps(cluster: JudgedCluster, name: string, onNode: OnNode): readonly InvestigationStep[] {
  const facts = cluster.facts.nodes.get(name);
  if (facts === undefined) return [];
  const { access } = cluster;
  const questions = questionsFor(cluster, name);
  const { elsewhere, runtimeFile, kubeletFile } = logUnits(facts.node.info);
  const log = { access, facts };
  const steps = {
    stats: {
      title: "Memory, disks and processes, as the kubelet measures them",
      commands: [kubectl(access, "get", "--raw", nodeStatsPath(name))],
    },
    kubelet: {
      title: "The kubelet's log",
      commands: logCommands({ ...log, query: questions?.kubelet ?? null, file: kubeletFile, usual: ["kubelet"] }),
    },
    runtime: {
      title: "The container runtime's log",
      commands: logCommands({
        ...log,
        query: questions?.runtime ?? null,
        file: runtimeFile,
        usual: ["containerd", "crio"],
      }),
    },
  };
  if (onNode.kind === "not asked") {
    const unasked = { state: "not asked", seen: ["For the same reason."] } as const;
    return [
      { ...steps.stats, ...unasked, seen: [whyNot(onNode.why)] },
      { ...steps.kubelet, ...unasked },
      { ...steps.runtime, ...unasked, seen: elsewhere === "" ? unasked.seen : [elsewhere] },
    ];
  }
  const { reading } = onNode;
  const ahead = reading.stats.kind === "answered" ? (reading.stats.value.clockAhead ?? 0) : 0;
  const span = { from: (questions?.from ?? 0) + ahead, now: (cluster.facts.now ?? 0) + ahead };
  const journal = logStep(reading.kubelet, questions?.kubelet ?? null, span);
  const apart = `The kubelet itself logs to ${kubeletFile} on the node: the journal tells only of the service around it.`;
  const unread = journal.state === "ok" ? "not in what was read" : journal.state;
  const kubelet = kubeletFile === "" ? journal : { state: unread, seen: [...journal.seen, apart] };
  const runtime =
    reading.runtime === null
      ? ({ state: "not asked", seen: [elsewhere] } as const)
      : logStep(reading.runtime, questions?.runtime ?? null, span);
  return withoutRepeats([
    { ...steps.stats, ...statsStep(cluster, facts, reading.stats) },
    { ...steps.kubelet, ...kubelet },
    { ...steps.runtime, ...runtime },
  ]);
}

/** A reason that two steps share is told once. */
function withoutRepeats(steps: readonly InvestigationStep[]): readonly InvestigationStep[] {
  return steps.map((step, index) => {
    const before = steps[index - 1];
    const same = before?.state === step.state && before.seen.join("\n") === step.seen.join("\n");
    return same && step.state !== "ok" && step.state !== "found" ? { ...step, seen: ["For the same reason."] } : step;
  });
}

type Outcome = Pick<InvestigationStep, "state" | "seen">;

function statsStep(cluster: JudgedCluster, facts: NodeFacts, asked: Asked<MeasuredStats>): Outcome {
  if (asked.kind !== "answered") return refused(asked);
  const { stats, clockAhead } = asked.value;
  const { found, seen, complete } = judgeStats(stats, {
    operatingSystem: facts.node.info?.operatingSystem ?? "",
    pressures: facts.node.conditions
      .filter(({ type, status }) => isPressure(type) && status === "True")
      .map(({ type }) => type),
    clockAhead,
    now: cluster.facts.now,
  });
  const clean = complete ? "ok" : "not in what was read";
  return { state: found.length > 0 ? "found" : clean, seen: [...found, ...seen] };
}

function logStep(asked: Asked<NodeLog>, query: NodeLogQuery | null, span: LogSpan): Outcome {
  if (asked.kind !== "answered") return refused(asked);
  const { found, seen } = judgeLog(asked.value, query?.lines ?? 0, span);
  return { state: found.length > 0 ? "found" : "ok", seen: [...found, ...seen] };
}

function refused(asked: Exclude<Asked<unknown>, { readonly kind: "answered" }>): Outcome {
  const states: Readonly<Record<typeof asked.kind, StepState>> = {
    "not allowed": "not allowed",
    "not enabled": "not enabled on this node",
    failed: "failed",
  };
  return { state: states[asked.kind], seen: [asked.reason] };
}

function whyNot(why: "off" | "file"): string {
  return why === "file"
    ? "The cluster was read from a file: there is no kubelet to ask."
    : "Asking the kubelet through the API server is off: it needs a privileged right. The setting is taintwise.cluster.nodeProxy, on the command line --node-proxy.";
}

/** Lines that a person reads. */
const BY_HAND = 500;

interface LogByHand {
  readonly access: ClusterAccess | null;
  readonly facts: NodeFacts;
  /** null: no query can be made. */
  readonly query: NodeLogQuery | null;
  /** The file on the node that holds the log; empty where the journal does. */
  readonly file: string;
  /** The units where no query names them. */
  readonly usual: readonly string[];
}

/** The log by way of the API server, unfiltered, and by way of a shell on the node, where it can have one; at least one line. */
function logCommands({ access, facts, query, file, usual }: LogByHand): readonly string[] {
  const raw =
    query === null
      ? []
      : [kubectl(access, "get", "--raw", nodeLogPath(facts.name, { ...query, pattern: "", lines: BY_HAND }))];
  const units = (query?.units ?? usual).map((unit) => `-u ${unit}`);
  const read =
    file === "" ? ["journalctl --no-pager", `-n ${BY_HAND}`, ...units].join(" ") : `tail -n ${BY_HAND} ${file}`;
  if (programsOf(facts).windows) {
    return raw.length > 0 ? raw : [kubectl(access, "describe", "node", facts.name)];
  }
  return [...raw, `${debugNode(access, facts.name)} -- chroot /host ${read}`];
}
