// Cluster layer, snapshot: how pod specs and pods are stored.

import type { NodeCondition } from "../../kube/node.ts";
import type { NodeSelector, NodeSelectorRequirement, NodeSelectorTerm } from "../../kube/node-selector.ts";
import type { ClusterPod, ContainerEnd, ContainerStatus } from "../../kube/pod.ts";
import type { Container, PodSpec, Volume, VolumeMount } from "../../kube/pod-spec.ts";
import type { Resources } from "../../kube/resources.ts";
import type { Toleration } from "../../kube/toleration.ts";
import type { OwnerRef } from "../../kube/workload.ts";
import { type Codec, dictionary, FLAG, list, NUMBER, nullable, oneOf, record, text } from "./codec.ts";
import { SharedTable } from "./shared-table.ts";

/** Labels, selectors and other maps of text. */
export type Texts = Readonly<Record<string, string>>;

/** The codecs of one snapshot; tables belong to one writing or reading. */
export interface PodCodecs {
  readonly text: Codec<string>;
  readonly texts: SharedTable<Texts>;
  readonly resources: SharedTable<Resources>;
  readonly tolerations: SharedTable<readonly Toleration[]>;
  readonly containers: SharedTable<readonly Container[]>;
  readonly volumes: SharedTable<readonly Volume[]>;
  readonly owners: SharedTable<OwnerRef>;
  readonly condition: Codec<NodeCondition>;
  readonly podSpec: Codec<PodSpec>;
  readonly pod: Codec<ClusterPod>;
}

/** Times and other whole numbers that may be unknown. */
export const MAYBE_NUMBER: Codec<number | null> = nullable(NUMBER);

/** The codecs of pods, with empty tables. */
export function podCodecs(): PodCodecs {
  const words = textCodec();
  const texts = new SharedTable("texts", dictionary(words));
  const resources = new SharedTable("resources", dictionary(NUMBER));
  const tolerations = new SharedTable("tolerations", list(tolerationCodec(words)));
  const containers = new SharedTable("containers", list(containerCodec(words, resources)));
  const volumes = new SharedTable("volumes", list(volumeCodec(words)));
  const owners = new SharedTable(
    "owners",
    record<OwnerRef>({ apiVersion: words, kind: words, name: words, uid: words }),
  );
  const condition = conditionCodec(words);
  const podSpec = record<PodSpec>({
    nodeName: words,
    nodeSelector: texts.reference,
    requiredAffinity: nullable(nodeSelectorCodec(words)),
    tolerations: tolerations.reference,
    hostNetwork: FLAG,
    hostPID: FLAG,
    os: words,
    schedulerName: words,
    schedulingGates: list(words),
    runtimeClassName: words,
    priorityClassName: words,
    requests: resources.reference,
    containers: containers.reference,
    volumes: volumes.reference,
    usesResourceClaims: FLAG,
    notModelled: list(oneOf(["podAffinity", "topologySpread", "volumes", "resourceClaims"])),
  });
  const pod = record<ClusterPod>({
    namespace: words,
    name: words,
    uid: words,
    createdAt: MAYBE_NUMBER,
    labels: texts.reference,
    controller: nullable(owners.reference),
    spec: podSpec,
    phase: words,
    reason: words,
    message: words,
    startTime: MAYBE_NUMBER,
    deletedAt: MAYBE_NUMBER,
    deletionGraceSeconds: MAYBE_NUMBER,
    finalizers: list(words),
    conditions: list(condition),
    containers: list(statusCodec(words)),
    nominatedNodeName: words,
    mirror: FLAG,
    priority: MAYBE_NUMBER,
  });
  return { text: words, texts, resources, tolerations, containers, volumes, owners, condition, podSpec, pod };
}

/** Texts read from a snapshot are kept once: names of namespaces, reasons and images repeat. */
function textCodec(): Codec<string> {
  const seen = new Map<string, string>();
  return text((value) => {
    const known = seen.get(value);
    if (known !== undefined) return known;
    seen.set(value, value);
    return value;
  });
}

/** Tolerations stand alone too (RuntimeClass). */
export function tolerationCodec(words: Codec<string>): Codec<Toleration> {
  return record<Toleration>({
    key: words,
    operator: words,
    value: words,
    effect: words,
    tolerationSeconds: MAYBE_NUMBER,
  });
}

function containerCodec(words: Codec<string>, resources: SharedTable<Resources>): Codec<Container> {
  return record<Container>({
    name: words,
    image: words,
    type: oneOf(["container", "init", "sidecar"]),
    // Containers are a table themselves, and one table must not refer to another that is loaded later.
    requests: resources.codec,
    limits: resources.codec,
    mounts: list(record<VolumeMount>({ name: words, mountPath: words })),
    command: list(words),
  });
}

function volumeCodec(words: Codec<string>): Codec<Volume> {
  return record<Volume>({
    name: words,
    hostPath: nullable(words),
    claim: nullable(words),
    csiDriver: nullable(words),
  });
}

function nodeSelectorCodec(words: Codec<string>): Codec<NodeSelector> {
  const requirement = record<NodeSelectorRequirement>({ key: words, operator: words, values: list(words) });
  const term = record<NodeSelectorTerm>({ matchExpressions: list(requirement), matchFields: list(requirement) });
  return record<NodeSelector>({ terms: list(term) });
}

function conditionCodec(words: Codec<string>): Codec<NodeCondition> {
  return record<NodeCondition>({
    type: words,
    status: words,
    reason: words,
    message: words,
    lastTransitionTime: MAYBE_NUMBER,
    lastHeartbeatTime: MAYBE_NUMBER,
  });
}

function statusCodec(words: Codec<string>): Codec<ContainerStatus> {
  const end = record<ContainerEnd>({
    reason: words,
    message: words,
    exitCode: NUMBER,
    startedAt: MAYBE_NUMBER,
    finishedAt: MAYBE_NUMBER,
  });
  return record<ContainerStatus>({
    name: words,
    init: FLAG,
    ready: FLAG,
    restartCount: NUMBER,
    image: words,
    waiting: nullable(record({ reason: words, message: words })),
    running: nullable(record({ startedAt: MAYBE_NUMBER })),
    terminated: nullable(end),
    lastTerminated: nullable(end),
  });
}
