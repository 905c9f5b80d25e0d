// Triage rule extended-resource-gone: 0 or absent where capacity, label, peer, request or baseline expects some.

import { isYoung } from "../facts/age.ts";
import type { ClusterFacts } from "../facts/cluster.ts";
import type { DaemonSetFacts } from "../facts/daemon-set.ts";
import type { Lack } from "../facts/expectation.ts";
import type { NodeFacts } from "../facts/node.ts";
import { ailmentOf } from "../facts/pod-health.ts";
import { startOf } from "../facts/pod-state.ts";
import { offerOf } from "../facts/resources.ts";
import { type Symptom, symptom } from "../symptom.ts";
import { offerEvidence, offerText } from "./extended-resource.ts";

/**
 * One symptom per resource family that the node lacks. Error; information where only labels announce it, no plugin for
 * it is in the cluster and nobody asks. Silent in the grace time after a start, when plugins have yet to register, and on
 * an Unknown node, whose numbers are old.
 */
export function extendedResourceGone(facts: ClusterFacts, node: NodeFacts): readonly Symptom[] {
  if (node.young || node.ready === "Unknown" || node.node.deletedAt !== null) return [];
  return facts.index
    .lacks(node)
    .filter((lack) => !isComing(facts, node, lack))
    .map((lack) => report(facts, node, lack));
}

/** Its plugin has just started here and works so far: it registers within moments. */
function isComing(facts: ClusterFacts, node: NodeFacts, lack: Lack): boolean {
  const { now, options } = facts;
  return facts.index
    .plugins(lack.resource)
    .some((plugin) =>
      plugin
        .podsOn(node.name)
        .living.some(
          (pod) =>
            ailmentOf(facts, pod, false) === null &&
            [startOf(pod), ...pod.containers.map((status) => status.running?.startedAt ?? null)].some((time) =>
              isYoung(time, now, options.graceMs),
            ),
        ),
    );
}

function report(facts: ClusterFacts, node: NodeFacts, lack: Lack): Symptom {
  const { resource, expectations } = lack;
  const plugins = facts.index.plugins(resource);
  const onlyAnnounced = expectations.every((expectation) => expectation.kind === "announced");
  const unwanted = onlyAnnounced && plugins.length === 0 && facts.cluster.parts.daemonsets === "known";
  const state = stateOf(facts, node, resource, plugins);
  return symptom({
    code: "extended-resource-gone",
    node: node.name,
    severity: unwanted ? "information" : "error",
    message: `${node.name} offers no ${resource}: ${offerText(node, resource)}, and ${expectations[0]?.text ?? "it is expected"}. ${state.text}`,
    consequence: unwanted
      ? "Nobody asks for it; an autoscaler that knows the machine type may wait for it and not remove the node."
      : `Pods that request ${resource} cannot come here; those that hold a device go on until they end.`,
    summary: `${resource} gone`,
    advice: state.advice,
    evidence: [
      offerEvidence(node, resource),
      ...expectations.map((expectation) => ({ text: `Expected, for ${expectation.text}`, at: null, object: null })),
    ],
    about: { resources: [resource], daemonSet: plugins[0]?.key ?? "" },
  });
}

interface State {
  readonly text: string;
  readonly advice: string;
}

/** What the numbers mean, by the table of facts: absent, 0 of 0, 0 of N; and with or without a working plugin. */
function stateOf(facts: ClusterFacts, node: NodeFacts, resource: string, plugins: readonly DaemonSetFacts[]): State {
  const { capacity } = offerOf(node.node, resource);
  const running = plugins.flatMap((plugin) => plugin.podsOn(node.name).living);
  const working = running.find((pod) => ailmentOf(facts, pod, true) === null);
  const restart =
    working === undefined ? "" : `Restart the plugin's pod: kubectl -n ${working.namespace} delete pod ${working.name}`;
  const [plugin] = plugins;
  const look =
    plugin === undefined
      ? `Install a device plugin for ${resource}, if its devices are wanted.`
      : `Look at DaemonSet ${plugin.key} on this node.`;
  if (capacity === null) {
    return {
      text: "An absent key means that no plugin has registered since the node object was made: the plugin chain, not the hardware.",
      advice:
        working === undefined
          ? look
          : `The plugin's pod works: compare the name with those that other nodes offer, then the folder through which it registers (device-plugins or plugins_registry). ${restart}`,
    };
  }
  if (capacity > 0) {
    return {
      text: "0 of some means that the plugin stopped within the last five minutes, or that every device is unhealthy.",
      advice:
        working === undefined
          ? look
          : "The plugin's pod works: look at the devices themselves (their driver's log, dmesg -T).",
    };
  }
  return {
    text: "0 of 0 means that a plugin was here and is gone for more than five minutes, or has not registered again after a restart of the kubelet.",
    advice: working === undefined ? look : `The plugin's pod works but its registration is lost. ${restart}`,
  };
}
