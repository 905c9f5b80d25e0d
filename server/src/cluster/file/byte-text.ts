// Cluster layer, files: bytes that are too many for one string, looked at as if they were a text.
import type { JsonSource } from "./json-scan.ts";

/**
 * UTF-8 bytes as a source for the JSON scan. Offsets count bytes: JSON's own marks are ASCII, so nothing is mistaken,
 * but behind other characters an offset is larger than in an editor.
 */
export class ByteText implements JsonSource {
  readonly #bytes: Buffer;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get length(): number {
    return this.#bytes.length;
  }

  charCodeAt(offset: number): number {
    return this.#bytes[offset] ?? Number.NaN;
  }

  indexOf(found: string, from: number): number {
    return this.#bytes.indexOf(found, from);
  }

  slice(start: number, end: number): string {
    return this.#bytes.toString("utf8", start, end);
  }

  startsWith(start: string, at: number): boolean {
    return this.slice(at, at + start.length) === start;
  }
}
