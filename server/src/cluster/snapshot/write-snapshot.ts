// Cluster layer, snapshot: a model into bytes.
import { gzipSync } from "node:zlib";
import type { ClusterModel } from "../model.ts";
import { writeHeader } from "./header.ts";
import { END, snapshotFormat } from "./sections.ts";

const ITEMS_PER_LINE = 200;
/** Characters that are packed at a time: some milliseconds of work, and a string that the heap holds without a page of its own. */
const CHUNK_LENGTH = 60_000;
/** Repetitive JSON: higher levels gain a few per cent for several times the time. */
const GZIP_LEVEL = 3;

/** A model as snapshot, gzip. Places in files are left out. */
export function writeSnapshot(model: ClusterModel): Uint8Array {
  return Buffer.concat([...snapshotChunks(model)]);
}

/**
 * The same in chunks of gzip to be written one behind the other; a server can let other work pass between them.
 */
export function* snapshotChunks(model: ClusterModel): Generator<Uint8Array, void, undefined> {
  let pending = "";
  for (const line of snapshotLines(model)) {
    pending += `${JSON.stringify(line)}\n`;
    if (pending.length >= CHUNK_LENGTH) {
      yield gzipSync(pending, { level: GZIP_LEVEL });
      pending = "";
    }
  }
  yield gzipSync(pending, { level: GZIP_LEVEL });
}

function* snapshotLines(model: ClusterModel): Generator<unknown, void, undefined> {
  const { sections, tables } = snapshotFormat();
  yield writeHeader(model);
  for (const section of sections) {
    for (const items of section.write(model, ITEMS_PER_LINE)) {
      // Writing the objects filled the tables; what an object names must be read before it.
      for (const table of tables) yield* itemLines(table.name, table.writeNew());
      yield [section.name, items];
    }
  }
  yield [END];
}

function* itemLines(name: string, items: readonly unknown[]): Generator<unknown, void, undefined> {
  for (let at = 0; at < items.length; at += ITEMS_PER_LINE) yield [name, items.slice(at, at + ITEMS_PER_LINE)];
}
