// Triage rule csi-driver-missing: a driver of the cluster is not registered on the node.

import type { Severity } from "../../../../shared/src/severity.ts";
import { isYoung } from "../facts/age.ts";
import type { ClusterFacts } from "../facts/cluster.ts";
import type { DaemonSetFacts } from "../facts/daemon-set.ts";
import { eventEvidence } from "../facts/events.ts";
import { gapOf } from "../facts/gap.ts";
import { canHost } from "../facts/need.ts";
import type { NodeFacts } from "../facts/node.ts";
import { hasEnded, hasStarted, podKey, startOf } from "../facts/pod-state.ts";
import { isOffControlPlane } from "../facts/severity-of-role.ts";
import { startFailureOf } from "../facts/start-failure.ts";
import type { Evidence } from "../finding.ts";
import { type Symptom, symptom } from "../symptom.ts";

/**
 * One error (a warning where only the control plane's taint keeps it away) per driver that CSINode does not list although it is expected here: its DaemonSet is meant for this node, a
 * pod waits for it, or every other node has it. Nothing where CSINodes were not read, on a node that starts, and on
 * nodes that are Unknown or cannot run the DaemonSet.
 */
export function csiDriverMissing(facts: ClusterFacts, node: NodeFacts): readonly Symptom[] {
  if (facts.cluster.parts.csinodes !== "known" || node.young || node.ready === "Unknown") return [];
  const registered = new Set(node.csi?.drivers.map((driver) => driver.name));
  const wanted = wantedHere(facts, node);
  const names = new Set([...facts.index.drivers(), ...wanted.keys()]);
  const found = [...names]
    .filter((driver) => !registered.has(driver))
    .flatMap((driver) => judge(facts, node, driver, wanted));
  return found.length > 0 || registered.size > 0 ? found : unnamed(facts, node);
}

/** Drivers that events of pods still waiting here ask for. */
function wantedHere(facts: ClusterFacts, node: NodeFacts): ReadonlyMap<string, Evidence> {
  const found = new Map<string, Evidence>();
  for (const pod of node.pods) {
    if (hasEnded(pod) || hasStarted(pod)) continue;
    const start = startFailureOf(facts, pod);
    if (start?.failure.kind === "csi-driver" && start.failure.driver !== "") {
      found.set(start.failure.driver, eventEvidence(start.event));
    }
  }
  return found;
}

function judge(
  facts: ClusterFacts,
  node: NodeFacts,
  driver: string,
  wanted: ReadonlyMap<string, Evidence>,
): readonly Symptom[] {
  const registrars = facts.index.registrars(driver);
  const meant = registrars.filter((daemonSet) => isMeantHere(facts, node, daemonSet));
  const asked = wanted.get(driver);
  const elsewhere = facts.index.registeredOn(driver);
  const everywhere =
    elsewhere.size > 1 && elsewhere.size === facts.cluster.csiNodes.size - 1 && registrars.length === 0;
  // A DaemonSet of several drivers may keep one for other nodes: without a trace of this driver anywhere it is not missed.
  const known = elsewhere.size > 0 || registrars.length > 0;
  if (asked === undefined && !(meant.length > 0 && known) && !everywhere) return [];
  if (asked === undefined && meant.some((daemonSet) => isStarting(facts, node, daemonSet))) return [];
  const off = meant.length > 0 && meant.every((entry) => isOffControlPlane(entry, entry.untolerated(node)));
  return [report(node, driver, meant, asked, off && asked === undefined ? "warning" : "error")];
}

/** Admitted by its selector, able to run here, and not kept away on purpose. */
function isMeantHere(facts: ClusterFacts, node: NodeFacts, daemonSet: DaemonSetFacts): boolean {
  if (!daemonSet.admits(node.node) || !canHost(node, daemonSet)) return false;
  return gapOf(facts, node, daemonSet).meant.length === 0;
}

function isStarting(facts: ClusterFacts, node: NodeFacts, daemonSet: DaemonSetFacts): boolean {
  return daemonSet.podsOn(node.name).living.some((pod) => isYoung(startOf(pod), facts.now, facts.options.graceMs));
}

/** No driver is known by name, but a CSI node driver runs here and none is registered. */
function unnamed(facts: ClusterFacts, node: NodeFacts): readonly Symptom[] {
  if (node.csi === null) return [];
  const running = facts.platform.filter(
    (daemonSet) =>
      daemonSet.role === "CSI node driver" &&
      daemonSet.podsOn(node.name).living.length > 0 &&
      !isStarting(facts, node, daemonSet),
  );
  return running.length === 0 ? [] : [report(node, "", running, undefined, "error")];
}

function report(
  node: NodeFacts,
  driver: string,
  registrars: readonly DaemonSetFacts[],
  asked: Evidence | undefined,
  severity: Severity,
): Symptom {
  const [registrar] = registrars;
  const pod = registrar?.podsOn(node.name).living[0];
  const what = driver === "" ? `The driver of ${registrar?.key ?? "a CSI node driver"}` : `CSI driver ${driver}`;
  return symptom({
    code: "csi-driver-missing",
    node: node.name,
    severity,
    message: `${what} is not registered on ${node.name}: CSINode lists ${node.csi === null || node.csi.drivers.length === 0 ? "no driver" : node.csi.drivers.map((entry) => entry.name).join(", ")}.`,
    consequence: "Volumes of this driver can be neither attached nor mounted here.",
    summary: `${driver === "" ? "CSI driver" : driver} not registered`,
    advice:
      pod === undefined
        ? registrar === undefined
          ? `Find the DaemonSet that brings ${driver} and see why it has no pod on ${node.name}.`
          : `See why DaemonSet ${registrar.key} has no working pod on ${node.name}.`
        : `Its pod is here: restart the registrar (kubectl -n ${pod.namespace} delete pod ${pod.name}) and compare the host path it mounts with the kubelet's directory.`,
    evidence: [
      {
        text: `CSINode ${node.name}: drivers [${node.csi?.drivers.map((entry) => entry.name).join(", ") ?? ""}]`,
        at: null,
        object: { kind: "CSINode", namespace: null, name: node.name },
      },
      ...(asked === undefined ? [] : [asked]),
    ],
    about: {
      drivers: driver === "" ? [] : [driver],
      daemonSet: registrar?.key ?? "",
      pods: pod === undefined ? [] : [podKey(pod)],
    },
  });
}
