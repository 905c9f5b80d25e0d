// Command-line layer: bytes of a file into text, or why they are none.
import { isAscii, isUtf8 } from "node:buffer";
import { closeSync, openSync, readSync } from "node:fs";

/** Text with the encoding it was written in; or what the bytes are instead, in words that end "the file …". */
export type DecodedText =
  | { readonly text: string; readonly encoding: "utf8" | "utf16le" }
  | { readonly text: null; readonly problem: string; readonly binary: boolean };

/** Bytes looked at for a NUL, as git does. */
const SNIFFED = 8_000;

/** Decodes UTF-8 (a byte order mark stays in the text) and UTF-16 with a little-endian mark. */
export function decodeText(bytes: Buffer): DecodedText {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return { text: bytes.toString("utf16le", 2), encoding: "utf16le" };
  const nul = bytes.subarray(0, SNIFFED).indexOf(0);
  if (nul >= 0) {
    return { text: null, problem: `is binary (a NUL byte at offset ${nul}), not YAML or JSON`, binary: true };
  }
  // Most manifests are ASCII, for which Latin-1 reads the same in less time.
  if (isAscii(bytes)) return { text: bytes.toString("latin1"), encoding: "utf8" };
  if (isUtf8(bytes)) return { text: bytes.toString("utf8"), encoding: "utf8" };
  return { text: null, problem: `is not UTF-8 text (${invalidByte(bytes)})`, binary: false };
}

/** Bytes a reader starts with; it grows for larger files. */
const ROOM = 1 << 20;

/** Reads files one after the other into the same memory: thousands of files cost no more than the largest of them. */
export class FileReader {
  #room = Buffer.allocUnsafeSlow(ROOM);

  /** The bytes of a file, valid until the next call. Throws the system's error. */
  read(path: string): Buffer {
    const file = openSync(path, "r");
    try {
      let size = 0;
      for (;;) {
        const count = readSync(file, this.#room, size, this.#room.length - size, null);
        if (count === 0) return this.#room.subarray(0, size);
        size += count;
        if (size === this.#room.length) this.#grow();
      }
    } finally {
      closeSync(file);
    }
  }

  #grow(): void {
    const larger = Buffer.allocUnsafeSlow(2 * this.#room.length);
    this.#room.copy(larger);
    this.#room = larger;
  }
}

/** Where the first invalid byte stands: `line 3, byte 0xe9`. Finds it by halving, as only prefixes can be asked. */
function invalidByte(bytes: Buffer): string {
  let valid = 0;
  let invalid = bytes.length;
  while (invalid - valid > 1) {
    const middle = (valid + invalid) >> 1;
    // A prefix may end inside a character: up to three bytes more decide.
    const whole = [0, 1, 2, 3].some((more) => isUtf8(bytes.subarray(0, Math.min(bytes.length, middle + more))));
    if (whole) valid = middle;
    else invalid = middle;
  }
  const at = Math.min(valid, bytes.length - 1);
  let line = 1;
  for (const byte of bytes.subarray(0, at)) if (byte === 10) line += 1;
  return `line ${line}, byte 0x${(bytes[at] ?? 0).toString(16)}`;
}
