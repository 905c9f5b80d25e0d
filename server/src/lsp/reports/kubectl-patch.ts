// LSP layer: the kubectl command that adds to the live object what its manifest lacks.
import type { Position } from "vscode-languageserver";
import type { KubectlPatchResult } from "../../../../shared/src/protocol.ts";
import { tolerationPatch } from "../../coverage/toleration-patch.ts";
import type { Diagnostic } from "../../features/diagnostic.ts";
import type { JudgeMemo } from "../../features/diagnostics/judge.ts";
import { judged, workloadsOf } from "../../features/editor/context.ts";
import { fill } from "../../features/fill.ts";
import { ownerOf } from "../../features/fixes/owner.ts";
import { readTaintText } from "../../kube/taint-text.ts";
import type { ManifestWorkload } from "../../workload/manifest.ts";
import type { AnalysedDocument } from "../documents/analysed.ts";
import { contextOf, openManifest } from "../documents/manifest-text.ts";
import { diagnosticsOf, messages as explainMessages, titleOf, workloadAt } from "./explain.ts";

export const messages = {
  nothing: "{workload} lacks no toleration that a patch could add.",
  owned: "{workload} is managed by {owner}, which would undo a patch: change its configuration.",
  unnamed: "{workload} cannot be patched: it has no name, or its tolerations cannot be changed.",
  title: "{workload}: tolerate {taints}",
} as const;

/** The patch for the workload at the position; `document` null when it is not open. */
export function answerKubectlPatch(
  document: AnalysedDocument | null,
  position: Position,
  memo: JudgeMemo,
): KubectlPatchResult {
  if (document === null) return { kind: "none", reason: explainMessages.notOpen };
  const offset = document.lines.offsetAt(position);
  const items = workloadsOf(document.file);
  const item = workloadAt(document.file, offset) ?? (items.length === 1 ? items[0] : undefined);
  if (item === undefined) return { kind: "none", reason: explainMessages.noWorkload };
  const workload = titleOf(item);
  const owner = ownerOf(item.workload);
  if (owner !== null) return { kind: "none", reason: fill(messages.owned, { workload, owner }) };
  const taints = missingTaints(diagnosticsOf(item, document.diagnostics), offset);
  if (taints.length === 0) return { kind: "none", reason: fill(messages.nothing, { workload }) };
  const parsed = taints.flatMap((text) => {
    const read = readTaintText(text);
    return "problem" in read ? [] : [{ ...read.taint, timeAdded: null }];
  });
  const patch = tolerationPatch(liveOf(item, document, memo), parsed);
  if (patch === null) return { kind: "none", reason: fill(messages.unnamed, { workload }) };
  const title = fill(messages.title, { workload, taints: taints.join(", ") });
  return { kind: "patch", title, command: patch.command };
}

/** What the preferred fixes of the workload would tolerate; where none is preferred, what those at the offset would. */
function missingTaints(diagnostics: readonly Diagnostic[], offset: number): readonly string[] {
  const open = diagnostics.filter(({ code }) => code.startsWith("toleration-") || code === "unschedulable");
  const preferred = open.filter(({ fixes }) => fixes.some((fix) => fix.preferred));
  const here = open.filter(({ span, fixes }) => fixes.length > 0 && span.start <= offset && offset <= span.end);
  return [...new Set((preferred.length > 0 ? preferred : here).flatMap(({ taints }) => taints))];
}

/** The live object, whose list the patch is tested against; the manifest's own where it is not known. */
function liveOf(item: ManifestWorkload, document: AnalysedDocument, memo: JudgeMemo): ManifestWorkload["workload"] {
  for (const { coverage } of judged(item, contextOf(openManifest(document), memo))) {
    if (coverage.live.state === "matched") return coverage.live.workload;
  }
  return item.workload;
}
