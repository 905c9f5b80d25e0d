// Workload layer: reads a manifest file: text → documents → workloads with their decoded form.

import { decodeWorkload } from "../kube/decode/workload.ts";
import { type WorkloadKind, workloadKind } from "../kube/kinds.ts";
import type { Span } from "../text/span.ts";
import { nodeAt, shownSpan, textAt, toPlain } from "../yaml/locate.ts";
import { isFatal, parseDocument } from "../yaml/parse.ts";
import { type ScannedDocument, scanDocuments } from "../yaml/scan.ts";
import { shiftDocument } from "../yaml/shift.ts";
import type { YamlDocument, YamlMapping } from "../yaml/tree.ts";
import { classifyOther, isPatch, isRecord } from "./classify.ts";
import type { ManifestDocument, ManifestFile, ManifestWorkload } from "./manifest.ts";
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

const MAX_LIST_NESTING = 3;

/**
 * Reads a manifest: YAML or JSON, one or many documents, Lists. Never throws.
 *
 * A document that Kubernetes could not read (`isFatal` problems) has no workloads and `other` null: what it holds is
 * unknown, not clean. Patches, templates and files of other tools are recognised and hold no workloads.
 */
export function readManifest(text: string, context: ReadContext): ManifestFile {
  if (isTemplateFile(text, context.path, context.inChart ?? null)) return { text, documents: [], template: true };
  const known = knownDocuments(context.previous ?? null);
  const documents = scanDocuments(text).map((scanned, index) => readDocument(text, scanned, index, context, known));
  const template = documents.length > 0 && documents.every(({ other }) => other === "template");
  return { text, documents, template };
}

type KnownDocuments = ReadonlyMap<string, ManifestDocument>;

function knownDocuments(previous: ManifestFile | null): KnownDocuments {
  const known = new Map<string, ManifestDocument>();
  for (const document of previous?.documents ?? []) {
    const { start, end } = document.yaml.span;
    known.set(previous?.text.slice(start, end) ?? "", document);
  }
  return known;
}

function readDocument(
  text: string,
  scanned: ScannedDocument,
  index: number,
  { path, records = false }: ReadContext,
  known: KnownDocuments,
): ManifestDocument {
  const source = text.slice(scanned.span.start, scanned.span.end);
  const before = scanned.head === scanned.span.start ? known.get(source) : undefined;
  const delta = before === undefined ? 0 : scanned.span.start - before.yaml.span.start;
  if (before !== undefined && delta === 0 && before.workloads.every(({ document }) => document === index))
    return before;
  const yaml = before === undefined ? parseDocument(text, scanned) : shiftDocument(before.yaml, delta);
  if (before?.other === "template") return { ...before, yaml };
  if (isTemplateDocument(source, yaml)) return { yaml: { ...yaml, problems: [] }, workloads: [], other: "template" };
  if (yaml.problems.some(isFatal)) return { yaml, workloads: [], other: null };
  const { objects, patches, left } = findObjects(yaml, records);
  const workloads = objects.map((object, at) => {
    const same = before?.workloads[at];
    return same === undefined ? readWorkload(object, index) : moveWorkload(same, object, index, delta);
  });
  if (workloads.length > 0) return { yaml, workloads, other: null };
  if (left) return { yaml, workloads, other: "record" };
  return { yaml, workloads, other: patches ? "patch" : classifyOther(yaml.root, path) };
}

/** An object that is a complete workload. */
interface WorkloadObject {
  readonly object: YamlMapping;
  readonly kind: WorkloadKind;
}

interface Found {
  readonly objects: WorkloadObject[];
  /** Whether records are workloads too. */
  readonly records: boolean;
  patches: boolean;
  /** Whether a record was left out. */
  left: boolean;
}

function findObjects(yaml: YamlDocument, records: boolean): Found {
  const found: Found = { objects: [], records, patches: false, left: false };
  if (yaml.root?.kind === "mapping") collect(yaml.root, null, 0, found);
  return found;
}

/** `listed` is the kind that a typed list (DaemonSetList) gives to items which do not name theirs. */
function collect(object: YamlMapping, listed: TypeMeta | null, nesting: number, found: Found): void {
  const type = typeMeta(object) ?? listed;
  if (type === null) return;
  const items = nodeAt(object, ["items"]);
  if (type.kind.endsWith("List") && items?.kind === "sequence" && nesting < MAX_LIST_NESTING) {
    const kind = type.kind.slice(0, -"List".length);
    const ofItems = kind === "" ? null : { apiVersion: type.apiVersion, kind };
    for (const item of items.items) {
      if (item.kind === "mapping") collect(item, ofItems, nesting + 1, found);
    }
    return;
  }
  const kind = workloadKind(type.apiVersion, type.kind);
  if (kind === null) return;
  if (!found.records && isRecord(object, nesting > 0)) found.left = true;
  else if (isPatch(object, kind)) found.patches = true;
  else found.objects.push({ object, kind });
}

interface TypeMeta {
  readonly apiVersion: string;
  readonly kind: string;
}

function typeMeta(object: YamlMapping): TypeMeta | null {
  const apiVersion = textAt(object, ["apiVersion"]);
  const kind = textAt(object, ["kind"]);
  return apiVersion === null || kind === null ? null : { apiVersion, kind };
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

/** A workload whose text stayed the same, at its new place: only spans change. */
function moveWorkload(
  known: ManifestWorkload,
  { object }: WorkloadObject,
  document: number,
  delta: number,
): ManifestWorkload {
  const moved = (span: Span): Span => ({ start: span.start + delta, end: span.end + delta });
  return {
    ...known,
    object,
    nameSpan: moved(known.nameSpan),
    undecodable: known.undecodable.map((field) => ({ ...field, span: moved(field.span) })),
    document,
  };
}
