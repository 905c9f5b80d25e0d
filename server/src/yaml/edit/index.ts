// YAML layer, edits: the edits that rules may make. Each takes the original text and returns text edits that change
// nothing else: comments, quotes, indentation and line ends stay byte for byte. Null means "not here": offer no fix.
export { appendItems, insertEntry } from "./insert.ts";
export { moveEntry, wrapInList } from "./move.ts";
export { removeEntry, removeItem, removeItems, replaceItem } from "./remove.ts";
export { type PlainValue, renderFlow } from "./render.ts";
export { quoteScalar, setScalar, unquoteScalar } from "./scalar.ts";
export { aliasAt, type Edits, type EditTarget } from "./target.ts";
export { unfoldAndAppend } from "./unfold.ts";
