// Cluster layer, files: the files inside of a tar archive (a must-gather usually travels as one).
// Format: POSIX.1-2001 ustar and pax, with GNU's long names.

/** A regular file of an archive. */
export interface TarFile {
  /** With `/`, as the archive names it. */
  readonly path: string;
  readonly bytes: Uint8Array;
}

const BLOCK = 512;
const MAGIC_AT = 257;
const REGULAR = new Set(["0", "\0", "7"]);
const PAX = "x";
const GNU_LONG_NAME = "L";

/** Whether bytes, no longer zipped, are a tar archive. */
export function isTar(bytes: Uint8Array): boolean {
  return textAt(bytes, MAGIC_AT, 5) === "ustar";
}

/** The regular files of an archive in its order; null where it is cut off or damaged. */
export function readTar(bytes: Uint8Array): readonly TarFile[] | null {
  const files: TarFile[] = [];
  let longName: string | null = null;
  let at = 0;
  while (at + BLOCK <= bytes.length) {
    const header = bytes.subarray(at, at + BLOCK);
    if (header[0] === 0) return files;
    const size = sizeOf(header);
    const start = at + BLOCK;
    if (size === null || start + size > bytes.length) return null;
    const content = bytes.subarray(start, start + size);
    const type = textAt(header, 156, 1) || "\0";
    if (type === GNU_LONG_NAME) longName = textAt(content, 0, size);
    else if (type === PAX) longName = paxPath(textAt(content, 0, size)) ?? longName;
    else {
      if (REGULAR.has(type)) files.push({ path: longName ?? nameOf(header), bytes: content });
      longName = null;
    }
    at = start + Math.ceil(size / BLOCK) * BLOCK;
  }
  // Some writers leave out the two empty blocks at the end.
  return at === bytes.length ? files : null;
}

function nameOf(header: Uint8Array): string {
  const name = textAt(header, 0, 100);
  const prefix = textAt(header, 345, 155);
  return prefix === "" ? name : `${prefix}/${name}`;
}

/** The size in octal; null where it is none (files of 8 GiB and more are written otherwise). */
function sizeOf(header: Uint8Array): number | null {
  const digits = textAt(header, 124, 12).trim();
  return /^[0-7]+$/.test(digits) ? Number.parseInt(digits, 8) : null;
}

/** The `path` record of a pax header: `LENGTH path=VALUE\n`. */
function paxPath(records: string): string | null {
  return /^\d+ path=(.*)$/m.exec(records)?.[1] ?? null;
}

/** UTF-8 text up to the first NUL. */
function textAt(bytes: Uint8Array, start: number, length: number): string {
  const field = bytes.subarray(start, start + length);
  const end = field.indexOf(0);
  return Buffer.from(end < 0 ? field : field.subarray(0, end)).toString("utf8");
}
