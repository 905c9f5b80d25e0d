// Triage rule node-unknown: Ready Unknown, so the kubelet does not post.
import { isYoung } from "../facts/age.ts";
import type { ClusterFacts } from "../facts/cluster.ts";
import type { NodeFacts } from "../facts/node.ts";
import { type Symptom, symptom } from "../symptom.ts";
import { quote } from "../wording/list.ts";
import { forSince } from "../wording/time.ts";

/** One symptom when Ready is Unknown. An error, but for a new node that has yet to post; why a kubelet is silent the API cannot tell, so nothing is guessed. */
export function nodeUnknown(facts: ClusterFacts, node: NodeFacts): readonly Symptom[] {
  const condition = node.readyCondition;
  if (node.ready !== "Unknown" || condition === null) return [];
  const never = condition.reason === "NodeStatusNeverUpdated";
  const stopped = node.node.taints.some((taint) => taint.key === "node.cloudprovider.kubernetes.io/shutdown");
  const head = never ? "has never posted its status" : "stopped posting its status";
  return [
    symptom({
      code: "node-unknown",
      node: node.name,
      severity: never && isYoung(node.node.createdAt, facts.now, facts.options.graceMs) ? "information" : "error",
      message: `The kubelet of ${node.name} ${head}${forSince(condition.lastTransitionTime, facts.now)}${
        stopped ? "; the cloud says that the machine is shut down" : ""
      }.`,
      consequence:
        "Pods that are to go cannot be confirmed gone, and no new one comes. Whether containers still run is not known.",
      summary: `kubelet ${never ? "never posted" : "silent"}`,
      advice: stopped
        ? "Start the machine, or delete the node if it will not come back."
        : `Look at the machine itself (power, network, kubelet, its certificate): the API cannot tell them apart. If it is lost for good and surely off: kubectl taint node ${node.name} node.kubernetes.io/out-of-service=nodeshutdown:NoExecute, or delete the node.`,
      since: condition.lastTransitionTime,
      evidence: [
        {
          text: `Condition Ready=Unknown (${condition.reason}): ${quote(condition.message)}`,
          at: condition.lastTransitionTime,
          object: { kind: "Node", namespace: null, name: node.name },
        },
      ],
      about: { condition: "Ready", taintKeys: ["node.kubernetes.io/unreachable"], texts: [condition.message] },
    }),
  ];
}
