// Analysis layer: an open file's results, kept by its documents' own text, so that an edit costs one document.
import type { ManifestFile } from "../workload/manifest.ts";
import type { Circumstances, Engine, FileFacts } from "./engine.ts";

/** A document's results, at the offsets of the file they were found in. */
interface JudgedDocument<Diagnosis> {
  readonly start: number;
  readonly diagnoses: readonly Diagnosis[];
}

/** The last results of one file. */
export interface FileMemo<Diagnosis> {
  readonly facts: FileFacts;
  readonly circumstances: Circumstances;
  readonly file: ManifestFile;
  /** By the text of a document and of what stands before it (comments may silence it). */
  readonly documents: ReadonlyMap<string, JudgedDocument<Diagnosis>>;
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
  const documents = new Map<string, JudgedDocument<Diagnosis>>();
  let from = 0;
  const diagnoses = file.documents.flatMap((document) => {
    const { start, end } = document.yaml.span;
    const text = file.text.slice(from, end);
    from = end;
    const known = usable?.documents.get(text);
    const found = known === undefined ? judge(document) : shifted(engine, known.diagnoses, start - known.start);
    documents.set(text, { start, diagnoses: found });
    return found;
  });
  return { facts, circumstances, file, documents, diagnoses };
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
