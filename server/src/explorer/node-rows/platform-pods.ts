// Explorer layer, node rows: the section "Platform pods": one row per role and DaemonSet that is meant for the node.
import type { RowState } from "../../../../shared/src/explorer.ts";
import { ROLES } from "../../coverage/role.ts";
import { formatTaint } from "../../kube/taint.ts";
import { count } from "../../report/text-layout.ts";
import type { DaemonSetFacts } from "../../triage/facts/daemon-set.ts";
import { gapOf } from "../../triage/facts/gap.ts";
import { canHost, needs } from "../../triage/facts/need.ts";
import { posts } from "../../triage/facts/node.ts";
import { ailmentOf } from "../../triage/facts/pod-health.ts";
import { podKey } from "../../triage/facts/pod-state.ts";
import { byState, element, gravest, stateOf } from "../element.ts";
import { absenceOf } from "../flap-text.ts";
import { type ItemOfFinding, itemsAbout } from "../judged-cluster.ts";
import { type OpenedNode, type Section, targetOn, unknownRow, whyUnknown } from "./section.ts";

interface PodState {
  readonly state: RowState;
  readonly text: string;
  readonly detail: string;
}

/** Rows gravest first, then by role. DaemonSets that are not meant for the node have none. */
export function platformSection(opened: OpenedNode): Section {
  const unknown = whyUnknown(opened.cluster, "daemonsets") ?? whyUnknown(opened.cluster, "pods");
  const entries = opened.cluster.facts.platform.flatMap((daemonSet) => {
    const pod = stateOn(opened, daemonSet);
    if (pod === null) return [];
    const lately = absenceOf(opened.cluster, opened.facts.name, `pod ${daemonSet.key}`);
    if (lately === null) return [{ daemonSet, pod }];
    const state = lately.flaps ? gravest([pod.state, "warning"]) : pod.state;
    return [{ daemonSet, pod: { ...pod, state, text: `${pod.text} · ${lately.text}` } }];
  });
  entries.sort(
    (left, right) =>
      byState(left.pod.state, right.pod.state) ||
      ROLES.indexOf(left.daemonSet.role) - ROLES.indexOf(right.daemonSet.role) ||
      (left.daemonSet.key < right.daemonSet.key ? -1 : 1),
  );
  const wrong = entries.filter(({ pod }) => pod.state === "error" || pod.state === "warning").length;
  return {
    key: "platform",
    label: "Platform pods",
    description: wrong === 0 ? "" : `${wrong} of ${entries.length} in trouble`,
    rows: (id) => [
      ...(unknown === null ? [] : [unknownRow(id, "DaemonSets and their pods", unknown)]),
      ...entries.map(({ daemonSet, pod }) =>
        element({
          parent: id,
          key: daemonSet.workload.uid || daemonSet.key,
          kind: "daemonset",
          label: daemonSet.name,
          description: `${daemonSet.role} · ${pod.text}`,
          tooltip: [daemonSet.key, pod.detail],
          state: pod.state,
          target: targetOn(opened, "DaemonSet", daemonSet.namespace, daemonSet.name),
        }),
      ),
    ],
  };
}

/** How it is with the DaemonSet's pod on the node; null where it is neither there nor meant to be. */
function stateOn(opened: OpenedNode, daemonSet: DaemonSetFacts): PodState | null {
  const { cluster, facts } = opened;
  const { living, terminating } = daemonSet.podsOn(facts.name);
  const found = findingOf(opened, daemonSet);
  if (found !== null) {
    const { unwanted } = gapOf(cluster.facts, facts, daemonSet);
    return fromFinding(found, unwanted.length === 0 ? "" : `${unwanted.map(formatTaint).join(", ")} is not tolerated`);
  }
  const [pod] = living;
  if (pod !== undefined) {
    const ailment = ailmentOf(cluster.facts, pod, facts.ready === "True");
    const told = `${podKey(pod)} is ${pod.phase}`;
    if (ailment !== null) return { state: "information", text: `not ready: ${ailment.reason}`, detail: told };
    // The kubelet of a silent node says nothing any more, and what it said last may be long over.
    if (!posts(facts)) return { state: "unknown", text: "unknown: the kubelet is silent", detail: told };
    if (pod.phase !== "Running") return { state: "plain", text: "starting", detail: told };
    return {
      state: "good",
      text: living.length === 1 ? "running" : `${count(living.length, "pod")} running`,
      detail: told,
    };
  }
  if (terminating.length > 0) return { state: "plain", text: "terminating", detail: "" };
  if (!canHost(facts, daemonSet) || !daemonSet.admits(facts.node)) return null;
  const gap = gapOf(cluster.facts, facts, daemonSet);
  const list = (taints: typeof gap.meant) => taints.map(formatTaint).join(", ");
  if (gap.meant.length > 0) return { state: "plain", text: `kept away on purpose by ${list(gap.meant)}`, detail: "" };
  if (gap.unwanted.length === 0 && gap.passing.length > 0) {
    return { state: "plain", text: `waits until ${list(gap.passing)} goes`, detail: "" };
  }
  if (whyUnknown(cluster, "pods") !== null) return { state: "unknown", text: "unknown", detail: "" };
  if (!needs(cluster.facts, facts, daemonSet)) return { state: "plain", text: "not needed here", detail: "" };
  return { state: "plain", text: "no pod yet", detail: "" };
}

const CODES: ReadonlySet<string> = new Set([
  "platform-pod-missing",
  "platform-pod-not-ready",
  "platform-pod-time-bomb",
  "image-pull-failing",
  "pods-evicted",
  "pod-stuck-creating",
]);

/** What triage says of the DaemonSet or one of its pods here. */
function findingOf({ cluster, triage, facts }: OpenedNode, daemonSet: DaemonSetFacts): ItemOfFinding | null {
  const about = [
    ...itemsAbout(triage, "DaemonSet", daemonSet.key),
    ...facts.pods
      .filter((pod) => cluster.facts.daemonSetOf(pod) === daemonSet)
      .flatMap((pod) => itemsAbout(triage, "Pod", podKey(pod))),
  ];
  return about.find(({ finding }) => CODES.has(finding.code)) ?? null;
}

const WORDS: Readonly<Record<string, string>> = {
  "platform-pod-missing": "missing",
  "platform-pod-not-ready": "not ready",
  "platform-pod-time-bomb": "time bomb",
  "image-pull-failing": "image cannot be pulled",
  "pods-evicted": "evicted",
  "pod-stuck-creating": "cannot start",
};

/** `blocked` names the taints that keep a new pod away; empty for none. */
function fromFinding({ finding, item }: ItemOfFinding, blocked: string): PodState {
  const bomb = finding.code === "platform-pod-time-bomb" && blocked !== "";
  // The message begins with what the row says already.
  const reason = bomb
    ? `runs, but would not come back: ${blocked}`
    : item.message.replace(/^.*? (?:has no pod on|on) \S+?:? /, "");
  return {
    state: stateOf(item.severity),
    text: `${WORDS[finding.code] ?? finding.code}: ${reason.replace(/\.$/, "")}`,
    detail: [item.message, item.consequence, item.advice].filter((text) => text !== "").join("\n"),
  };
}
