// Config layer: the patterns of the workspace file (names, taints, workloads, paths) and how they match.
import { isHardEffect, type Taint } from "../kube/taint.ts";
import type { ObjectRef } from "../kube/workload.ts";

/** A name with `*` (any characters) and `?` (one character). */
export type NamePattern = string;

/** A taint in kubectl's notation; parts that are left out match all. */
export interface TaintPattern {
  readonly key: NamePattern;
  /** null: any value. */
  readonly value: NamePattern | null;
  /** null: any effect. */
  readonly effect: string | null;
}

/** `Kind/namespace/name`, `Kind/name` or `name`; parts that are left out match all. */
export interface WorkloadPattern {
  readonly kind: NamePattern | null;
  readonly namespace: NamePattern | null;
  readonly name: NamePattern;
}

/** Whether `name` matches `pattern`, whole and case-sensitive. Linear in the product of the two lengths. */
export function matchesName(pattern: NamePattern, name: string): boolean {
  let p = 0;
  let n = 0;
  let star = -1;
  let resume = 0;
  while (n < name.length) {
    const char = pattern[p];
    if (char === "*") {
      star = p++;
      resume = n;
    } else if (char === "?" || (char !== undefined && char === name[n])) {
      p++;
      n++;
    } else if (star >= 0) {
      p = star + 1;
      n = ++resume;
    } else return false;
  }
  while (pattern[p] === "*") p++;
  return p === pattern.length;
}

/** Reads `key`, `key:Effect`, `key=value` or `key=value:Effect`; null when it is none of them. */
export function parseTaintPattern(text: string): TaintPattern | null {
  const match = /^([^\s=:]+)(?:=([^\s=:]*))?(?::([A-Za-z]+))?$/.exec(text);
  if (!match?.[1]) return null;
  const effect = match[3] ?? null;
  if (effect !== null && !isHardEffect(effect) && effect !== "PreferNoSchedule") return null;
  return { key: match[1], value: match[2] ?? null, effect };
}

/** Whether a taint is one of those that the pattern means. */
export function matchesTaint(pattern: TaintPattern, taint: Pick<Taint, "key" | "value" | "effect">): boolean {
  return (
    matchesName(pattern.key, taint.key) &&
    (pattern.value === null || matchesName(pattern.value, taint.value)) &&
    (pattern.effect === null || pattern.effect === taint.effect)
  );
}

/** Reads `Kind/namespace/name`, `Kind/name` or `name`; null when it has another number of parts or an empty one. */
export function parseWorkloadPattern(text: string): WorkloadPattern | null {
  const parts = text.split("/");
  if (parts.some((part) => part === "" || /\s/.test(part))) return null;
  const [first, second, third] = parts;
  if (first === undefined || parts.length > 3) return null;
  if (second === undefined) return { kind: null, namespace: null, name: first };
  if (third === undefined) return { kind: first, namespace: null, name: second };
  return { kind: first, namespace: second, name: third };
}

/** Whether the object is one of those meant; a manifest without namespace matches any namespace of the pattern. */
export function matchesWorkload(pattern: WorkloadPattern, ref: ObjectRef): boolean {
  return (
    (pattern.kind === null || matchesName(pattern.kind, ref.kind)) &&
    (pattern.namespace === null || ref.namespace === null || matchesName(pattern.namespace, ref.namespace)) &&
    ref.name !== null &&
    matchesName(pattern.name, ref.name)
  );
}

/**
 * Whether a path (with `/`, relative to the workspace file's folder) matches a glob: `*` and `?` stay inside one
 * folder, `**` crosses folders, `{a,b}` is one of several, a trailing `/` or a folder's own name means all in it.
 */
export function matchesPath(glob: string, path: string): boolean {
  return expandBraces(glob.replace(/^\.\//, "")).some((pattern) => {
    const wanted = (pattern.endsWith("/") ? `${pattern}**` : pattern).split("/");
    const segments = path.split("/");
    return matchesSegments(wanted, segments) || matchesSegments([...wanted, "**"], segments);
  });
}

function matchesSegments(wanted: readonly string[], segments: readonly string[]): boolean {
  let w = 0;
  let s = 0;
  let star = -1;
  let resume = 0;
  while (s < segments.length) {
    const pattern = wanted[w];
    if (pattern === "**") {
      star = w++;
      resume = s;
    } else if (pattern !== undefined && matchesName(pattern, segments[s] ?? "")) {
      w++;
      s++;
    } else if (star >= 0) {
      w = star + 1;
      s = ++resume;
    } else return false;
  }
  while (wanted[w] === "**") w++;
  return w === wanted.length;
}

/** At most 64 alternatives, so that a hostile pattern stays cheap. */
function expandBraces(glob: string): readonly string[] {
  const done: string[] = [];
  const open = [glob];
  while (open.length > 0 && open.length + done.length <= 64) {
    const pattern = open.pop() ?? "";
    const match = /\{([^{}]*)\}/.exec(pattern);
    if (!match) done.push(pattern);
    else for (const choice of (match[1] ?? "").split(",")) open.push(pattern.replace(match[0], () => choice));
  }
  return done;
}
