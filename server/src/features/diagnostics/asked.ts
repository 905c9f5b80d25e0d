// Features layer: what a pod spec asks of its node's labels and name, one requirement at a time, each with its place.

import type { NodeSelectorRequirement } from "../../kube/node-selector.ts";
import type { PodSpec } from "../../kube/pod-spec.ts";
import { admits, compileSelection } from "../../scheduling/node-affinity.ts";
import type { ManifestWorkload } from "../../workload/manifest.ts";
import type { YamlPath } from "../../yaml/tree.ts";
import type { NodeFacts } from "./judge.ts";

export interface Asked {
  readonly where: "nodeName" | "nodeSelector" | "affinity" | "field";
  readonly requirement: NodeSelectorRequirement;
  /** Path of the value (of a nodeSelector entry) or of the requirement, from the workload's object. */
  readonly path: YamlPath;
  /** One of several terms: another may do. */
  readonly alternative: boolean;
}

/** Every requirement of a workload's pod spec. */
export function askedOf({
  workload,
  podSpecPath,
}: Pick<ManifestWorkload, "workload" | "podSpecPath">): readonly Asked[] {
  const { nodeName, nodeSelector, requiredAffinity }: PodSpec = workload.template;
  const asked: Asked[] = [];
  if (nodeName !== "") {
    const requirement = { key: "metadata.name", operator: "In", values: [nodeName] };
    asked.push({ where: "nodeName", requirement, path: [...podSpecPath, "nodeName"], alternative: false });
  }
  for (const [key, value] of Object.entries(nodeSelector)) {
    const requirement = { key, operator: "In", values: [value] };
    asked.push({ where: "nodeSelector", requirement, path: [...podSpecPath, "nodeSelector", key], alternative: false });
  }
  const terms = requiredAffinity?.terms ?? [];
  const path = [
    ...podSpecPath,
    "affinity",
    "nodeAffinity",
    "requiredDuringSchedulingIgnoredDuringExecution",
    "nodeSelectorTerms",
  ];
  const alternative = terms.length > 1;
  terms.forEach((term, index) => {
    term.matchExpressions.forEach((requirement, place) => {
      asked.push({ where: "affinity", requirement, path: [...path, index, "matchExpressions", place], alternative });
    });
    term.matchFields.forEach((requirement, place) => {
      asked.push({ where: "field", requirement, path: [...path, index, "matchFields", place], alternative });
    });
  });
  return asked;
}

/** Whether a node meets one requirement by itself. */
export function meets({ where, requirement }: Asked, node: Pick<NodeFacts, "name" | "labels">): boolean {
  const term =
    where === "affinity"
      ? { matchExpressions: [requirement], matchFields: [] }
      : { matchExpressions: [], matchFields: [requirement] };
  if (where === "nodeSelector")
    return Object.hasOwn(node.labels, requirement.key) && node.labels[requirement.key] === requirement.values[0];
  if (where === "nodeName") return node.name === requirement.values[0];
  return admits(compileSelection({ nodeName: "", nodeSelector: {}, requiredAffinity: { terms: [term] } }), node);
}

/** Whether a node meets all of them; of alternatives nothing is asked. */
export function meetsAll(asked: readonly Asked[], node: Pick<NodeFacts, "name" | "labels">): boolean {
  return asked.every((entry) => entry.alternative || meets(entry, node));
}
