// Live cluster, wire format: the frames of a protobuf watch. Each frame is a 4-byte big-endian length and a bare
// metav1.WatchEvent { type 1, RawExtension object 2 { raw 1 } }; `raw` is a `k8s\0` envelope of the object.
import { type PlainObject, type WireDecoder, WireError } from "./decode.ts";
import { readHeader, unwrap } from "./list-reader.ts";
import { STATUS } from "./meta.ts";
import type { Schema } from "./schema.ts";

/** The largest frame that is believed; etcd keeps no object above 1.5 MB, so a larger length is a broken stream. */
const LARGEST_FRAME = 64 * 1024 * 1024;

export interface WatchFrame {
  /** ADDED, MODIFIED, DELETED, BOOKMARK or ERROR. */
  readonly type: string;
  /** The object, or a metav1.Status for ERROR. */
  readonly object: PlainObject;
}

export class WatchReader {
  readonly #decoder: WireDecoder;
  readonly #item: Schema;
  #pending: Buffer = Buffer.alloc(0);

  constructor(decoder: WireDecoder, item: Schema) {
    this.#decoder = decoder;
    this.#item = item;
  }

  /**
   * Takes the next bytes and yields the frames that are complete.
   * @throws WireError when a frame is no watch event.
   */
  push(chunk: Buffer): WatchFrame[] {
    const bytes = this.#pending.length === 0 ? chunk : Buffer.concat([this.#pending, chunk]);
    const frames: WatchFrame[] = [];
    let at = 0;
    while (bytes.length - at >= 4) {
      const length = bytes.readUInt32BE(at);
      if (length > LARGEST_FRAME) throw new WireError(`a watch frame of ${length} bytes`);
      if (bytes.length - at - 4 < length) break;
      frames.push(this.#frame(bytes.subarray(at + 4, at + 4 + length)));
      at += 4 + length;
    }
    this.#pending = bytes.subarray(at);
    return frames;
  }

  /** Whether the stream ended inside a frame: what it held is lost and the watch resumes before it. */
  get cut(): boolean {
    return this.#pending.length > 0;
  }

  #frame(bytes: Buffer): WatchFrame {
    let type = "";
    let raw: Buffer | null = null;
    let at = 0;
    while (at < bytes.length) {
      const header = readHeader(bytes, at);
      if (header === null || header.wireType !== 2) throw new WireError("a watch frame that is no event");
      const end = header.bodyStart + header.length;
      if (end > bytes.length) throw new WireError("a watch frame that is cut off");
      if (header.field === 1) type = bytes.toString("utf8", header.bodyStart, end);
      else if (header.field === 2) raw = rawExtension(bytes.subarray(header.bodyStart, end));
      at = end;
    }
    const body = raw === null ? null : unwrap(raw);
    if (type === "" || body === null) throw new WireError("a watch frame without type or object");
    return { type, object: this.#decoder.message(body, 0, body.length, type === "ERROR" ? STATUS : this.#item) };
  }
}

/** RawExtension { raw 1 }. */
function rawExtension(bytes: Buffer): Buffer | null {
  const header = bytes.length === 0 ? null : readHeader(bytes, 0);
  if (header === null || header.field !== 1 || header.wireType !== 2) return null;
  if (header.bodyStart + header.length > bytes.length) throw new WireError("a watch frame that is cut off");
  return bytes.subarray(header.bodyStart, header.bodyStart + header.length);
}
