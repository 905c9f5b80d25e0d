// Client: whether a text looks like what `kubectl get nodes -o yaml|json` writes. Only a guess that decides whether to ask;
// the server reads the file. Pure.

/** How much of a document is looked at, in UTF-16 units: enough for the first item, whatever the file's size. */
export const HEAD_LENGTH = 64 * 1024;

/**
 * Whether `head`, the first part of a document, is a list of nodes or begins with a Node.
 * A list is known by a top-level `kind: List` or `NodeList`; kubectl sorts keys, so it may stand behind the items,
 * out of sight, and then the shape of the first item decides.
 */
export function looksLikeNodes(head: string): boolean {
  const text = head.trimStart();
  return text.startsWith("{") ? looksLikeJson(text) : looksLikeYaml(text);
}

function looksLikeJson(text: string): boolean {
  if (/"kind"\s*:\s*"NodeList"/.test(text)) return true;
  const item = /"items"\s*:\s*\[\s*\{/.exec(text);
  return item !== null && firstKind(/"kind"\s*:\s*"(\w+)"/g, text, item.index) === "Node";
}

function looksLikeYaml(text: string): boolean {
  if (/^kind: ["']?NodeList\b/m.test(text)) return true;
  const items = /^items:\s*$/m.exec(text);
  if (items === null) return /^kind: ["']?Node["']?\s*$/m.test(text) && /^status:/m.test(text);
  // The item's own kind is indented by two (kubectl) or four; a nested one (an owner, say) lies deeper.
  return firstKind(/^ {2,4}(?:- )?kind: ["']?(\w+)/gm, text, items.index) === "Node";
}

/** The first group of the first match behind `from`; null when there is none. */
function firstKind(pattern: RegExp, text: string, from: number): string | null {
  pattern.lastIndex = from;
  return pattern.exec(text)?.[1] ?? null;
}
