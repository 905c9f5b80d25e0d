// Command-line layer: the taint that --taint names.
import { readTaintText, type TaintText } from "../../kube/taint-text.ts";
import { Unusable } from "../unusable.ts";

/** Reads `key=value:Effect`, `key:Effect` and the same with `-` behind. Throws Unusable with what is wrong. */
export function parseTaintText(text: string): TaintText {
  const read = readTaintText(text);
  if ("problem" in read) throw new Unusable(`--taint "${text}": ${read.problem}`);
  return read;
}
