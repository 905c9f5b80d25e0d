// Analysis layer: an open file's results, kept by its documents' own text, so that an edit costs one document.
import type { Span } from "../text/span.ts";
import { type CutText, findUnchanged } from "../text/unchanged.ts";
import type { ManifestFile } from "../workload/manifest.ts";
import type { Circumstances, Engine, FileFacts } from "./engine.ts";

/** A document with its results. */
interface JudgedDocument<Diagnosis> {
  /** The document and what stands before it (comments may silence it), in the file as it is now. */
  readonly piece: Span;
  /** Offset of the document in the file that it was judged in. */
  readonly start: number;
  /** At the offsets of that file: moved again and again, they are moved once from there. */
  readonly diagnoses: readonly Diagnosis[];
}

/** The last results of one file. */
export interface FileMemo<Diagnosis> {
  readonly facts: FileFacts;
  readonly circumstances: Circumstances;
  readonly file: ManifestFile;
  /** In the order of the file. */
  readonly documents: readonly JudgedDocument<Diagnosis>[];
  readonly diagnoses: readonly Diagnosis[];
}

/**
 * Judges a file that was read, taking over from its last results what cannot have changed: each document whose text is
 * the same; nothing when clusters, configuration or facts are others.
 * In: `last` as this function gave it, or null. Out: the results in text order, and what to keep for the next call.
 */
export function judgeFile<Diagnosis>(
  engine: Engine<Diagnosis>,
  file: ManifestFile,
  facts: FileFacts,
  circumstances: Circumstances,
  last: FileMemo<Diagnosis> | null,
): FileMemo<Diagnosis> {
  const usable = last !== null && sameInput(last, facts, circumstances) ? last : null;
  if (usable !== null && usable.file.text === file.text) return usable;
  const judge = engine.judge(file, facts, circumstances);
  const pieces = piecesOf(file);
  const known = usable === null ? [] : findUnchanged(cut(usable), { text: file.text, pieces });
  const documents = file.documents.map((document, index): JudgedDocument<Diagnosis> => {
    const { span } = document.yaml;
    const piece = pieces[index] ?? span;
    const before = usable?.documents[known[index] ?? -1];
    return before === undefined ? { piece, start: span.start, diagnoses: judge(document) } : { ...before, piece };
  });
  const diagnoses = file.documents.flatMap(({ yaml }, index) => {
    const judged = documents[index];
    return judged === undefined ? [] : shifted(engine, judged.diagnoses, yaml.span.start - judged.start);
  });
  return { facts, circumstances, file, documents, diagnoses };
}

/** Each document with what stands between it and the one before. */
function piecesOf({ documents }: ManifestFile): readonly Span[] {
  return documents.map(({ yaml }, index) => ({ start: documents[index - 1]?.yaml.span.end ?? 0, end: yaml.span.end }));
}

function cut({ file, documents }: FileMemo<unknown>): CutText {
  return { text: file.text, pieces: documents.map(({ piece }) => piece) };
}

function shifted<Diagnosis>(
  engine: Engine<Diagnosis>,
  diagnoses: readonly Diagnosis[],
  by: number,
): readonly Diagnosis[] {
  return by === 0 ? diagnoses : diagnoses.map((diagnosis) => engine.shift(diagnosis, by));
}

function sameInput(
  memo: { readonly facts: FileFacts; readonly circumstances: Circumstances },
  facts: FileFacts,
  circumstances: Circumstances,
): boolean {
  const known = memo.circumstances;
  return (
    memo.facts.path === facts.path &&
    memo.facts.location === facts.location &&
    memo.facts.inChart === facts.inChart &&
    memo.facts.rendered === facts.rendered &&
    known.config === circumstances.config &&
    known.clusters.length === circumstances.clusters.length &&
    known.clusters.every((cluster, index) => cluster === circumstances.clusters[index])
  );
}
