// Explorer layer, node rows: the section "Pods in trouble": what does not work on the node or waits for it.
import type { RowState } from "../../../../shared/src/explorer.ts";
import { isPlatformRole } from "../../coverage/role.ts";
import type { ClusterPod } from "../../kube/pod.ts";
import { posts } from "../../triage/facts/node.ts";
import { ailmentOf } from "../../triage/facts/pod-health.ts";
import { podKey } from "../../triage/facts/pod-state.ts";
import { byState, element, stateOf } from "../element.ts";
import { itemsAbout } from "../judged-cluster.ts";
import { type OpenedNode, type Section, targetOn } from "./section.ts";

interface Trouble {
  readonly key: string;
  readonly namespace: string;
  readonly name: string;
  readonly state: RowState;
  readonly text: string;
  readonly detail: readonly string[];
  readonly uid: string;
}

/** The node's pods that triage speaks of, or that do not work; pods of platform DaemonSets have a section of their own. */
export function troubleSection(opened: OpenedNode): Section {
  const troubles = [...onNode(opened), ...elsewhere(opened)].sort(
    (left, right) => byState(left.state, right.state) || (left.key < right.key ? -1 : 1),
  );
  return {
    key: "trouble",
    label: "Pods in trouble",
    description: "",
    rows: (id) =>
      troubles.map((trouble) =>
        element({
          parent: id,
          key: trouble.uid || trouble.key,
          kind: "pod",
          label: trouble.key,
          description: trouble.text,
          tooltip: trouble.detail,
          state: trouble.state,
          target: targetOn(opened, "Pod", trouble.namespace, trouble.name),
        }),
      ),
  };
}

function onNode(opened: OpenedNode): readonly Trouble[] {
  const { cluster, facts } = opened;
  return facts.pods.flatMap((pod) => {
    const daemonSet = cluster.facts.daemonSetOf(pod);
    if (daemonSet !== null && isPlatformRole(daemonSet.role)) return [];
    const told = troubleOf(opened, pod, podKey(pod));
    if (told !== null) return [told];
    const ailment = posts(facts) ? ailmentOf(cluster.facts, pod, facts.ready === "True") : null;
    if (ailment === null) return [];
    return [{ ...nameOf(pod), state: "warning" as const, text: ailment.reason, detail: [ailment.words] }];
  });
}

/** Pods without a node that wait for this one, or that it holds up. */
function elsewhere(opened: OpenedNode): readonly Trouble[] {
  const here = new Set(opened.facts.pods.map(podKey));
  const keys = new Set(
    opened.triage.findings.flatMap((finding) =>
      finding.items.flatMap(({ object }) =>
        object?.kind === "Pod" && object.name !== null ? [`${object.namespace ?? ""}/${object.name}`] : [],
      ),
    ),
  );
  return [...keys].flatMap((key) => {
    const pod = here.has(key) ? undefined : opened.cluster.facts.pods.get(key);
    return pod === undefined ? [] : (troubleOf(opened, pod, key) ?? []);
  });
}

function troubleOf({ triage }: OpenedNode, pod: ClusterPod, key: string): Trouble | null {
  const [first] = itemsAbout(triage, "Pod", key);
  if (first === undefined) return null;
  const { finding, item } = first;
  return {
    ...nameOf(pod),
    state: stateOf(item.severity),
    text: `${finding.code.replaceAll("-", " ")}: ${item.message}`,
    detail: [item.message, item.consequence, item.advice],
  };
}

function nameOf(pod: ClusterPod): Pick<Trouble, "key" | "namespace" | "name" | "uid"> {
  return { key: podKey(pod), namespace: pod.namespace, name: pod.name, uid: pod.uid };
}
