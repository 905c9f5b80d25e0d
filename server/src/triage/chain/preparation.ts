// Triage layer, chain: what keeps the owner of a start-up taint from finishing.
import { preparerOf } from "../facts/taint-nature.ts";
import { tellingWords } from "../facts/words.ts";
import type { Symptom } from "../symptom.ts";

/** Owners that look at the node's own conditions before they take their taint off. */
const BY_CONDITIONS = /^readiness\.k8s\.io\//;
/** Owners that wait for a component on the node, after which the taint is often named. */
const BY_COMPONENT = /^(readiness\.k8s\.io|startup-taint\.cluster-autoscaler\.kubernetes\.io)\//;

/**
 * Whether `cause` holds back the owner that has not finished with the node (`effect`, a node-not-initialized): the node
 * is not Ready and the owner waits for that, or the platform pod is the one it waits for.
 */
export function holdsBackOwner(cause: Symptom, effect: Symptom): boolean {
  const { condition, daemonSet, taintKeys } = effect.about;
  if (cause.about.daemonSet !== "") {
    if (daemonSet !== "") return daemonSet === cause.about.daemonSet;
    return taintKeys.some((key) => clears(cause.about.daemonSet, key));
  }
  const byConditions = taintKeys.filter((key) => BY_CONDITIONS.test(key));
  if (cause.code === "node-condition") {
    return byConditions.some((key) => isNamedAfter(key, inWords(cause.about.condition)));
  }
  return condition !== "" || byConditions.length > 0;
}

/** Whether the DaemonSet's pod takes this taint off its own node, by the names of both. */
function clears(daemonSet: string, key: string): boolean {
  if (BY_COMPONENT.test(key)) return isNamedAfter(key, daemonSet);
  const name = daemonSet.slice(daemonSet.indexOf("/") + 1);
  return preparerOf(key)?.podWords.some((words) => words.test(name)) ?? false;
}

/** `NetworkUnavailable` as `network-unavailable`. */
function inWords(conditionType: string): string {
  return conditionType.replace(/([a-z])(?=[A-Z])/g, "$1-");
}

/** Whether the last part of the taint's key and the name (`namespace/name`, or without) share a word that is not everybody's. */
function isNamedAfter(key: string, name: string): boolean {
  const words = tellingWords(name.slice(name.indexOf("/") + 1));
  return tellingWords(key.slice(key.indexOf("/") + 1)).some((word) => words.includes(word));
}
