// Features layer, editor: a workload's standing in one cluster, on one line.
import { formatTaint } from "../../kube/taint.ts";
import type { JudgedCluster } from "../diagnostics/judge.ts";
import { count, fill } from "../fill.ts";

export const messages = {
  everywhere: "runs on all {nodes}",
  some: "runs on {run} of {nodes}",
  fits: "{run} of {nodes} can take it",
  none: "no node can take it",
  nowhere: "runs on no node",
  blocked: "{count} blocked by {taints}",
  bombs: "{bombs}",
  noNodes: "no nodes are known",
} as const;

/** `runs on 12 of 15 nodes · 2 blocked by dedicated=rdma:NoSchedule · 1 time bomb`; null where nodes are not known. */
export function summarise({ model, coverage, blocked }: JudgedCluster): string | null {
  if (model.parts.nodes !== "known" || model.nodes.size === 0) return null;
  const { counts } = coverage;
  const daemonSet = coverage.workload.kind === "DaemonSet";
  const total = coverage.classes.reduce(
    (sum, entry) => (entry.hosting === "hosts" ? sum + entry.nodes.length : sum),
    0,
  );
  const good = (counts.run ?? 0) + (counts.fits ?? 0);
  const parts = [daemonSet ? placed(good, total) : feasible(good, total)];
  const groups = blocked();
  const kept = groups.reduce((sum, group) => sum + group.nodes.length, 0);
  if (kept > 0) {
    const taints = [...new Set(groups.flatMap((group) => group.placement.untolerated.map(formatTaint)))];
    parts.push(
      fill(messages.blocked, {
        count: String(kept),
        taints: taints.slice(0, 3).join(", ") + (taints.length > 3 ? ", …" : ""),
      }),
    );
  }
  const bombs = coverage.timeBombs.reduce((sum, bomb) => sum + bomb.nodes.length, 0);
  if (bombs > 0) parts.push(count(bombs, "time bomb"));
  return parts.join(" · ");
}

function placed(run: number, total: number): string {
  if (run === 0) return messages.nowhere;
  return run === total
    ? fill(messages.everywhere, { nodes: count(total, "node") })
    : fill(messages.some, { run: String(run), nodes: count(total, "node") });
}

function feasible(run: number, total: number): string {
  return run === 0 ? messages.none : fill(messages.fits, { run: String(run), nodes: count(total, "node") });
}
