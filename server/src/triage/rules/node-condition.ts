// Triage rule node-condition: another condition than Ready reports a fault.
import type { NodeCondition } from "../../kube/node.ts";
import { isYoung } from "../facts/age.ts";
import type { ClusterFacts } from "../facts/cluster.ts";
import { eventEvidence } from "../facts/events.ts";
import { findHelpers } from "../facts/helpers.ts";
import type { NodeFacts } from "../facts/node.ts";
import { podRef } from "../facts/pod-state.ts";
import { CLOUD_CONTROLLER, taintsOfCondition } from "../facts/taint-nature.ts";
import type { Evidence } from "../finding.ts";
import {
  faultSeverity,
  isForeign,
  isGoodWhenTrue,
  isPressure,
  networkWriter,
  reportsFault,
} from "../read/condition.ts";
import { belongsToCondition, isNodeWarning } from "../read/node-event.ts";
import { type Symptom, symptom } from "../symptom.ts";
import { quote } from "../wording/list.ts";
import { forSince } from "../wording/time.ts";

/**
 * One symptom per condition at fault. Information where a young node has no route yet, and where a foreign condition
 * was last confirmed before the node's last reboot.
 */
export function nodeCondition(facts: ClusterFacts, node: NodeFacts): readonly Symptom[] {
  return node.node.conditions.filter(reportsFault).map((condition) => readFault(facts, node, condition));
}

function readFault(facts: ClusterFacts, node: NodeFacts, condition: NodeCondition): Symptom {
  const { type } = condition;
  const events = node.events.filter((event) => isNodeWarning(event) && belongsToCondition(event, type));
  const reclaimed = events.map((event) => /Attempting to reclaim (\S+)/.exec(event.message)?.[1] ?? "").filter(Boolean);
  const resource = reclaimed.at(-1) ?? "";
  const detail = detailOf(facts, node, condition, resource);
  const outdated = isForeign(type) && isOutdated(node, condition);
  const starting = type === "NetworkUnavailable" && isYoung(node.node.createdAt, facts.now, facts.options.graceMs);
  const evidence: readonly Evidence[] = [
    {
      text: `Condition ${type}=${condition.status} (${condition.reason}): ${quote(condition.message)}`,
      at: condition.lastTransitionTime,
      object: { kind: "Node", namespace: null, name: node.name },
    },
    ...events.slice(-3).map(eventEvidence),
  ];
  return symptom({
    code: "node-condition",
    node: node.name,
    severity: outdated || starting ? "information" : faultSeverity(type),
    message: `${node.name} has ${type}=${condition.status}${forSince(condition.lastTransitionTime, facts.now)}: ${quote(condition.message || condition.reason)}.${detail.text === "" ? "" : ` ${detail.text}`}${
      outdated ? " It was last confirmed before the node's last reboot, so it may be over." : ""
    }`,
    consequence: consequenceOf(type),
    summary: `${type}${resource === "" ? "" : ` (${resource})`}`,
    advice: detail.advice,
    since: condition.lastTransitionTime,
    evidence,
    outside: cloudOutside(facts, condition),
    about: {
      condition: type,
      taintKeys: taintsOfCondition(type),
      texts: [type, condition.reason, condition.message],
      failure: isPressure(type) ? { kind: "pressure", driver: "", volume: "", holders: [], text: resource } : null,
    },
  });
}

/** Whether the node became Ready again (or was rebooted) after the condition's writer last confirmed it. */
function isOutdated(node: NodeFacts, condition: NodeCondition): boolean {
  const seen = condition.lastHeartbeatTime;
  if (seen === null) return false;
  return node.events.some((event) => event.reason === "Rebooted" && event.lastSeen !== null && event.lastSeen > seen);
}

function consequenceOf(type: string): string {
  if (isPressure(type)) return "The kubelet evicts pods and refuses new ones that are not critical.";
  if (type === "NetworkUnavailable") return "Its taint keeps every pod away that does not use the host's network.";
  return "";
}

/** A route that nobody makes because the cloud controller does not run. */
function cloudOutside(facts: ClusterFacts, condition: NodeCondition): Symptom["outside"] {
  if (condition.type !== "NetworkUnavailable" || networkWriter(condition.reason) !== "cloud") return null;
  const { broken } = findHelpers(facts, CLOUD_CONTROLLER, null);
  if (broken === null) return null;
  return {
    object: podRef(broken.pod),
    summary: `the cloud controller manager does not run: ${quote(broken.words, 100)}`,
    advice: `kubectl -n ${broken.pod.namespace} logs ${broken.pod.name} --previous`,
  };
}

interface Detail {
  readonly text: string;
  readonly advice: string;
}

function detailOf(facts: ClusterFacts, node: NodeFacts, condition: NodeCondition, resource: string): Detail {
  const { type } = condition;
  if (type === "NetworkUnavailable") return networkDetail(facts, node, condition);
  if (type === "DiskPressure") {
    if (/inode/i.test(resource)) {
      return {
        text: "Inodes are used up, not bytes.",
        advice:
          "On the node find the folder with too many files (df -i, then du --inodes -x / | sort -n | tail); a larger disk of the same kind does not help.",
      };
    }
    return {
      text: "",
      advice:
        "On the node find what fills the disk (df -h, du -xh / | sort -h | tail, crictl images) and free it; the taint goes by itself.",
    };
  }
  if (type === "MemoryPressure") {
    return {
      text: "",
      advice: `Find the pods that use memory without requesting it: kubectl top pods -A --sort-by=memory, on ${node.name}; give them requests and limits.`,
    };
  }
  if (type === "PIDPressure") {
    return {
      text: "",
      advice:
        "On the node find who starts so many processes (ps -eLf | awk '{print $1}' | sort | uniq -c | sort -n | tail) and set a pod pid limit.",
    };
  }
  return {
    text: "",
    advice: isGoodWhenTrue(type)
      ? `Read what the monitoring agent behind ${type} says: kubectl describe node ${node.name}.`
      : `Read the kernel's and the runtime's log on ${node.name} (dmesg -T, journalctl -u containerd); take the node out (kubectl cordon ${node.name}) if ${type} stays.`,
  };
}

function networkDetail(facts: ClusterFacts, node: NodeFacts, condition: NodeCondition): Detail {
  const writer = networkWriter(condition.reason);
  if (writer === "cloud") {
    return {
      text: "The cloud has made no route for the node's pods.",
      advice:
        "Read the route controller's error in the node's events; a full route table or quota has to be raised in the cloud. The taint goes when the route is there: do not tolerate it.",
    };
  }
  const names = facts.cluster.workloads.map((workload) => workload.name ?? "");
  const known = facts.cluster.parts.daemonsets === "known";
  if (writer !== "" && known && !names.some((name) => name.includes(writer))) {
    return {
      text: `${condition.reason} was written by ${writer}, of which no workload exists any more, so nobody will take it back.`,
      advice: `Set the condition to False in the node's status (kubectl proxy, then PATCH /api/v1/nodes/${node.name}/status); removing the taint alone does not help, the controller puts it back.`,
    };
  }
  return {
    text: "",
    advice: `Look at the network plugin's pod on ${node.name}: it sets this condition when the node's network is up.`,
  };
}
