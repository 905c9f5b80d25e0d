// Kubernetes data layer, decoding: an object with a pod template (or a Pod) as a Workload.
import { groupOf, type WorkloadKind } from "../kinds.ts";
import type { UpdateStrategy, Workload } from "../workload.ts";
import { deployerOf } from "./deployer.ts";
import { type Interner, NO_SHARING } from "./interner.ts";
import { canonicalLabels, canonicalSelector } from "./label-selector.ts";
import { decodeMetadata } from "./metadata.ts";
import { decodePodSpec } from "./pod-spec.ts";
import { boolOf, integerOf, isObject, type JsonObject, listOf, objectOf, textMapOf, textOf } from "./reading.ts";

/**
 * Decodes an object of the given kind (see `workloadKind`), from a manifest or from the API. Never throws.
 */
export function decodeWorkload(value: unknown, kind: WorkloadKind, interner: Interner = NO_SHARING): Workload {
  const object = objectOf(value);
  const metadata = decodeMetadata(object, interner);
  const spec = objectOf(object.spec);
  const templateLabels = interner.textMaps.share(templateLabelsOf(object, kind));
  return {
    group: kind.group,
    kind: kind.kind,
    namespace: metadata.namespace === "" ? null : metadata.namespace,
    name: metadata.name === "" ? null : metadata.name,
    generateName: metadata.generateName === "" ? null : metadata.generateName,
    uid: metadata.uid,
    createdAt: metadata.createdAt,
    labels: metadata.labels,
    selector: selectorOf(object, kind, templateLabels),
    templateLabels,
    template: decodePodSpec(at(object, kind.podSpecPath), interner),
    replicas: HAS_REPLICAS.has(kind.kind) ? integerOf(spec.replicas) : null,
    suspended: HAS_SUSPEND.has(kind.kind) && boolOf(spec.suspend),
    finished: isFinished(objectOf(object.status), kind.kind),
    updateStrategy: updateStrategyOf(spec, kind.kind),
    controller: metadata.controller,
    managedBy: metadata.labels["app.kubernetes.io/managed-by"] ?? "",
    deployer: deployerOf(metadata.labels, metadata.annotations),
  };
}

const HAS_REPLICAS: ReadonlySet<string> = new Set(["Deployment", "StatefulSet", "ReplicaSet", "ReplicationController"]);
const HAS_SUSPEND: ReadonlySet<string> = new Set(["Job", "CronJob"]);

function at(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((object, key) => objectOf(object)[key], value);
}

/** A Pod has its labels in its own metadata; a template beside its spec. */
function templateLabelsOf(object: JsonObject, kind: WorkloadKind): Readonly<Record<string, string>> {
  const template = objectOf(at(object, kind.podSpecPath.slice(0, -1)));
  return textMapOf(objectOf(template.metadata).labels);
}

/** ReplicationControllers select by a plain map, which defaults to the template's labels. */
function selectorOf(object: JsonObject, kind: WorkloadKind, templateLabels: Readonly<Record<string, string>>): string {
  const selector = objectOf(object.spec).selector;
  if (kind.kind !== "ReplicationController") {
    if (isObject(selector) || groupOf(textOf(object.apiVersion)) !== "extensions") return canonicalSelector(selector);
    return canonicalLabels(templateLabels);
  }
  const labels = textMapOf(selector);
  return canonicalLabels(Object.keys(labels).length === 0 ? templateLabels : labels);
}

function isFinished(status: JsonObject, kind: string): boolean {
  if (kind === "Pod") return status.phase === "Succeeded" || status.phase === "Failed";
  if (kind !== "Job") return false;
  return listOf(status.conditions).some((item) => {
    const condition = objectOf(item);
    return (condition.type === "Complete" || condition.type === "Failed") && textOf(condition.status) === "True";
  });
}

function updateStrategyOf(spec: JsonObject, kind: string): UpdateStrategy | null {
  const strategy = kind === "Deployment" ? spec.strategy : spec.updateStrategy;
  if (!isObject(strategy)) return null;
  const rolling = objectOf(strategy.rollingUpdate);
  return {
    type: textOf(strategy.type),
    maxSurge: textOf(rolling.maxSurge),
    maxUnavailable: textOf(rolling.maxUnavailable),
  };
}
