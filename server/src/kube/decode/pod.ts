// Kubernetes data layer, decoding: Pods of a cluster.
import type { ClusterPod, ContainerEnd, ContainerStatus } from "../pod.ts";
import { decodeConditions } from "./condition.ts";
import { type Interner, NO_SHARING } from "./interner.ts";
import { decodeMetadata } from "./metadata.ts";
import { decodePodSpec } from "./pod-spec.ts";
import { boolOf, integerOf, isObject, type JsonObject, listOf, objectOf, textOf, textsOf, timeOf } from "./reading.ts";

const MIRROR_ANNOTATION = "kubernetes.io/config.mirror";
/** The only annotations of a pod that are read. */
export const POD_ANNOTATIONS: readonly string[] = [MIRROR_ANNOTATION];

/** Decodes a Pod of a cluster, its status included. Never throws. */
export function decodePod(value: unknown, interner: Interner = NO_SHARING): ClusterPod {
  const object = objectOf(value);
  const metadata = decodeMetadata(object, interner);
  const source = objectOf(object.metadata);
  const spec = objectOf(object.spec);
  const status = objectOf(object.status);
  return {
    namespace: metadata.namespace,
    name: metadata.name,
    uid: metadata.uid,
    createdAt: metadata.createdAt,
    labels: metadata.labels,
    controller: metadata.controller,
    spec: decodePodSpec(spec, interner),
    phase: interner.texts.share(textOf(status.phase)),
    reason: interner.texts.share(textOf(status.reason)),
    message: interner.texts.share(textOf(status.message)),
    startTime: timeOf(status.startTime),
    deletedAt: metadata.deletedAt,
    deletionGraceSeconds: integerOf(source.deletionGracePeriodSeconds),
    finalizers: textsOf(source.finalizers),
    conditions: decodeConditions(listOf(status.conditions).filter(isNews), interner),
    // Joined to their exact length: a spread leaves room for sixteen more in each of 150,000 pods.
    containers: decodeStatuses(status.initContainerStatuses, true, interner).concat(
      decodeStatuses(status.containerStatuses, false, interner),
    ),
    nominatedNodeName: textOf(status.nominatedNodeName),
    mirror: MIRROR_ANNOTATION in metadata.annotations,
    priority: integerOf(spec.priority),
  };
}

/** The conditions that are true of every healthy pod and left out then: five objects a pod that say nothing. */
export const EXPECTED_CONDITIONS: readonly string[] = [
  "PodReadyToStartContainers",
  "Initialized",
  "Ready",
  "ContainersReady",
  "PodScheduled",
];

function isNews(condition: unknown): boolean {
  const { type, status } = objectOf(condition);
  return status !== "True" || !EXPECTED_CONDITIONS.includes(textOf(type));
}

function decodeStatuses(value: unknown, init: boolean, interner: Interner): ContainerStatus[] {
  return listOf(value)
    .filter(isObject)
    .map((status) => decodeStatus(status, init, interner));
}

function decodeStatus(status: JsonObject, init: boolean, interner: Interner): ContainerStatus {
  const state = objectOf(status.state);
  const { texts } = interner;
  return {
    name: texts.share(textOf(status.name)),
    init,
    ready: boolOf(status.ready),
    restartCount: integerOf(status.restartCount) ?? 0,
    image: texts.share(textOf(status.image)),
    waiting: isObject(state.waiting)
      ? { reason: texts.share(textOf(state.waiting.reason)), message: texts.share(textOf(state.waiting.message)) }
      : null,
    running: isObject(state.running) ? { startedAt: timeOf(state.running.startedAt) } : null,
    terminated: decodeEnd(state.terminated, interner),
    lastTerminated: decodeEnd(objectOf(status.lastState).terminated, interner),
  };
}

function decodeEnd(value: unknown, interner: Interner): ContainerEnd | null {
  if (!isObject(value)) return null;
  return {
    reason: interner.texts.share(textOf(value.reason)),
    message: interner.texts.share(textOf(value.message)),
    exitCode: integerOf(value.exitCode) ?? 0,
    startedAt: timeOf(value.startedAt),
    finishedAt: timeOf(value.finishedAt),
  };
}
