// Coverage layer: finds what a workload is for its nodes.
import { matchesWorkload } from "../config/pattern.ts";
import type { RoleRule } from "../config/workspace.ts";
import { type Workload, workloadRef } from "../kube/workload.ts";
import type { Role } from "./role.ts";
import { mountsLogs, NAME_SIGNS, reachesIntoNode, registersSomething, STRUCTURE_SIGNS } from "./role-signs.ts";

export interface FoundRole {
  readonly role: Role;
  /** What shows it, in words for people: `mounts /var/lib/kubelet/device-plugins of the node`. */
  readonly because: string;
}

/**
 * The role of a workload: what the workspace file says of it (first rule that matches); for a DaemonSet what its host
 * paths and containers show, then what its name says, then `node agent` where it reaches into the node at all. Every
 * other workload is an application; kube-proxy as a static pod is told by what it runs.
 */
export function findRole(workload: Workload, rules: readonly RoleRule[] = []): FoundRole {
  const rule = rules.find((candidate) => matchesWorkload(candidate.workload, workloadRef(workload)));
  if (rule !== undefined) return { role: rule.role, because: "the workspace file says so" };
  if (workload.kind !== "DaemonSet") return roleOfOther(workload);
  return (
    byStructure(workload) ??
    byRegistration(workload) ??
    byName(workload) ??
    byReach(workload) ?? { role: "application", because: "a DaemonSet that does not reach into its nodes" }
  );
}

function roleOfOther(workload: Workload): FoundRole {
  const proxy = STRUCTURE_SIGNS.find((sign) => sign.role === "kube-proxy")?.find(workload.template) ?? null;
  if (workload.kind === "Pod" && proxy !== null) return { role: "kube-proxy", because: proxy };
  return { role: "application", because: `a ${workload.kind}` };
}

function byStructure(workload: Workload): FoundRole | null {
  for (const { role, find } of STRUCTURE_SIGNS) {
    const because = find(workload.template);
    if (because !== null) return { role, because };
  }
  return null;
}

/** A plugin that registers itself and nothing more shows: a name that speaks of CSI decides, else it serves devices. */
function byRegistration(workload: Workload): FoundRole | null {
  const because = registersSomething(workload.template);
  if (because === null) return null;
  return byName(workload)?.role === "CSI node driver"
    ? { role: "CSI node driver", because }
    : { role: "device plugin", because };
}

function byName(workload: Workload): FoundRole | null {
  const { template, name } = workload;
  // One image often serves several purposes, so it counts only where nothing else tells.
  const reaches = reachesIntoNode(template) !== null;
  const images = template.containers.map(({ image }) => imageName(image));
  for (const text of [
    name ?? "",
    ...template.containers.map((container) => container.name),
    ...(reaches ? [] : images),
  ]) {
    const found = NAME_SIGNS.find(([, pattern]) => pattern.test(text.toLowerCase()));
    if (found !== undefined) return { role: found[0], because: `is called ${text}` };
  }
  if (!mountsLogs(template)) return null;
  const logs = [name ?? "", ...images].find((text) => /log|fluent|beat|vector|alloy/i.test(text));
  return logs === undefined ? null : { role: "log agent", because: "mounts /var/log of the node" };
}

function byReach(workload: Workload): FoundRole | null {
  const because = reachesIntoNode(workload.template);
  return because === null ? null : { role: "node agent", because };
}

/** The last part of an image's name, without tag and digest. */
function imageName(image: string): string {
  const path = image.replace(/@.*$/, "");
  const last = path.slice(path.lastIndexOf("/") + 1);
  return last.replace(/:.*$/, "");
}
