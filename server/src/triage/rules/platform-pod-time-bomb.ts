// Triage rule platform-pod-time-bomb: a platform pod runs, and would not come back.
import type { ClusterFacts } from "../facts/cluster.ts";
import { gapOf } from "../facts/gap.ts";
import { canHost, servesOn } from "../facts/need.ts";
import type { NodeFacts } from "../facts/node.ts";
import { ailmentOf } from "../facts/pod-health.ts";
import { podKey, podRef } from "../facts/pod-state.ts";
import { type Symptom, symptom } from "../symptom.ts";
import { roleLoss } from "../wording/role-loss.ts";
import { taintList, tolerationAdvice } from "../wording/toleration-line.ts";

/**
 * One warning per platform DaemonSet whose pod works here although the template does not tolerate a lasting hard taint:
 * the next deletion or rollout takes it away. A pod that does not work is reported as that. Mirror pods are none of it.
 */
export function platformPodTimeBomb(facts: ClusterFacts, node: NodeFacts): readonly Symptom[] {
  if (node.node.taints.length === 0 || node.ready === "Unknown") return [];
  return facts.here.living(node.name).flatMap((daemonSet) => {
    const [pod] = daemonSet.podsOn(node.name).living;
    if (pod === undefined || !daemonSet.admits(node.node) || !canHost(node, daemonSet)) return [];
    const taints = gapOf(facts, node, daemonSet).unwanted;
    if (taints.length === 0 || ailmentOf(facts, pod, node.ready !== "False") !== null) return [];
    const strategy = daemonSet.workload.updateStrategy?.type === "OnDelete" ? "deletion" : "deletion or rollout";
    return [
      symptom({
        code: "platform-pod-time-bomb",
        node: node.name,
        severity: "warning",
        message: `${podKey(pod)} (${daemonSet.role}) runs on ${node.name}, but its DaemonSet does not tolerate ${taintList(taints)}: after the next ${strategy} it does not come back.`,
        consequence: `Then: ${roleLoss(daemonSet.role, servesOn(facts, node, daemonSet))}`,
        summary: `${daemonSet.name} would not come back: ${taintList(taints)}`,
        advice: tolerationAdvice(daemonSet, taints),
        tolerate: taints,
        object: daemonSet.ref,
        evidence: [
          {
            text: `Taint ${taintList(taints)}`,
            at: taints[0]?.timeAdded ?? null,
            object: { kind: "Node", namespace: null, name: node.name },
          },
          { text: `${podKey(pod)} is ${pod.phase}`, at: pod.startTime, object: podRef(pod) },
        ],
        about: {
          daemonSet: daemonSet.key,
          role: daemonSet.role,
          pods: [podKey(pod)],
          taintKeys: taints.map((taint) => taint.key),
        },
      }),
    ];
  });
}
