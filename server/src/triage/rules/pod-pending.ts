// Triage rule pod-pending: a pod that only this node, or its kind, could take waits for it.
import type { Severity } from "../../../../shared/src/severity.ts";
import { atLeast } from "../../../../shared/src/severity.ts";
import { isPlatformRole } from "../../coverage/role.ts";
import type { ClusterPod } from "../../kube/pod.ts";
import { compileSelection } from "../../scheduling/node-affinity.ts";
import { isOlder } from "../facts/age.ts";
import type { ClusterFacts } from "../facts/cluster.ts";
import type { NodeFacts } from "../facts/node.ts";
import { type Obstacle, obstaclesOn } from "../facts/obstacles.ts";
import { homeOf, podKey, podRef } from "../facts/pod-state.ts";
import { type SchedulingWords, schedulingWords } from "../facts/scheduling-words.ts";
import type { Evidence } from "../finding.ts";
import { type Symptom, symptom } from "../symptom.ts";
import { listNames, quote } from "../wording/list.ts";
import { forSince } from "../wording/time.ts";

/**
 * The waiting pods, each charged to the nodes that could take it but for their own fault, or to no node (`node` empty)
 * when none could: quota, claim, affinity, room. A node that is out of service on purpose or young is charged only where
 * no other is. `symptoms` are those of all nodes; `faults` of a node are among them. Gated pods, pods of other
 * schedulers, and platform pods (reported as such) are none of it.
 */
export function podPending(facts: ClusterFacts, symptoms: ReadonlyMap<string, readonly Symptom[]>): readonly Symptom[] {
  // A node without any fault explains nothing.
  const faulty = [...facts.nodes.values()].filter((node) => (symptoms.get(node.name)?.length ?? 0) > 0);
  return facts.cluster.pods.flatMap((pod) => {
    const words = isWaiting(facts, pod) ? schedulingWords(facts, pod) : null;
    const since = pod.createdAt ?? words?.first ?? null;
    if (!isWaiting(facts, pod) || !isLate(facts, since, words)) return [];
    const charged = chargeable(facts, faulty, pod, words, symptoms);
    if (charged.length === 0) return [report(facts, pod, words, since, "", "warning", [])];
    return charged.map(({ node, severity, obstacles }) => report(facts, pod, words, since, node, severity, obstacles));
  });
}

function isWaiting(facts: ClusterFacts, pod: ClusterPod): boolean {
  if (pod.phase !== "Pending" || pod.spec.nodeName !== "" || pod.deletedAt !== null || pod.mirror) return false;
  const { schedulerName, schedulingGates } = pod.spec;
  if (schedulingGates.length > 0 || !["", "default-scheduler"].includes(schedulerName)) return false;
  if (pod.conditions.some((condition) => condition.type === "PodScheduled" && condition.reason === "SchedulingGated"))
    return false;
  const daemonSet = facts.daemonSetOf(pod);
  return daemonSet === null || !isPlatformRole(daemonSet.role);
}

/** Older than the grace time by its creation, its condition, or the span of its events. */
function isLate(facts: ClusterFacts, since: number | null, words: SchedulingWords | null): boolean {
  const { graceMs } = facts.options;
  if (isOlder(since, facts.now, graceMs)) return true;
  return words !== null && words.last !== null && words.first !== null && words.last - words.first >= graceMs;
}

interface Charge {
  readonly node: string;
  readonly severity: Severity;
  readonly obstacles: readonly Obstacle[];
}

function chargeable(
  facts: ClusterFacts,
  faulty: readonly NodeFacts[],
  pod: ClusterPod,
  words: SchedulingWords | null,
  symptoms: ReadonlyMap<string, readonly Symptom[]>,
): readonly Charge[] {
  const reasons = words?.sentence?.reasons ?? [];
  // What the scheduler says of the pod as a whole (an unbound claim) no node can change.
  if (reasons.some((reason) => reason.nodes === null && (reason.kind === "volume" || reason.kind === "claim")))
    return [];
  if (words !== null && words.sentence === null && /persistentvolumeclaim|claim/i.test(words.text)) return [];
  const home = homeOf(pod);
  const waiting = { pod, selection: compileSelection(pod.spec), words: words?.text ?? "" };
  const charges: Charge[] = [];
  for (const node of faulty) {
    if (home !== "" && home !== node.name) continue;
    const obstacles = obstaclesOn(facts, node, waiting, symptoms.get(node.name) ?? []);
    if (obstacles === null || obstacles.length === 0 || !agrees(words, obstacles)) continue;
    const worst = obstacles.reduce<Severity>(
      (severity, obstacle) => (atLeast(obstacle.symptom.severity, severity) ? obstacle.symptom.severity : severity),
      "information",
    );
    charges.push({ node: node.name, severity: atLeast(worst, "warning") ? "warning" : "information", obstacles });
  }
  const grave = charges.filter((charge) => charge.severity === "warning");
  return grave.length > 0 ? grave : charges;
}

/** Whether the scheduler's sentence names a reason of each kind that the model finds; without a sentence the model counts. */
function agrees(words: SchedulingWords | null, obstacles: readonly Obstacle[]): boolean {
  const sentence = words?.sentence;
  if (sentence === null || sentence === undefined || sentence.reasons.length === 0) return true;
  const kinds = new Set(sentence.reasons.map((reason) => reason.kind));
  const named = sentence.reasons.flatMap((reason) => reason.taint?.key ?? []);
  // The scheduler stops at a node's first failing filter: taints before resources.
  const taints = obstacles.filter((obstacle) => obstacle.kind === "taint");
  if (taints.length > 0) {
    if (!kinds.has("taint") && !kinds.has("unschedulable")) return false;
    const cordoned = taints.some((obstacle) => obstacle.name === "node.kubernetes.io/unschedulable");
    return named.length === 0 || cordoned || taints.some((obstacle) => named.includes(obstacle.name));
  }
  if (obstacles.some((obstacle) => obstacle.kind === "resource")) return kinds.has("resource");
  return kinds.has("volume") || (kinds.has("claim") && obstacles.some((obstacle) => obstacle.kind === "claim"));
}

function report(
  facts: ClusterFacts,
  pod: ClusterPod,
  words: SchedulingWords | null,
  since: number | null,
  node: string,
  severity: Severity,
  obstacles: readonly Obstacle[],
): Symptom {
  const why = listNames([...new Set(obstacles.map((obstacle) => obstacle.text))]);
  const told = words === null ? "" : quote(words.text.replace(/ ?preemption: .*$/s, ""));
  const evidence: readonly Evidence[] = [
    {
      text: `${podKey(pod)} is Pending and has no node${told === "" ? "" : `; the scheduler says ${told}`}`,
      at: words?.last ?? since,
      object: podRef(pod),
    },
  ];
  return symptom({
    code: "pod-pending",
    node,
    severity,
    message:
      node === ""
        ? `${podKey(pod)} is Pending${forSince(since, facts.now)} and no node is the cause${told === "" ? "" : `: ${told}`}.`
        : `${podKey(pod)} is Pending${forSince(since, facts.now)}: ${node} could take it but for ${why}.`,
    summary: node === "" ? outsideSummary(words) : "pods wait for it",
    advice: node === "" ? outsideAdvice(pod, words) : "",
    object: podRef(pod),
    since,
    evidence,
    about: {
      pods: [podKey(pod)],
      taintKeys: obstacles.filter((obstacle) => obstacle.kind === "taint").map((obstacle) => obstacle.name),
      resources: obstacles.filter((obstacle) => obstacle.kind === "resource").map((obstacle) => obstacle.name),
      drivers: obstacles.filter((obstacle) => obstacle.kind === "driver").map((obstacle) => obstacle.name),
      waitsFor: obstacles.filter((obstacle) => obstacle.kind === "claim").map((obstacle) => obstacle.name),
    },
  });
}

function outsideSummary(words: SchedulingWords | null): string {
  const reasons = words?.sentence?.reasons.map((reason) => reason.text) ?? [];
  if (reasons.length > 0) return listNames([...new Set(reasons)]);
  return words === null ? "no event of the scheduler" : quote(words.text, 100);
}

function outsideAdvice(pod: ClusterPod, words: SchedulingWords | null): string {
  const kinds = new Set(words?.sentence?.reasons.map((reason) => reason.kind));
  if (words === null) return "See whether the scheduler runs: without a word of it the pod has not been looked at.";
  if (/PersistentVolume's node affinity|volume node affinity conflict/.test(words.text)) {
    return "The volume is bound to a node or zone that is not there: bring it back, or delete the claim and restore the data.";
  }
  if (/claim/i.test(words.text)) return `See why the claim is not bound: kubectl -n ${pod.namespace} get pvc`;
  if (kinds.has("pod-affinity") || kinds.has("topology-spread")) {
    return "The pod's own rules leave no node: add one, or loosen its anti-affinity or spread.";
  }
  if (kinds.has("resource") || kinds.has("pods")) return "No node has room: add one, or lower the request.";
  if (kinds.has("affinity")) return "No node matches the pod's selector: see which labels it asks for.";
  return `kubectl -n ${pod.namespace} describe pod ${pod.name}`;
}
