// Explorer layer, reports: "Before you change this node": five minutes of checks, computed and ticked.
import { formatTaint } from "../../kube/taint.ts";
import { code, escapeMarkdown } from "../../report/markdown.ts";
import { count, listSome } from "../../report/text-layout.ts";
import { anyTolerates } from "../../scheduling/tolerates.ts";
import { gapOf } from "../../triage/facts/gap.ts";
import { canHost, needs } from "../../triage/facts/need.ts";
import { hasEnded, podKey } from "../../triage/facts/pod-state.ts";
import type { JudgedCluster } from "../judged-cluster.ts";
import { poolFinder } from "../pool.ts";
import { kubectl, podsOn } from "./kubectl.ts";

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
    newTaint(cluster, name),
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

/**
 * An image update goes over the whole pool and deletes each pod, a new node starts with none: those that are not tolerated
 * do not come back. The pool: nodes with the same roles and lasting taints.
 */
function comesBack(cluster: JudgedCluster, name: string): Check {
  const node = cluster.facts.nodes.get(name);
  const title = "Every platform pod comes back after a drain, a rollout or a new node";
  if (node === undefined || cluster.model.parts.daemonsets !== "known") return { title, passed: null, lines: [] };
  const poolOf = poolFinder("");
  const pool = poolOf(node.node);
  const members = [...cluster.facts.nodes.values()].filter((other) => poolOf(other.node).key === pool.key);
  const blocked = cluster.facts.platform.flatMap((daemonSet) => {
    const taints = new Set<string>();
    const on = members.filter((member) => {
      if (!canHost(member, daemonSet) || !daemonSet.admits(member.node)) return false;
      const { unwanted } = gapOf(cluster.facts, member, daemonSet);
      for (const taint of unwanted) taints.add(formatTaint(taint));
      return unwanted.length > 0;
    });
    if (on.length === 0) return [];
    const where = on.length === members.length ? "" : `, on ${on.length} of the pool's nodes`;
    return [`${code(daemonSet.key)} (${daemonSet.role}) does not tolerate ${[...taints].map(code).join(", ")}${where}`];
  });
  return {
    title: `${title} of its pool (${pool.name}, ${count(members.length, "node")})`,
    passed: blocked.length === 0,
    lines: blocked,
  };
}

/** A taint of a key that nobody knows yet: only who tolerates everything stays. */
function newTaint(cluster: JudgedCluster, name: string): Check {
  const node = cluster.facts.nodes.get(name);
  const title = "A taint with a new key would keep no platform pod away";
  if (node === undefined || cluster.model.parts.daemonsets !== "known") return { title, passed: null, lines: [] };
  const { scheduling } = cluster.facts.options;
  const known = cluster.model.parts.pods === "known";
  // What has no pod here is told above.
  const here = cluster.facts.platform.filter((daemonSet) =>
    known ? daemonSet.livingOn.has(name) : canHost(node, daemonSet) && daemonSet.admits(node.node),
  );
  const hit = (effect: "NoSchedule" | "NoExecute") =>
    here
      .filter(({ workload }) => !anyTolerates(workload.template.tolerations, { ...NEW_TAINT, effect }, scheduling))
      .map(({ key, role }) => `${code(key)} (${role})`);
  const [kept, removed] = [hit("NoSchedule"), hit("NoExecute")];
  const line = (words: string, names: readonly string[]) =>
    names.length === 0 ? [] : [`${words}: ${listSome(names, 12)}`];
  return {
    title,
    passed: kept.length + removed.length === 0,
    lines: [
      ...line("with NoSchedule these run on, until they are deleted or rolled out", kept),
      ...line("with NoExecute these are removed at once", removed),
    ],
  };
}

const NEW_TAINT = { key: "taintwise.example/new", value: "" } as const;

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
      code(kubectl(cluster.access, ...podsOn(name))),
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
