// Triage rule platform-pod-not-ready: a platform DaemonSet has a pod here, and it does not work.

import type { Severity } from "../../../../shared/src/severity.ts";
import type { Role } from "../../coverage/role.ts";
import type { ClusterPod } from "../../kube/pod.ts";
import type { Taint } from "../../kube/taint.ts";
import type { ClusterFacts } from "../facts/cluster.ts";
import type { DaemonSetFacts } from "../facts/daemon-set.ts";
import { eventEvidence } from "../facts/events.ts";
import { gapOf } from "../facts/gap.ts";
import { brokenOperator } from "../facts/helpers.ts";
import { canHost, servesOn } from "../facts/need.ts";
import type { NodeFacts } from "../facts/node.ts";
import { type Ailment, ailmentOf } from "../facts/pod-health.ts";
import { podKey, podRef } from "../facts/pod-state.ts";
import { severityOf } from "../facts/severity-of-role.ts";
import { startFailureOf } from "../facts/start-failure.ts";
import { readPull, readStart } from "../read/failure.ts";
import { readComplaint } from "../read/not-ready.ts";
import { type Symptom, symptom } from "../symptom.ts";
import { quote } from "../wording/list.ts";
import { roleLoss } from "../wording/role-loss.ts";
import { forSince } from "../wording/time.ts";
import { taintList } from "../wording/toleration-line.ts";

/**
 * One symptom per platform DaemonSet whose only pods here are Pending, waiting, crashing or not ready. Judged by
 * container states: on a NotReady node the Ready condition is the node controller's mark, and a running container's
 * readiness counts only for a network plugin the kubelet waits for. Silent on an Unknown node, whose states are stale,
 * and on a node that shuts down.
 */
export function platformPodNotReady(facts: ClusterFacts, node: NodeFacts): readonly Symptom[] {
  if (node.ready === "Unknown" || node.shuttingDown) return [];
  const waitsForNetwork =
    node.ready === "False" && readComplaint(node.readyCondition?.message ?? "").complaint === "network";
  const found = facts.here.living(node.name).flatMap((daemonSet) => {
    if (!canHost(node, daemonSet)) return [];
    const trustReady = node.ready !== "False" || (waitsForNetwork && daemonSet.role === "network plugin");
    const ill = daemonSet.podsOn(node.name).living.map((pod) => ({ pod, ailment: ailmentOf(facts, pod, trustReady) }));
    const [first] = ill;
    // A surging rollout has an old pod that still works beside the new one.
    if (first === undefined || ill.some((entry) => entry.ailment === null)) return [];
    const { pod, ailment } = ill.at(-1) ?? first;
    return ailment === null ? [] : [report(facts, node, subjectOf(facts, node, daemonSet), pod, ailment)];
  });
  return [...found, ...staticProxy(facts, node)];
}

/** Whose pod it is, and what that means for the node. */
interface Subject {
  /** `namespace/name` of the DaemonSet; of the pod itself where it is static. */
  readonly key: string;
  /** null for a static pod. */
  readonly daemonSet: DaemonSetFacts | null;
  readonly role: Role;
  readonly severity: Severity;
  readonly serves: readonly string[];
  /** Lasting taints that would keep a new pod away. */
  readonly blocking: readonly Taint[];
}

function subjectOf(facts: ClusterFacts, node: NodeFacts, daemonSet: DaemonSetFacts): Subject {
  return {
    key: daemonSet.key,
    daemonSet,
    role: daemonSet.role,
    severity: severityOf(daemonSet),
    serves: servesOn(facts, node, daemonSet),
    blocking: gapOf(facts, node, daemonSet).unwanted,
  };
}

/** Some clusters run kube-proxy as a static pod: its mirror is never missing, but it can crash. */
function staticProxy(facts: ClusterFacts, node: NodeFacts): readonly Symptom[] {
  return node.pods
    .filter((pod) => pod.mirror && pod.name.startsWith("kube-proxy"))
    .flatMap((pod) => {
      const ailment = ailmentOf(facts, pod, false);
      const subject: Subject = {
        key: podKey(pod),
        daemonSet: null,
        role: "kube-proxy",
        severity: "error",
        serves: [],
        blocking: [],
      };
      return ailment === null ? [] : [report(facts, node, subject, pod, ailment)];
    });
}

function report(facts: ClusterFacts, node: NodeFacts, subject: Subject, pod: ClusterPod, ailment: Ailment): Symptom {
  const { serves, blocking } = subject;
  const events = facts.events.ofPod(pod).filter((event) => event.type === "Warning");
  const start = startFailureOf(facts, pod);
  const failure =
    ailment.kind === "image"
      ? readPull(
          [ailment.words, ...events.filter((event) => event.reason === "Failed").map((event) => event.message)].join(
            " ",
          ),
        )
      : ailment.kind === "starting" || ailment.kind === "create"
        ? (start?.failure ?? readStart("Failed", ailment.words))
        : null;
  const words = ailment.words || start?.failure.text || events.at(-1)?.message || "";
  const keep =
    blocking.length === 0
      ? ""
      : ` Do not delete the pod: its DaemonSet does not tolerate ${taintList(blocking)}, so it would not come back.`;
  return symptom({
    code: "platform-pod-not-ready",
    node: node.name,
    severity: subject.severity,
    message: `${podKey(pod)} (${subject.role}) on ${node.name} does not work${forSince(ailment.since, facts.now)}: ${stateOf(ailment)}${words === "" ? "" : `, ${quote(words)}`}.`,
    consequence: roleLoss(subject.role, serves),
    summary: `${pod.name} ${shortState(ailment)}${words === "" ? "" : `: ${quote(words, 90)}`}`,
    advice: `${adviceOf(pod, ailment, words, subject.key)}${keep}`,
    object: podRef(pod),
    rootObject: podRef(pod),
    since: ailment.since,
    outside: subject.daemonSet === null ? null : brokenOperator(facts, subject.daemonSet, words),
    evidence: [
      {
        text: `${podKey(pod)}: ${stateOf(ailment)}${words === "" ? "" : `, ${quote(words)}`}`,
        at: ailment.container?.lastTerminated?.finishedAt ?? ailment.since,
        object: podRef(pod),
      },
      ...events.slice(-2).map(eventEvidence),
    ],
    about: {
      daemonSet: subject.key,
      role: subject.role,
      pods: [podKey(pod)],
      resources: subject.role === "device plugin" ? serves : [],
      drivers: subject.role === "CSI node driver" ? serves : [],
      failure,
      waitsInInit: ailment.kind === "init",
      texts: [ailment.reason, words, ...events.map((event) => event.message)],
    },
  });
}

function stateOf(ailment: Ailment): string {
  const container = ailment.container === null ? "" : ` of container ${ailment.container.name}`;
  const restarts = ailment.container?.restartCount ?? 0;
  switch (ailment.kind) {
    case "image":
      return `${ailment.reason}${container}`;
    case "crash":
      return `${ailment.reason === "restarts" ? "keeps crashing" : ailment.reason}${container}${restarts > 0 ? ` (${restarts} restarts)` : ""}`;
    case "create":
      return `${ailment.reason}${container}`;
    case "init":
      return `init container ${ailment.container?.name ?? ""} has not finished`;
    case "unscheduled":
      return "Pending, the scheduler finds no room for it here";
    case "starting":
      return "no container has started";
    case "not-ready":
      return `container ${ailment.container?.name ?? ""} runs but is not ready`;
  }
}

function shortState(ailment: Ailment): string {
  switch (ailment.kind) {
    case "crash":
      return "crashes";
    case "image":
      return "cannot pull its image";
    case "unscheduled":
      return "is Pending";
    case "init":
      return "waits in an init container";
    case "starting":
    case "create":
      return "does not start";
    case "not-ready":
      return "is not ready";
  }
}

function adviceOf(pod: ClusterPod, ailment: Ailment, words: string, owner: string): string {
  const target = `-n ${pod.namespace} ${pod.name}`;
  const container = ailment.container === null ? "" : ` -c ${ailment.container.name}`;
  if (/exec format error/i.test(words)) {
    const images = [...new Set(pod.spec.containers.map((entry) => entry.image))].join(", ");
    return `The image is built for another architecture: use a multi-arch image (${images}), or exclude this architecture by node affinity in ${owner}.`;
  }
  if (/OOMKilled/.test(`${words} ${ailment.container?.lastTerminated?.reason ?? ""}`)) {
    return `Raise the memory limit of ${owner}: the container was killed for memory.`;
  }
  switch (ailment.kind) {
    case "crash":
      return `Read its last words: kubectl logs ${target}${container} --previous`;
    case "unscheduled":
      return `Make room, or give ${owner} a priority class (system-node-critical) so that the scheduler does: kubectl describe pod ${target}`;
    case "image":
      return `See why the image cannot be pulled: kubectl describe pod ${target}`;
    case "init":
      return `See what it waits for: kubectl logs ${target}${container}`;
    case "starting":
    case "create":
    case "not-ready":
      return `kubectl describe pod ${target}`;
  }
}
