// Command-line layer: replacing a file's text so that a reader sees the old or the new one, never a half.
import { randomUUID } from "node:crypto";
import {
  accessSync,
  chownSync,
  closeSync,
  constants,
  fchmodSync,
  fsyncSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { reasonOf, Unusable } from "./unusable.ts";

/**
 * Replaces the content of `path`, which must still be `expected`: writes a temporary file beside it with the same mode
 * and renames it. A symbolic link stays and its target is replaced.
 * Throws Unusable when the file changed meanwhile or cannot be written; it is then as it was.
 */
export function replaceFile(path: string, shown: string, expected: Buffer, content: Buffer): void {
  try {
    const target = realpathSync(path);
    accessSync(target, constants.W_OK);
    const { mode, uid, gid } = statSync(target);
    const written = writeBeside(target, content, mode & 0o7777);
    try {
      keepOwner(written, uid, gid);
      if (!readFileSync(target).equals(expected)) {
        throw new Unusable(
          `${shown}: the file changed while it was being fixed; it is left as it is now. Run fix again.`,
        );
      }
      renameSync(written, target);
    } catch (error) {
      rmSync(written, { force: true });
      throw error;
    }
  } catch (error) {
    throw error instanceof Unusable ? error : new Unusable(`${shown}: cannot be written: ${reasonOf(error)}.`);
  }
}

function writeBeside(target: string, content: Buffer, mode: number): string {
  const path = join(dirname(target), `.${basename(target).slice(0, 100)}.${randomUUID()}.tmp`);
  const file = openSync(path, "wx", 0o600);
  try {
    for (let at = 0; at < content.length; ) at += writeSync(file, content, at);
    fchmodSync(file, mode);
    fsyncSync(file);
  } catch (error) {
    closeSync(file);
    rmSync(path, { force: true });
    throw error;
  }
  closeSync(file);
  return path;
}

/** Another owner is kept where this user may give files away; where not, the file becomes this user's, as with any editor. */
function keepOwner(path: string, uid: number, gid: number): void {
  const own = statSync(path);
  if (own.uid === uid && own.gid === gid) return;
  if (process.getuid?.() === 0) chownSync(path, uid, gid);
}
