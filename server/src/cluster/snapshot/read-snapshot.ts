// Cluster layer, snapshot: bytes into a model.
import { unzip } from "../file/bytes.ts";
import type { ClusterModel } from "../model.ts";
import { refuse, SnapshotFault } from "./codec.ts";
import { type HeaderFacts, NewerSnapshot, readHeader } from "./header.ts";
import { END, SNAPSHOT_FORMAT, type SnapshotFormat, snapshotFormat } from "./sections.ts";

/** A snapshot that was read, or why it cannot be. */
export type ReadSnapshot =
  | { readonly model: ClusterModel; readonly problem: null }
  | { readonly model: null; readonly problem: string };

const MARK = Buffer.from(`{"format":"${SNAPSHOT_FORMAT}"`);
const NEWLINE = 10;

/** Whether bytes, no longer zipped, are a Taintwise snapshot. */
export function isSnapshot(bytes: Uint8Array): boolean {
  return MARK.equals(bytes.subarray(0, MARK.length));
}

/**
 * Reads a snapshot, zipped or not. Its origin is `cache`: whoever read it from a named file says so. Never throws: a
 * damaged, cut off or newer one is a problem in words.
 */
export function readSnapshot(bytes: Uint8Array): ReadSnapshot {
  const plain = unzip(bytes);
  if (plain === null) return broken("its gzip cannot be unpacked");
  if (!isSnapshot(plain)) return { model: null, problem: "this is no Taintwise snapshot" };
  try {
    return { model: readLines(plain), problem: null };
  } catch (error) {
    if (error instanceof NewerSnapshot) return { model: null, problem: error.message };
    if (error instanceof SnapshotFault || error instanceof SyntaxError) return broken(error.message);
    throw error;
  }
}

function broken(reason: string): ReadSnapshot {
  return { model: null, problem: `the snapshot is damaged or cut off (${reason}): write it again` };
}

function readLines(bytes: Uint8Array): ClusterModel {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const format = snapshotFormat();
  let header: HeaderFacts | null = null;
  let ended = false;
  for (let start = 0; start < buffer.length; ) {
    const found = buffer.indexOf(NEWLINE, start);
    const end = found < 0 ? buffer.length : found;
    const line: unknown = JSON.parse(buffer.toString("utf8", start, end));
    if (header === null) header = readHeader(line);
    else ended = takeLine(line, format);
    start = end + 1;
  }
  if (header === null || !ended) return refuse("the last line", "the end mark");
  return { ...header, origin: "cache", ...format.contents() };
}

/** Whether it was the end. Sections of a later format that this one does not know are left out. */
function takeLine(line: unknown, format: SnapshotFormat): boolean {
  if (!Array.isArray(line)) return refuse("a line", "a list");
  const [name, items] = line as readonly unknown[];
  if (name === END) return true;
  if (!Array.isArray(items)) return refuse(String(name), "a list");
  format.tables.find((table) => table.name === name)?.load(items);
  format.sections.find((section) => section.name === name)?.read(items);
  return false;
}
