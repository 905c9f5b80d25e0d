// Cluster layer, files: which parts a text that could not be read would have held.
import { partOfKind } from "../build/parts.ts";
import type { ClusterPart } from "../model.ts";

/** `apiVersion`, `kind`, `metadata` in a row, as kubectl orders an object's JSON; references to objects differ. */
const JSON_OBJECT = /"apiVersion"\s*:\s*"([^"]*)"\s*,\s*"kind"\s*:\s*"(\w+)"\s*,\s*"metadata"/g;
const JSON_LIST = /"kind"\s*:\s*"(\w+)List"\s*,\s*"apiVersion"\s*:\s*"([^"]*)"/g;
/** An object's own lines, at the start of a document or of a list's item. */
const YAML_OBJECT = /^(?:- | {2})?apiVersion: (\S+)\n(?: {2})?kind: (\w+)$/gm;

/** The parts whose objects a broken text names. */
export function lostParts(text: string): ReadonlySet<ClusterPart> {
  const parts = new Set<ClusterPart>();
  const note = (apiVersion: string | undefined, kind: string | undefined): void => {
    const part = partOfKind(apiVersion ?? "", kind ?? "");
    if (part !== null) parts.add(part);
  };
  for (const match of text.matchAll(JSON_OBJECT)) note(match[1], match[2]);
  for (const match of text.matchAll(JSON_LIST)) note(match[2], match[1]);
  for (const match of text.matchAll(YAML_OBJECT)) note(match[1], match[2]?.replace(/List$/, ""));
  return parts;
}
