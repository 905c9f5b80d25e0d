// Triage rule node-unschedulable: the node is cordoned.
import { ageOf } from "../facts/age.ts";
import type { ClusterFacts } from "../facts/cluster.ts";
import type { NodeFacts } from "../facts/node.ts";
import type { Evidence } from "../finding.ts";
import { type Symptom, symptom } from "../symptom.ts";
import { forSince } from "../wording/time.ts";

/** Annotations by which a tool says that it works on the node. */
const WORKERS: readonly string[] = ["machineconfiguration.openshift.io/state", "weave.works/kured-reboot-in-progress"];

function workers(node: NodeFacts): readonly Evidence[] {
  return WORKERS.flatMap((key) => {
    const value = node.node.annotations[key];
    if (value === undefined || value === "" || value === "Done") return [];
    return [
      { text: `Annotation ${key}=${value}`, at: null, object: { kind: "Node", namespace: null, name: node.name } },
    ];
  });
}

const TAINT = "node.kubernetes.io/unschedulable";

/**
 * One symptom for a cordoned node: information while it looks like maintenance or its age is unknown, a warning from
 * `cordonMs` on. The taint's timeAdded is the age: the node lifecycle controller sets it.
 */
export function nodeUnschedulable(facts: ClusterFacts, node: NodeFacts): readonly Symptom[] {
  if (!node.node.unschedulable) return [];
  const taint = node.node.taints.find((entry) => entry.key === TAINT);
  const before = facts.options.baseline;
  const earlier = before?.nodes.get(node.name)?.unschedulable === true ? before.observedAt : null;
  const since = taint?.timeAdded ?? earlier;
  const age = ageOf(since, facts.now);
  const forgotten = age !== null && age > facts.options.cordonMs;
  const atLeast = taint?.timeAdded == null && earlier !== null ? " at least" : "";
  return [
    symptom({
      code: "node-unschedulable",
      node: node.name,
      severity: forgotten ? "warning" : "information",
      message: `${node.name} is cordoned${atLeast}${forSince(since, facts.now)}${
        forgotten ? ", longer than maintenance takes" : since === null ? "; since when is not known" : ""
      }.`,
      consequence: "No new pod comes here; running ones stay, and DaemonSets are not affected.",
      summary: `cordoned${forgotten ? " and perhaps forgotten" : ""}`,
      advice: forgotten
        ? `If nobody works on it: kubectl uncordon ${node.name}.`
        : `Wait for the maintenance to end, then: kubectl uncordon ${node.name}.`,
      since,
      evidence: [
        ...workers(node),
        {
          text: `spec.unschedulable is true${taint === undefined ? "" : `, taint ${TAINT}:NoSchedule`}`,
          at: since,
          object: { kind: "Node", namespace: null, name: node.name },
        },
      ],
      about: { taintKeys: [TAINT] },
    }),
  ];
}
