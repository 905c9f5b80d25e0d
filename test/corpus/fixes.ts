// Corpus check: every fix of every diagnostic of a manifest, applied and judged again.

import type { ClusterModel } from "../../server/src/cluster/model.ts";
import type { Diagnostic, Fix } from "../../server/src/features/diagnostic.ts";
import { createJudgeMemo } from "../../server/src/features/diagnostics/judge.ts";
import { readManifest } from "../../server/src/workload/read.ts";
import { toPlain } from "../../server/src/yaml/locate.ts";
import { isFatal } from "../../server/src/yaml/parse.ts";
import { applyEdits, diagnose } from "../support/judge.ts";

/** A fix that did not keep its promises, in words. */
export interface BrokenFix {
  readonly path: string;
  readonly code: string;
  readonly title: string;
  readonly why: string;
}

/** Parts of a pod spec that fixes may change. */
const PLACEMENT = new Set(["tolerations", "nodeSelector", "affinity", "nodeName", "resources"]);

/** Applies every fix to each document by itself. */
export function createFixCheck(cluster: ClusterModel) {
  const memo = createJudgeMemo();
  const judge = (text: string, path: string) => diagnose(text, { clusters: [cluster], path, options: { memo } });
  return (text: string, path: string): { readonly fixes: number; readonly broken: readonly BrokenFix[] } => {
    let fixes = 0;
    const broken: BrokenFix[] = [];
    for (const { yaml, workloads } of readManifest(text, { path }).documents) {
      if (workloads.length === 0) continue;
      const source = text.slice(yaml.span.start, yaml.span.end);
      const before = judge(source, path);
      for (const diagnostic of before) {
        for (const fix of diagnostic.fixes) {
          fixes++;
          const why = checkFix(source, diagnostic, fix, before, (after) => judge(after, path), path);
          if (why !== null) broken.push({ path, code: diagnostic.code, title: fix.title, why });
        }
      }
    }
    return { fixes, broken };
  };
}

function checkFix(
  text: string,
  diagnostic: Diagnostic,
  fix: Fix,
  before: readonly Diagnostic[],
  judge: (text: string) => readonly Diagnostic[],
  path: string,
): string | null {
  const after = applyEdits(text, fix.edits);
  const now = judge(after);
  const added = now.filter((entry) => !before.some((other) => sameKind(other, entry)));
  if (added.length > 0) return `adds ${added.map((entry) => `${entry.code}: ${entry.message}`).join(" | ")}`;
  const partial = diagnostic.taints.length > 1 && fix.kind === "suggested";
  if (!partial && count(now, diagnostic) >= count(before, diagnostic)) return "leaves its diagnostic";
  const [was, is] = [plainOf(text, path), plainOf(after, path)];
  if (is === null) return "does not parse";
  if (JSON.stringify(withoutPlacement(was)) !== JSON.stringify(withoutPlacement(is)))
    return "changes more than placement";
  const unintended = addedTolerations(text, after, path, diagnostic, fix);
  if (unintended !== null) return unintended;
  const lost = comments(text).filter((comment) => !after.includes(comment));
  if (lost.length > 0) return `loses the comment ${lost[0]}`;
  return null;
}

/** A fix that adds tolerations must leave the list as it was and append exact ones; null when it did, or adds none. */
function addedTolerations(text: string, after: string, path: string, diagnostic: Diagnostic, fix: Fix): string | null {
  if (!fix.title.startsWith("Add ")) return null;
  const listOf = (source: string) => {
    const items = readManifest(source, { path }).documents.flatMap((document) => document.workloads);
    const own = items.find(({ workload }) => {
      return workload.kind === diagnostic.workload?.kind && workload.name === diagnostic.workload.name;
    });
    return own?.workload.template.tolerations ?? [];
  };
  const [was, is] = [listOf(text), listOf(after)];
  const added = is.slice(was.length);
  if (JSON.stringify(is.slice(0, was.length)) !== JSON.stringify(was) || added.length === 0)
    return "reorders tolerations";
  const exact = added.every(({ key, operator, value, effect, tolerationSeconds }) => {
    const taint = value === "" ? `${key}:${effect}` : `${key}=${value}:${effect}`;
    const fits = operator === (value === "" ? "Exists" : "Equal") && tolerationSeconds === null;
    return fits && diagnostic.taints.includes(taint);
  });
  return exact ? null : "adds a toleration that is not exact";
}

function sameKind(a: Diagnostic, b: Diagnostic): boolean {
  return a.code === b.code && a.workload?.kind === b.workload?.kind && a.workload?.name === b.workload?.name;
}

/** Diagnostics that say the same of the same workload. */
function count(diagnostics: readonly Diagnostic[], one: Diagnostic): number {
  const same = diagnostics.filter((other) => sameKind(other, one));
  return same.filter((other) => one.taints.length === 0 || one.taints.every((taint) => other.taints.includes(taint)))
    .length;
}

function plainOf(text: string, path: string): unknown {
  const [document] = readManifest(text, { path }).documents;
  return document === undefined || document.yaml.problems.some(isFatal) ? null : toPlain(document.yaml.root);
}

function withoutPlacement(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutPlacement);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([key]) => !PLACEMENT.has(key));
  return Object.fromEntries(entries.map(([key, item]) => [key, withoutPlacement(item)]));
}

function comments(text: string): readonly string[] {
  return text
    .split("\n")
    .filter((line) => /^\s*#/.test(line))
    .map((line) => line.trim());
}
