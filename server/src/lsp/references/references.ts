// LSP layer: from a toleration, a node or its taint to every workload of the workspace that it concerns.
import type { CancellationToken, Location, Position } from "vscode-languageserver";
import type { JudgeMemo } from "../../features/diagnostics/judge.ts";
import { type ConcernSubject, concernedSpans, subjectAt } from "../../features/editor/references.ts";
import { toRange } from "../convert/range.ts";
import { allManifests, type ManifestSource } from "../documents/all-manifests.ts";
import type { AnalysedDocument } from "../documents/analysed.ts";
import { contextOf, openManifest } from "../documents/manifest-text.ts";
import { pathOf } from "../documents/uri.ts";
import { dumpSubject } from "./dump-subject.ts";

/** Places in open documents first, then in the other files. */
export async function answerReferences(
  document: AnalysedDocument,
  position: Position,
  memo: JudgeMemo,
  manifests: ManifestSource,
  token: CancellationToken,
): Promise<Location[]> {
  const subject = subjectOf(document, document.lines.offsetAt(position), memo);
  if (subject === null) return [];
  const locations: Location[] = [];
  for await (const manifest of allManifests(manifests, () => true, token)) {
    const { uri, lines } = manifest;
    const spans = concernedSpans(contextOf(manifest, memo), subject);
    locations.push(...spans.map((span) => ({ uri, range: toRange(span, lines) })));
  }
  return locations;
}

function subjectOf(document: AnalysedDocument, offset: number, memo: JudgeMemo): ConcernSubject | null {
  const { uri, text, folder } = document;
  const path = pathOf(uri);
  const inDump = path === null ? null : dumpSubject(folder.clusters, path, text, offset);
  if (inDump !== null || document.leftAlone !== null) return inDump;
  return subjectAt(contextOf(openManifest(document), memo), offset);
}
