// Live cluster, wire format: a protobuf list as it arrives. Items are handed on one by one, so a body of hundreds of
// megabytes never lies in memory whole.
//
// Layout: the bytes `k8s\0`, then runtime.Unknown { typeMeta 1, raw 2, … }; `raw` holds the list message
// { ListMeta metadata 1, repeated item 2 } for every list kind of the API.
import { type PlainObject, type WireDecoder, WireError } from "./decode.ts";
import { LIST_META, STATUS } from "./meta.ts";
import type { Schema } from "./schema.ts";

const MAGIC = Buffer.from("k8s\0", "latin1");

/** Bytes of a field of runtime.Unknown other than the list: type, encoding. */
const LONGEST_ENVELOPE = 4_096;

/** Where the reader stands: before the magic bytes, in runtime.Unknown, in the list inside `raw`. */
type Stage = "magic" | "unknown" | "list" | "done";

export class ListReader {
  readonly #decoder: WireDecoder;
  readonly #item: Schema;
  readonly #onItem: (item: PlainObject) => void;
  readonly #carried = new Carry();
  #stage: Stage = "magic";
  /** Bytes of the list message that are still to come. */
  #listLeft = 0;
  /** Bytes that are surely missing for the next step. */
  #lacking = 1;
  #metadata: PlainObject = {};

  constructor(decoder: WireDecoder, item: Schema, onItem: (item: PlainObject) => void) {
    this.#decoder = decoder;
    this.#item = item;
    this.#onItem = onItem;
  }

  /** metadata of the list: resourceVersion, continue. */
  get metadata(): PlainObject {
    return this.#metadata;
  }

  /**
   * Takes the next bytes of the body and hands on every item that is complete.
   * @throws WireError when the bytes are no Kubernetes protobuf list.
   */
  push(chunk: Buffer): void {
    let at = 0;
    // A field that began in the chunk before: only as many bytes are copied as it lacks.
    while (this.#carried.length > 0 && at < chunk.length) {
      at = this.#carried.take(chunk, at, this.#lacking);
      if (this.#step(this.#carried.bytes, 0) !== null) this.#carried.clear();
    }
    for (let next = this.#step(chunk, at); next !== null; next = this.#step(chunk, at)) at = next;
    if (at < chunk.length) this.#carried.take(chunk, at, chunk.length - at);
  }

  /** @throws WireError when the body ended before the list did: a list that was cut short is never "all". */
  end(): void {
    if (this.#stage === "list" && this.#listLeft === 0) this.#stage = "done";
    if (this.#stage !== "done" || this.#carried.length > 0) throw new WireError("the list was cut short");
  }

  /** Consumes one field from `at`; null when more bytes are needed, at least `#lacking`. */
  #step(bytes: Buffer, at: number): number | null {
    this.#lacking = 1;
    if (this.#stage === "magic") {
      if (bytes.length - at < MAGIC.length) return null;
      if (!bytes.subarray(at, at + MAGIC.length).equals(MAGIC))
        throw new WireError("the answer is no Kubernetes protobuf");
      this.#stage = "unknown";
      return at + MAGIC.length;
    }
    if (this.#stage === "list" && this.#listLeft === 0) this.#stage = "done";
    const header = readHeader(bytes, at);
    if (header === null) return null;
    const { field, wireType, bodyStart, length } = header;
    if (wireType !== 2) throw new WireError(`wire type ${wireType} in a list`);
    if (this.#stage === "unknown" && field === 2) {
      this.#stage = "list";
      this.#listLeft = length;
      return bodyStart;
    }
    const bodyEnd = bodyStart + length;
    // Known before the bytes are there: a broken length must not make the rest of the body lie in memory.
    if (bodyEnd - at > (this.#stage === "list" ? this.#listLeft : LONGEST_ENVELOPE))
      throw new WireError("a field ends behind its list");
    if (bodyEnd > bytes.length) {
      this.#lacking = bodyEnd - bytes.length;
      return null;
    }
    if (this.#stage === "list") {
      if (field === 1) this.#metadata = this.#decoder.message(bytes, bodyStart, bodyEnd, LIST_META);
      else if (field === 2) this.#onItem(this.#decoder.message(bytes, bodyStart, bodyEnd, this.#item));
      this.#listLeft -= bodyEnd - at;
    }
    return bodyEnd;
  }
}

/** The beginning of a field whose end is still to come; its memory is used again. */
class Carry {
  #held: Buffer = Buffer.alloc(16 * 1024);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  get bytes(): Buffer {
    return this.#held.subarray(0, this.#length);
  }

  /** Copies up to `most` bytes of `chunk` from `at`; the offset behind them. */
  take(chunk: Buffer, at: number, most: number): number {
    const end = Math.min(chunk.length, at + most);
    const length = this.#length + end - at;
    if (length > this.#held.length) {
      const larger = Buffer.alloc(length * 2);
      this.#held.copy(larger, 0, 0, this.#length);
      this.#held = larger;
    }
    chunk.copy(this.#held, this.#length, at, end);
    this.#length = length;
    return end;
  }

  clear(): void {
    this.#length = 0;
  }
}

/** Reads a whole `metav1.Status` answer; null when the bytes are none. */
export function readStatus(decoder: WireDecoder, body: Buffer): PlainObject | null {
  const raw = unwrap(body);
  return raw === null ? null : decoder.message(raw, 0, raw.length, STATUS);
}

/** The `raw` bytes of a `k8s\0` envelope; null when it is none. */
export function unwrap(body: Buffer): Buffer | null {
  if (body.length < MAGIC.length || !body.subarray(0, MAGIC.length).equals(MAGIC)) return null;
  let at = MAGIC.length;
  while (at < body.length) {
    const header = readHeader(body, at);
    if (header === null || header.wireType !== 2) return null;
    const end = header.bodyStart + header.length;
    if (end > body.length) return null;
    if (header.field === 2) return body.subarray(header.bodyStart, end);
    at = end;
  }
  return Buffer.alloc(0);
}

interface Header {
  readonly field: number;
  readonly wireType: number;
  readonly bodyStart: number;
  readonly length: number;
}

/** Tag and length of the field at `at`; null when the bytes end first. */
export function readHeader(bytes: Buffer, at: number): Header | null {
  const tag = readVarint(bytes, at);
  if (tag === null) return null;
  if ((tag.value & 7) !== 2) return { field: tag.value >>> 3, wireType: tag.value & 7, bodyStart: tag.next, length: 0 };
  const length = readVarint(bytes, tag.next);
  if (length === null) return null;
  return { field: tag.value >>> 3, wireType: 2, bodyStart: length.next, length: length.value };
}

function readVarint(bytes: Buffer, start: number): { readonly value: number; readonly next: number } | null {
  let value = 0;
  let factor = 1;
  for (let at = start; at < start + 10; at += 1) {
    const byte = bytes[at];
    if (byte === undefined) return null;
    value += (byte & 0x7f) * factor;
    if (byte < 0x80) return { value, next: at + 1 };
    factor *= 0x80;
  }
  throw new WireError("number longer than ten bytes");
}
