// Triage rule platform-pod-missing: a platform DaemonSet has no living pod on a node that needs it.
import { clearsTaint } from "../../coverage/transient-taints.ts";
import type { Taint } from "../../kube/taint.ts";
import { placementReason } from "../../scheduling/reason.ts";
import { isOlder, isYoung } from "../facts/age.ts";
import type { ClusterFacts } from "../facts/cluster.ts";
import type { DaemonSetFacts, LocalPods } from "../facts/daemon-set.ts";
import { failedCreateOf } from "../facts/failed-create.ts";
import { gapOf } from "../facts/gap.ts";
import { brokenControllerManager } from "../facts/helpers.ts";
import { needs } from "../facts/need.ts";
import type { NodeFacts } from "../facts/node.ts";
import { podKey, podRef } from "../facts/pod-state.ts";
import { isOffControlPlane } from "../facts/severity-of-role.ts";
import type { Evidence } from "../finding.ts";
import type { Symptom } from "../symptom.ts";
import { quote } from "../wording/list.ts";
import { taintList, tolerationAdvice } from "../wording/toleration-line.ts";
import { missingByLabel } from "./missing-by-label.ts";
import { missing } from "./missing-pod.ts";
import { isOverdue } from "./pod-stuck-terminating.ts";

/**
 * One symptom per platform DaemonSet that should have a pod here and has none: an untolerated taint; a taint that comes
 * with a fault of the node; a pod that the kubelet evicts or refuses again and again; a controller that may not create
 * it; a label that nobody sets any more. Deliberate exclusions, nodes that start, leave or cannot host are silent.
 */
export function platformPodMissing(facts: ClusterFacts, node: NodeFacts): readonly Symptom[] {
  const { parts } = facts.cluster;
  if (parts.pods !== "known" || parts.daemonsets !== "known") return [];
  const direct = facts.here.absent(node.name).flatMap((daemonSet) => missingHere(facts, node, daemonSet) ?? []);
  return [...direct, ...missingByLabel(facts, node, direct)];
}

/** Of a DaemonSet that admits the node and has no living pod on it. */
function missingHere(facts: ClusterFacts, node: NodeFacts, daemonSet: DaemonSetFacts): Symptom | null {
  const gap = gapOf(facts, node, daemonSet);
  if (gap.meant.length > 0) return null;
  if (!needs(facts, node, daemonSet)) return null;
  if (gap.unwanted.length > 0) return blocked(facts, node, daemonSet, gap.unwanted);
  if (gap.passing.length > 0) return blockedByFault(facts, node, daemonSet, gap.passing);
  return notMade(facts, node, daemonSet, daemonSet.podsOn(node.name));
}

/** An untolerated taint that stays: the gap itself. */
function blocked(facts: ClusterFacts, node: NodeFacts, daemonSet: DaemonSetFacts, taints: readonly Taint[]): Symptom {
  const reason = placementReason(daemonSet.place(node.node));
  return missing(facts, node, daemonSet, {
    ...(isOffControlPlane(daemonSet, taints) ? { severity: "warning" } : {}),
    message: `${reason}.`,
    summary: `${daemonSet.name} blocked by ${taintList(taints)}`,
    advice: tolerationAdvice(daemonSet, taints),
    tolerate: taints,
    evidence: taints.map((taint) => taintEvidence(node, taint)),
    about: { taintKeys: taints.map((taint) => taint.key) },
  });
}

/**
 * Only taints that go with a fault or a preparation are in the way. The DaemonSet whose own work takes the taint off
 * waits for itself; every other one waits for the fault to go.
 */
function blockedByFault(
  facts: ClusterFacts,
  node: NodeFacts,
  daemonSet: DaemonSetFacts,
  taints: readonly Taint[],
): Symptom | null {
  const names = [daemonSet.name, ...daemonSet.workload.template.containers.map((container) => container.image)];
  const own = taints.filter((taint) => clearsTaint(daemonSet.role, taint, names));
  if (own.length > 0) {
    return missing(facts, node, daemonSet, {
      message: `it does not tolerate ${taintList(own)}, which goes only once its own pod works here: it waits for itself.`,
      summary: `${daemonSet.name} waits for itself: ${taintList(own)} not tolerated`,
      advice: tolerationAdvice(daemonSet, own),
      tolerate: own,
      evidence: own.map((taint) => taintEvidence(node, taint)),
    });
  }
  const old = node.ready !== "Unknown" && !node.young && taints.some((taint) => isLasting(facts, node, taint));
  if (!old) return null;
  return missing(facts, node, daemonSet, {
    message: `${taintList(taints)} keeps it away, and goes with its reason.`,
    summary: `${daemonSet.name} kept away by ${taintList(taints)}`,
    advice: "Do not tolerate this taint: remove its reason.",
    evidence: taints.map((taint) => taintEvidence(node, taint)),
    about: { taintKeys: taints.map((taint) => taint.key) },
  });
}

/** A taint that has stood longer than the grace time, as far as its own stamp, its condition or the node's age tell. */
function isLasting(facts: ClusterFacts, node: NodeFacts, taint: Taint): boolean {
  const since = taint.timeAdded ?? node.readyCondition?.lastTransitionTime ?? node.node.createdAt;
  return isOlder(since, facts.now, facts.options.graceMs);
}

/** Nothing of the template keeps it away, and still there is none. */
function notMade(facts: ClusterFacts, node: NodeFacts, daemonSet: DaemonSetFacts, local: LocalPods): Symptom | null {
  const refused = local.ended.filter((pod) => pod.phase === "Failed");
  if (refused.length > 0) {
    const last = refused.at(-1);
    return missing(facts, node, daemonSet, {
      message: `its pods are made and end at once: ${quote(last?.message || last?.reason || "Failed")}.`,
      summary: `${daemonSet.name} is refused by the kubelet`,
      advice: `Remove what the kubelet complains of; a system-node-critical priority class keeps such a pod from being evicted.`,
      evidence: refused.slice(-2).map((pod) => ({
        text: `${podKey(pod)}: ${pod.reason} ${quote(pod.message)}`,
        at: pod.startTime,
        object: podRef(pod),
      })),
      about: { pods: refused.map(podKey), texts: refused.map((pod) => pod.message) },
    });
  }
  const starting = node.young || isYoung(daemonSet.workload.createdAt, facts.now, facts.options.graceMs);
  const hanging = local.terminating.find((pod) => isOverdue(facts, pod));
  if (hanging !== undefined && node.ready !== "Unknown") {
    return missing(facts, node, daemonSet, {
      message: `${podKey(hanging)} cannot finish terminating, and the next one is made only when it has gone.`,
      summary: `${daemonSet.name} waits for ${hanging.name} to go`,
      advice: "",
      evidence: [
        { text: `deletionTimestamp of ${podKey(hanging)} has passed`, at: hanging.deletedAt, object: podRef(hanging) },
      ],
      about: { pods: [podKey(hanging)] },
    });
  }
  if (starting || local.terminating.length > 0 || node.ready === "Unknown") return null;
  const failed = failedCreateOf(facts, daemonSet.ref);
  if (failed !== null) {
    return missing(facts, node, daemonSet, {
      message: `its controller may not create it: ${quote(failed.event.message)}.`,
      summary: `${daemonSet.name} cannot be created: ${failed.summary}`,
      advice: failed.advice,
      evidence: [
        {
          text: `Event FailedCreate: ${quote(failed.event.message)}`,
          at: failed.event.lastSeen,
          object: daemonSet.ref,
        },
      ],
      outside: { object: failed.object, summary: `${daemonSet.name}: ${failed.summary}`, advice: failed.advice },
    });
  }
  // Without any pod of its namespace the dump was most likely made for another one.
  if (!facts.index.namespaces().has(daemonSet.namespace)) return null;
  return missing(facts, node, daemonSet, {
    outside: brokenControllerManager(facts),
    message: "its controller has made none, though nothing keeps it away.",
    summary: `${daemonSet.name} has no pod`,
    advice: `kubectl -n ${daemonSet.namespace} describe daemonset ${daemonSet.name}, and see whether kube-controller-manager runs.`,
    evidence: [
      {
        text: `No pod of ${daemonSet.key} on the node, no taint or label against one`,
        at: null,
        object: daemonSet.ref,
      },
    ],
  });
}

function taintEvidence(node: NodeFacts, taint: Taint): Evidence {
  return {
    text: `Taint ${taintList([taint])}`,
    at: taint.timeAdded,
    object: { kind: "Node", namespace: null, name: node.name },
  };
}
