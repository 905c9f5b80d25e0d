// LSP layer: places in other files (a node's taint in the cluster file) as the protocol has them.
import { readFileSync, statSync } from "node:fs";
import type { Location } from "vscode-languageserver";
import { decodeText, isGzip } from "../../cluster/file/bytes.ts";
import { taintSpan } from "../../cluster/file/node-place.ts";
import type { RelatedPlace } from "../../features/diagnostic.ts";
import { formatTaint } from "../../kube/taint.ts";
import { type LineIndex, lineIndex } from "../../text/line-index.ts";
import type { Span } from "../../text/span.ts";
import { toRange } from "../convert/range.ts";
import { uriOf } from "../documents/uri.ts";

/** Above this many bytes a cluster file is not read again for the sake of a link. */
const LARGEST = 64 * 1024 * 1024;
/** Milliseconds for which a file counts as unchanged without a look at it: one batch of diagnostics asks often. */
const TRUSTED = 250;

interface Remembered {
  readonly mark: string;
  readonly uri: string;
  /** null for a file that has no lines to link to (zipped, binary). */
  readonly lines: LineIndex | null;
  /** Collected where memory is short; then the file is read again. */
  readonly text: WeakRef<{ readonly value: string }>;
  readonly taints: Map<string, Span | null>;
  readonly lookedAt: number;
}

/** Remembers the line indexes of the files that related places lie in, while the files stay the same. */
export class Elsewhere {
  readonly #known = new Map<string, Remembered>();

  /** null when the file cannot be read any more, or the place is not in it any more. */
  of({ path, span, taint }: RelatedPlace): Location | null {
    if (path === null) return null;
    const file = this.#file(path);
    if (file === null || file.lines === null) return null;
    const { uri, lines } = file;
    if (taint === undefined) return { uri, range: toRange(span, lines) };
    const key = `${taint.node}\0${formatTaint(taint.taint)}`;
    let exact = file.taints.get(key);
    if (exact === undefined) {
      const text = file.text.deref()?.value ?? textOf(path);
      const place = { path, offset: span.start };
      exact = text === null ? null : taintSpan(text, { name: taint.node, place }, taint.taint);
      file.taints.set(key, exact);
    }
    return { uri, range: toRange(exact ?? span, lines) };
  }

  #file(path: string): Remembered | null {
    const known = this.#known.get(path);
    const now = performance.now();
    if (known !== undefined && now - known.lookedAt < TRUSTED) return known;
    try {
      const { mtimeMs, size } = statSync(path);
      if (size > LARGEST) return null;
      const mark = `${mtimeMs}:${size}`;
      const file = known?.mark === mark ? { ...known, lookedAt: now } : remember(path, mark, now);
      this.#known.set(path, file);
      return file;
    } catch {
      // A link to a file that is gone helps nobody; the message names node and taint anyway.
      this.#known.delete(path);
      return null;
    }
  }
}

function remember(path: string, mark: string, lookedAt: number): Remembered {
  const text = textOf(path);
  const lines = text === null ? null : lineIndex(text);
  return { mark, uri: uriOf(path), lines, text: new WeakRef({ value: text ?? "" }), taints: new Map(), lookedAt };
}

/** As the cluster was read from it, so that offsets agree. */
function textOf(path: string): string | null {
  const bytes = readFileSync(path);
  return isGzip(bytes) ? null : decodeText(bytes).text;
}
