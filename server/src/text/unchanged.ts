// Text layer: which pieces of a text stand in an earlier one. An edit touches few of them, so the others are met in
// order from both ends; comparing costs a fraction of what looking them up by their content does.
import type { Span } from "./span.ts";

/** A text cut into pieces, in text order. */
export interface CutText {
  readonly text: string;
  readonly pieces: readonly Span[];
}

/** For each piece of `now` the place of an equal piece of `before`, or -1 where there is none. */
export function findUnchanged(before: CutText, now: CutText): readonly number[] {
  const found = now.pieces.map(() => -1);
  const isSame = (old: number, place: number) => pieceOf(before, old) === pieceOf(now, place);
  const shared = Math.min(before.pieces.length, now.pieces.length);
  let head = 0;
  for (; head < shared && isSame(head, head); head++) found[head] = head;
  let tail = 0;
  while (tail < shared - head && isSame(before.pieces.length - 1 - tail, now.pieces.length - 1 - tail)) {
    tail++;
    found[now.pieces.length - tail] = before.pieces.length - tail;
  }
  const rest = new Map<string, number>();
  for (let old = head; old < before.pieces.length - tail; old++) rest.set(pieceOf(before, old), old);
  if (rest.size === 0) return found;
  for (let place = head; place < now.pieces.length - tail; place++) {
    found[place] = rest.get(pieceOf(now, place)) ?? -1;
  }
  return found;
}

function pieceOf({ text, pieces }: CutText, place: number): string {
  const { start = 0, end = 0 } = pieces[place] ?? {};
  return text.slice(start, end);
}
