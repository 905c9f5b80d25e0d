// Workload layer: reads a manifest file: text → documents → workloads with their decoded form.

import { decodeWorkload } from "../kube/decode/workload.ts";
import { findUnchanged } from "../text/unchanged.ts";
import { nodeAt, shownSpan, toPlain } from "../yaml/locate.ts";
import { isFatal, parseDocument } from "../yaml/parse.ts";
import { type ScannedDocument, scanDocuments } from "../yaml/scan.ts";
import { classifyOther } from "./classify.ts";
import { findObjects, type WorkloadObject } from "./find-objects.ts";
import type { ManifestDocument, ManifestFile, ManifestWorkload } from "./manifest.ts";
import { moveDocument } from "./moved.ts";
import { isTemplateDocument, isTemplateFile } from "./template.ts";
import { checkTypes, isMisshapen } from "./undecodable.ts";

/** What is known of a file beside its text. */
export interface ReadContext {
  /** As the user names it; only its folder and file names are looked at. */
  readonly path: string;
  /** Whether the file lies in a Helm chart's folder; leave out where unknown (then a `templates` folder decides). */
  readonly inChart?: boolean | null;
  /** Whether records of a cluster are read as workloads too: the file was named, not come across. */
  readonly records?: boolean;
  /** An earlier reading of the same file: documents whose text did not change are not parsed again. */
  readonly previous?: ManifestFile | null;
}

/**
 * Reads a manifest: YAML or JSON, one or many documents, Lists. Never throws.
 *
 * A document that Kubernetes could not read (`isFatal` problems) has no workloads and `other` null: what it holds is
 * unknown, not clean. Patches, templates and files of other tools are recognised and hold no workloads.
 */
export function readManifest(text: string, context: ReadContext): ManifestFile {
  if (isTemplateFile(text, context.path, context.inChart ?? null)) return { text, documents: [], template: true };
  const scanned = scanDocuments(text);
  const known = knownDocuments(text, scanned, context.previous ?? null);
  const documents = scanned.map((each, index) => readDocument(text, each, index, context, known[index] ?? null));
  const template = documents.length > 0 && documents.every(({ other }) => other === "template");
  return { text, documents, template };
}

/** For each document the one of an earlier reading that has the same text; null where it must be read. */
function knownDocuments(
  text: string,
  scanned: readonly ScannedDocument[],
  previous: ManifestFile | null,
): readonly (ManifestDocument | null)[] {
  if (previous === null) return [];
  const before = { text: previous.text, pieces: previous.documents.map(({ yaml }) => yaml.span) };
  const places = findUnchanged(before, { text, pieces: scanned.map(({ span }) => span) });
  // A head before the document (directives) is read with it.
  return scanned.map(({ head, span }, index) =>
    head === span.start ? (previous.documents[places[index] ?? -1] ?? null) : null,
  );
}

function readDocument(
  text: string,
  scanned: ScannedDocument,
  index: number,
  { path, records = false }: ReadContext,
  known: ManifestDocument | null,
): ManifestDocument {
  if (known !== null) return moveDocument(known, index, scanned.span.start);
  const source = text.slice(scanned.span.start, scanned.span.end);
  const yaml = parseDocument(text, scanned);
  if (isTemplateDocument(source, yaml)) return { yaml: { ...yaml, problems: [] }, workloads: [], other: "template" };
  if (yaml.problems.some(isFatal)) return { yaml, workloads: [], other: null };
  const { objects, patches, left } = findObjects(yaml, records);
  const workloads = objects.map((object) => readWorkload(object, index));
  if (workloads.length > 0) return { yaml, workloads, other: null };
  if (left) return { yaml, workloads, other: "record" };
  return { yaml, workloads, other: patches ? "patch" : classifyOther(yaml.root, path) };
}

function readWorkload({ object, kind }: WorkloadObject, document: number): ManifestWorkload {
  const { undecodable, meantAsText } = checkTypes(object, kind);
  const named =
    nodeAt(object, ["metadata", "name"]) ?? nodeAt(object, ["metadata", "generateName"]) ?? nodeAt(object, ["kind"]);
  return {
    workload: decodeWorkload(toPlain(object, meantAsText), kind),
    kind,
    object,
    podSpecPath: kind.podSpecPath,
    nameSpan: shownSpan(named ?? object),
    undecodable,
    misshapen: isMisshapen(object, kind),
    document,
  };
}
