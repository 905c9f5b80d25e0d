// Cluster layer, files: bytes into text: gzip by its magic number, UTF-8 and UTF-16 (what PowerShell's `>` writes).
import { constants, isUtf8 } from "node:buffer";
import { gunzipSync } from "node:zlib";

/** The text, or in words why there is none (to follow "the file"). */
export type DecodedBytes =
  | { readonly text: string; readonly problem: null }
  | { readonly text: null; readonly problem: string };

const SNIFFED = 8192;
/** A gzip that unpacks to more is none of ours, or made to fill the memory. */
const MAX_UNZIPPED = 2 ** 31 - 1;

/** Whether bytes are gzip. */
export function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

/** The bytes inside of a gzip; other bytes as they are; null where the gzip is broken, cut off or over 2 GiB. */
export function unzip(bytes: Uint8Array): Uint8Array | null {
  if (!isGzip(bytes)) return bytes;
  try {
    return gunzipSync(bytes, { maxOutputLength: MAX_UNZIPPED });
  } catch (error) {
    // zlib's and Buffer's errors carry a code: broken data, too large a result. Anything else is a fault of ours.
    if (error instanceof Error && "code" in error) return null;
    throw error;
  }
}

/** Whether bytes are more than one string can hold. */
export function isTooLong(bytes: Uint8Array): boolean {
  return bytes.length > constants.MAX_STRING_LENGTH;
}

/** Decodes bytes that are not zipped. */
export function decodeText(bytes: Uint8Array): DecodedBytes {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (isTooLong(buffer)) {
    return { text: null, problem: "is too large for YAML (512 MiB): write it with -o json, or split it by kind" };
  }
  const utf16 = utf16Order(buffer);
  if (utf16 === "le") return { text: withoutMark(buffer.toString("utf16le")), problem: null };
  if (utf16 === "be") {
    return {
      text: withoutMark(
        Buffer.from(buffer.subarray(0, buffer.length & ~1))
          .swap16()
          .toString("utf16le"),
      ),
      problem: null,
    };
  }
  if (buffer.subarray(0, SNIFFED).includes(0)) return { text: null, problem: "is binary, not YAML or JSON" };
  if (!isUtf8(buffer)) return { text: null, problem: "is not UTF-8 text" };
  return { text: buffer.toString("utf8"), problem: null };
}

function utf16Order(buffer: Buffer): "le" | "be" | null {
  if (buffer[0] === 0xff && buffer[1] === 0xfe) return "le";
  return buffer[0] === 0xfe && buffer[1] === 0xff ? "be" : null;
}

function withoutMark(text: string): string {
  return text.startsWith("\uFEFF") ? text.slice(1) : text;
}
