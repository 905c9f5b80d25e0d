// Report layer: sentences that say the same of several objects, said once.

/**
 * The sentences of a text, those that differ in one stretch of words only joined: "Fix a in x. Fix b in x." becomes
 * "Fix a, b in x." At least one sentence.
 */
export function foldSentences(text: string): readonly string[] {
  const sentences = text.split(/(?<=[.!?]) (?=[A-Z])/);
  const folded: string[] = [];
  let group: string[][] = [];
  for (const sentence of sentences) {
    const words = sentence.split(" ");
    if (group.length > 0 && !fits([...group, words])) {
      folded.push(joined(group));
      group = [];
    }
    group.push(words);
  }
  return [...folded, joined(group)];
}

/** Whether the sentences share most of their words at their two ends. */
function fits(group: readonly (readonly string[])[]): boolean {
  const { head, tail } = ends(group);
  const longest = Math.max(...group.map((words) => words.length));
  return head === longest || (head > 0 && tail > 0 && head + tail >= longest * 0.7);
}

/** How many words all of them start and end with. */
function ends(group: readonly (readonly string[])[]): { readonly head: number; readonly tail: number } {
  const [first = []] = group;
  const shortest = Math.min(...group.map((words) => words.length));
  let head = 0;
  while (head < shortest && group.every((words) => words[head] === first[head])) head += 1;
  let tail = 0;
  while (tail < shortest - head && group.every((words) => words.at(-1 - tail) === first.at(-1 - tail))) tail += 1;
  return { head, tail };
}

function joined(group: readonly (readonly string[])[]): string {
  const [first = []] = group;
  if (group.length < 2) return first.join(" ");
  const { head, tail } = ends(group);
  const middles = group.map((words) => words.slice(head, words.length - tail).join(" ")).filter((part) => part !== "");
  const end = first.slice(first.length - tail);
  return [...first.slice(0, head), ...(middles.length === 0 ? [] : [[...new Set(middles)].join(", ")]), ...end].join(
    " ",
  );
}
