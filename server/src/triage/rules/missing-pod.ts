// Triage rule platform-pod-missing: what every such symptom says, whatever its reason.
import type { ClusterFacts } from "../facts/cluster.ts";
import type { DaemonSetFacts } from "../facts/daemon-set.ts";
import { servesOn } from "../facts/need.ts";
import type { NodeFacts } from "../facts/node.ts";
import { severityOf } from "../facts/severity-of-role.ts";
import { type Symptom, type SymptomDraft, symptom } from "../symptom.ts";
import { roleLoss } from "../wording/role-loss.ts";

/** Completes a draft whose `message` is the reason, without the DaemonSet's and the node's names. */
export function missing(
  facts: ClusterFacts,
  node: NodeFacts,
  daemonSet: DaemonSetFacts,
  draft: Pick<SymptomDraft, "message" | "summary" | "advice"> & Partial<SymptomDraft>,
): Symptom {
  const serves = servesOn(facts, node, daemonSet);
  return symptom({
    code: "platform-pod-missing",
    node: node.name,
    severity: severityOf(daemonSet),
    object: daemonSet.ref,
    consequence: roleLoss(daemonSet.role, serves),
    ...draft,
    message: `${daemonSet.key} (${daemonSet.role}) has no pod on ${node.name}: ${draft.message}`,
    about: {
      daemonSet: daemonSet.key,
      role: daemonSet.role,
      resources: daemonSet.role === "device plugin" ? serves : [],
      drivers: daemonSet.role === "CSI node driver" ? serves : [],
      ...draft.about,
    },
  });
}
