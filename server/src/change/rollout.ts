// Change layer: how far the rollout of a fix has come, from the object's status and its pods. The conditions are those of
// `kubectl rollout status`. Source: k8s.io/kubectl/pkg/polymorphichelpers (DaemonSetStatusViewer, DeploymentStatusViewer,
// StatefulSetStatusViewer).
import type { ChangeableKind } from "../cluster/change.ts";
import { integerOf, isObject, type JsonObject, listOf, objectOf, textOf } from "../kube/decode/reading.ts";
import type { ClusterPod } from "../kube/pod.ts";
import type { Toleration } from "../kube/toleration.ts";
import { homeOf, isLiving } from "../triage/facts/pod-state.ts";
import { stillTolerates } from "./fix-plan.ts";
import { podTrouble } from "./pod-trouble.ts";

/**
 * `rolling`: goes on; `done`; `waits`: nothing more happens by itself (OnDelete, paused, partition); `failed`: the
 * controller gave up; `reverted`: the toleration is gone again.
 */
export type RolloutPhase = "rolling" | "done" | "waits" | "failed" | "reverted";

export interface RolloutState {
  readonly phase: RolloutPhase;
  /** One sentence. */
  readonly summary: string;
  /** One entry for each node with a pod, by name; pods that are on no node yet stand under the empty name. */
  readonly nodes: readonly NodeRollout[];
}

export interface NodeRollout {
  readonly node: string;
  readonly ready: number;
  /** New pods that are not ready. */
  readonly coming: number;
  /** Pods of the old template, and those that are ending. */
  readonly old: number;
  /** What keeps a new pod from running, in words with the pod's name. */
  readonly troubles: readonly string[];
}

/** `pods` are those of the workload, `added` the tolerations that tell new pods from old ones. */
export function rolloutState(
  kind: Exclude<ChangeableKind, "Node">,
  live: JsonObject,
  pods: readonly ClusterPod[],
  added: readonly Toleration[],
): RolloutState {
  const [phase, summary] = standing(kind, live, added);
  return { phase, summary, nodes: byNode(pods, added) };
}

type Standing = readonly [RolloutPhase, string];

function standing(kind: Exclude<ChangeableKind, "Node">, live: JsonObject, added: readonly Toleration[]): Standing {
  if (!stillTolerates(live, added)) {
    return ["reverted", "Somebody took the toleration out again: fix the source that it is deployed from."];
  }
  const generation = integerOf(objectOf(live.metadata).generation) ?? 0;
  const observed = integerOf(objectOf(live.status).observedGeneration) ?? 0;
  if (observed < generation) return ["rolling", "The controller has not seen the change yet."];
  switch (kind) {
    case "DaemonSet":
      return ofDaemonSet(objectOf(live.spec), objectOf(live.status));
    case "Deployment":
      return ofDeployment(objectOf(live.spec), objectOf(live.status));
    case "StatefulSet":
      return ofStatefulSet(objectOf(live.spec), objectOf(live.status));
  }
}

const numberOf = (value: unknown): number => integerOf(value) ?? 0;

function ofDaemonSet(spec: JsonObject, status: JsonObject): Standing {
  const desired = numberOf(status.desiredNumberScheduled);
  const updated = numberOf(status.updatedNumberScheduled);
  const available = numberOf(status.numberAvailable);
  const counts = `${updated} of ${desired} pods are new, ${available} available.`;
  if (updated >= desired && available >= desired) return ["done", counts];
  const byHand = textOf(objectOf(spec.updateStrategy).type) === "OnDelete";
  if (byHand && available >= desired) {
    const left = desired - updated;
    return [
      "waits",
      `${counts} The strategy is OnDelete: ${left} old ${left === 1 ? "pod waits" : "pods wait"} to be deleted by you.`,
    ];
  }
  return ["rolling", counts];
}

function ofDeployment(spec: JsonObject, status: JsonObject): Standing {
  const wanted = integerOf(spec.replicas) ?? 1;
  const updated = numberOf(status.updatedReplicas);
  const available = numberOf(status.availableReplicas);
  const old = numberOf(status.replicas) - updated;
  const counts = `${updated} of ${wanted} pods are new, ${available} available${old > 0 ? `, ${old} old` : ""}.`;
  if (spec.paused === true) return ["waits", `${counts} The rollout is paused: it goes on when somebody resumes it.`];
  const progressing = listOf(status.conditions)
    .filter(isObject)
    .find(({ type }) => type === "Progressing");
  if (progressing?.reason === "ProgressDeadlineExceeded") {
    return ["failed", `${counts} The controller gave up waiting: ${textOf(progressing.message)}`];
  }
  return [updated >= wanted && old <= 0 && available >= updated ? "done" : "rolling", counts];
}

function ofStatefulSet(spec: JsonObject, status: JsonObject): Standing {
  const wanted = integerOf(spec.replicas) ?? 1;
  const current = status.currentRevision === status.updateRevision;
  const updated = current ? wanted : numberOf(status.updatedReplicas);
  const ready = numberOf(status.readyReplicas);
  const counts = `${updated} of ${wanted} pods are new, ${ready} ready.`;
  const strategy = objectOf(spec.updateStrategy);
  if (textOf(strategy.type) === "OnDelete" && updated < wanted) {
    return ["waits", `${counts} The strategy is OnDelete: old pods wait to be deleted by you.`];
  }
  const partition = numberOf(objectOf(strategy.rollingUpdate).partition);
  if (partition > 0 && updated >= Math.max(0, wanted - partition) && ready >= wanted) {
    return [updated >= wanted ? "done" : "waits", `${counts} The others are below the partition ${partition}.`];
  }
  return [updated >= wanted && ready >= wanted ? "done" : "rolling", counts];
}

function byNode(pods: readonly ClusterPod[], added: readonly Toleration[]): readonly NodeRollout[] {
  const nodes = new Map<string, { ready: number; coming: number; old: number; troubles: string[] }>();
  for (const pod of pods) {
    const home = homeOf(pod);
    const at = nodes.get(home) ?? { ready: 0, coming: 0, old: 0, troubles: [] };
    nodes.set(home, at);
    if (!isLiving(pod) || !isNew(pod, added)) {
      at.old += 1;
      continue;
    }
    if (isReady(pod)) at.ready += 1;
    else at.coming += 1;
    const trouble = podTrouble(pod);
    if (trouble !== null) at.troubles.push(trouble);
  }
  return [...nodes].map(([node, at]) => ({ node, ...at })).sort((left, right) => (left.node < right.node ? -1 : 1));
}

/** Made from a template that has the tolerations. */
function isNew({ spec }: ClusterPod, added: readonly Toleration[]): boolean {
  return added.every(({ key, value, effect }) =>
    spec.tolerations.some((one) => one.key === key && one.value === value && one.effect === effect),
  );
}

/** The model leaves a pod's Ready condition out where it is True. */
function isReady({ phase, conditions }: ClusterPod): boolean {
  return phase === "Running" && !conditions.some(({ type }) => type === "Ready");
}
