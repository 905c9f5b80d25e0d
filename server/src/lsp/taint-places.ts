// LSP layer: a node's taint as a place that the client can open: in the cluster file.
import { readFileSync } from "node:fs";
import { taintSpan } from "../cluster/file/node-place.ts";
import { lineIndex } from "../text/line-index.ts";
import { toRange } from "./convert/range.ts";
import { uriOf } from "./documents/uri.ts";
import type { TaintLocator } from "./requests.ts";

/** The taint's text in its cluster file; null for a live cluster, a zipped file, and one that changed since. */
export const taintLocator: TaintLocator = ({ node, taint, place }) => {
  if (place === null) return null;
  try {
    const text = readFileSync(place.path, "utf8");
    const span = taintSpan(text, { name: node, place }, taint);
    return span === null ? null : { uri: uriOf(place.path), range: toRange(span, lineIndex(text)) };
  } catch {
    // A file that is gone has no place to show.
    return null;
  }
};
