// Explorer layer, reports: "Before you change this node": five minutes of checks, computed and ticked.
import { formatTaint } from "../../kube/taint.ts";
import { code, escapeMarkdown } from "../../report/markdown.ts";
import { listSome } from "../../report/text-layout.ts";
import { gapOf } from "../../triage/facts/gap.ts";
import { canHost, needs } from "../../triage/facts/need.ts";
import { hasEnded, podKey } from "../../triage/facts/pod-state.ts";
import type { JudgedCluster } from "../judged-cluster.ts";
import { kubectl } from "./kubectl.ts";

interface Check {
  readonly title: string;
  /** null: cannot be known. */
  readonly passed: boolean | null;
  readonly lines: readonly string[];
}

/** The checklist for a node: what a drain, a reboot, an image update or a taint would meet. */
export function beforeChangeReport(cluster: JudgedCluster, name: string): string {
  const checks = [
    comesBack(cluster, name),
    bareTaint(cluster, name),
    losesPods(cluster, name),
    verifyAfterwards(cluster, name),
    pending(cluster),
    knownTrouble(cluster, name),
  ];
  const lines = checks.flatMap(({ title, passed, lines: seen }) => [
    `- ${passed === true ? "[x]" : "[ ]"} **${title}**${passed === null ? " (unknown)" : ""}`,
    ...seen.map((line) => `  - ${line}`),
  ]);
  return `${[
    `## Before you change ${code(name)}`,
    "",
    "A tick means that nothing stands against it.",
    "",
    ...lines,
    "",
    "For a taint that you plan, **Preflight a Taint** names every workload that it would keep away, evict or set free.",
  ].join("\n")}\n`;
}

/** An image update or a re-created node deletes pods; those that are not tolerated do not come back. */
function comesBack(cluster: JudgedCluster, name: string): Check {
  const node = cluster.facts.nodes.get(name);
  const title = "Every platform pod comes back after a drain, a rollout or a new node of this kind";
  if (node === undefined || cluster.model.parts.daemonsets !== "known") return { title, passed: null, lines: [] };
  const blocked = cluster.facts.platform.flatMap((daemonSet) => {
    if (!canHost(node, daemonSet) || !daemonSet.admits(node.node)) return [];
    const { unwanted } = gapOf(cluster.facts, node.node, daemonSet);
    return unwanted.length === 0
      ? []
      : [
          `${code(daemonSet.key)} (${daemonSet.role}) does not tolerate ${unwanted.map((taint) => code(formatTaint(taint))).join(", ")}`,
        ];
  });
  return { title, passed: blocked.length === 0, lines: blocked };
}

function bareTaint(cluster: JudgedCluster, name: string): Check {
  const node = cluster.facts.nodes.get(name);
  const hard = node?.node.taints.filter(({ effect }) => effect === "NoExecute") ?? [];
  return {
    title: "No NoExecute taint removes pods already",
    passed: node === undefined ? null : hard.length === 0,
    lines: hard.map((taint) => code(formatTaint(taint))),
  };
}

function losesPods(cluster: JudgedCluster, name: string): Check {
  const node = cluster.facts.nodes.get(name);
  const title = "No pod is lost for good when the node is drained";
  if (node === undefined || cluster.model.parts.pods !== "known") return { title, passed: null, lines: [] };
  const bare = node.pods.filter((pod) => pod.controller === null && !pod.mirror && !hasEnded(pod));
  return {
    title,
    passed: bare.length === 0,
    lines:
      bare.length === 0
        ? []
        : [
            `no controller makes these again: ${listSome(
              bare.map((pod) => code(podKey(pod))),
              8,
            )}`,
          ],
  };
}

function verifyAfterwards(cluster: JudgedCluster, name: string): Check {
  const node = cluster.facts.nodes.get(name);
  const title = "Pods to verify after a reboot";
  if (node === undefined || cluster.model.parts.daemonsets !== "known") return { title, passed: null, lines: [] };
  const meant = cluster.facts.platform.filter(
    (daemonSet) => needs(cluster.facts, node, daemonSet) && daemonSet.admits(node.node),
  );
  const lost = meant.filter((daemonSet) => !daemonSet.livingOn.has(name));
  return {
    title,
    passed: cluster.model.parts.pods === "known" ? lost.length === 0 : null,
    lines: [
      ...meant.map(
        (daemonSet) =>
          `${code(daemonSet.key)} (${daemonSet.role})${lost.includes(daemonSet) ? ": has no pod even now" : ""}`,
      ),
      code(kubectl(cluster.access, "get", "pods", "-A", "-o", "wide", "--field-selector", `spec.nodeName=${name}`)),
    ],
  };
}

function pending(cluster: JudgedCluster): Check {
  const title = "No pod waits for a place already";
  if (cluster.model.parts.pods !== "known") return { title, passed: null, lines: [] };
  const waiting = cluster.model.pods.filter((pod) => pod.phase === "Pending" && pod.spec.nodeName === "");
  return {
    title,
    passed: waiting.length === 0,
    lines:
      waiting.length === 0
        ? []
        : [
            listSome(
              waiting.map((pod) => code(podKey(pod))),
              8,
            ),
          ],
  };
}

function knownTrouble(cluster: JudgedCluster, name: string): Check {
  const roots = cluster.nodes.get(name)?.roots ?? [];
  return {
    title: "Nothing is wrong with the node now",
    passed: cluster.nodes.has(name) ? roots.length === 0 : null,
    lines: roots.map((root) => escapeMarkdown(root.summary)),
  };
}
