// LSP layer: places in other files (a node's taint in the cluster file) as the protocol has them.
import { readFileSync, statSync } from "node:fs";
import type { RelatedPlace } from "../../features/diagnostic.ts";
import { type LineIndex, lineIndex } from "../../text/line-index.ts";
import { uriOf } from "../documents/uri.ts";

/** Above this many bytes a cluster file is not read again for the sake of a link. */
const LARGEST = 64 * 1024 * 1024;

/** Remembers the line indexes of the files that related places lie in, while the files stay the same. */
export class Elsewhere {
  readonly #known = new Map<string, { readonly mark: string; readonly lines: LineIndex }>();

  /** null when the file cannot be read any more. */
  of(place: RelatedPlace): { readonly uri: string; readonly lines: LineIndex } | null {
    const { path } = place;
    if (path === null) return null;
    try {
      const { mtimeMs, size } = statSync(path);
      if (size > LARGEST) return null;
      const mark = `${mtimeMs}:${size}`;
      const known = this.#known.get(path);
      if (known?.mark === mark) return { uri: uriOf(path), lines: known.lines };
      const lines = lineIndex(readFileSync(path, "utf8"));
      this.#known.set(path, { mark, lines });
      return { uri: uriOf(path), lines };
    } catch {
      // A link to a file that is gone helps nobody; the message names node and taint anyway.
      return null;
    }
  }
}
