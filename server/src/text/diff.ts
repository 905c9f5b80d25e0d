// Text layer: a unified diff of two texts, for people and for `patch`.

interface Hunk {
  readonly before: number;
  readonly after: number;
  readonly lines: readonly string[];
}

type Step = { readonly sign: " " | "-" | "+"; readonly line: string };

const CONTEXT = 3;
/** Above this many differing lines the middle is shown as replaced whole, to bound the work. */
const SEARCH_LIMIT = 4_000;

/**
 * The unified diff from `before` to `after`, with three lines of context; empty when they are equal.
 * @param path shown as `a/path` and `b/path`
 */
export function unifiedDiff(path: string, before: string, after: string): string {
  if (before === after) return "";
  const steps = lineSteps(splitLines(before), splitLines(after));
  const hunks = toHunks(steps);
  const body = hunks.map((hunk) => {
    const removed = hunk.lines.filter((line) => !line.startsWith("+")).length;
    const added = hunk.lines.filter((line) => !line.startsWith("-")).length;
    return `@@ -${range(hunk.before, removed)} +${range(hunk.after, added)} @@\n${hunk.lines.map(endLine).join("")}`;
  });
  return `--- a/${path}\n+++ b/${path}\n${body.join("")}`;
}

/** Lines with their line ends, so that a changed line end shows as a change. */
function splitLines(text: string): readonly string[] {
  return text === "" ? [] : (text.match(/[^\n]*\n|[^\n]+$/g) ?? []);
}

function endLine(line: string): string {
  return line.endsWith("\n") ? line : `${line}\n\\ No newline at end of file\n`;
}

function range(start: number, count: number): string {
  const first = count === 0 ? start : start + 1;
  return count === 1 ? `${first}` : `${first},${count}`;
}

function lineSteps(before: readonly string[], after: readonly string[]): readonly Step[] {
  let head = 0;
  while (head < before.length && head < after.length && before[head] === after[head]) head++;
  let tail = 0;
  const room = Math.min(before.length, after.length) - head;
  while (tail < room && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail++;
  const keep = (line: string): Step => ({ sign: " ", line });
  return [
    ...before.slice(0, head).map(keep),
    ...middleSteps(before.slice(head, before.length - tail), after.slice(head, after.length - tail)),
    ...before.slice(before.length - tail).map(keep),
  ];
}

/** The longest common subsequence by table; the fixes' diffs are small, and larger ones are replaced whole. */
function middleSteps(before: readonly string[], after: readonly string[]): readonly Step[] {
  const remove = (line: string): Step => ({ sign: "-", line });
  const add = (line: string): Step => ({ sign: "+", line });
  if (before.length * after.length > SEARCH_LIMIT * SEARCH_LIMIT) return [...before.map(remove), ...after.map(add)];
  const width = after.length + 1;
  const common = new Uint32Array((before.length + 1) * width);
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = after.length - 1; j >= 0; j--) {
      common[i * width + j] =
        before[i] === after[j]
          ? (common[(i + 1) * width + j + 1] ?? 0) + 1
          : Math.max(common[(i + 1) * width + j] ?? 0, common[i * width + j + 1] ?? 0);
    }
  }
  const steps: Step[] = [];
  let i = 0;
  let j = 0;
  while (i < before.length || j < after.length) {
    const old = before[i];
    const fresh = after[j];
    if (old !== undefined && old === fresh) {
      steps.push({ sign: " ", line: old });
      i++;
      j++;
    } else if (
      old !== undefined &&
      (fresh === undefined || (common[(i + 1) * width + j] ?? 0) >= (common[i * width + j + 1] ?? 0))
    ) {
      steps.push(remove(old));
      i++;
    } else if (fresh !== undefined) {
      steps.push(add(fresh));
      j++;
    }
  }
  return steps;
}

function toHunks(steps: readonly Step[]): readonly Hunk[] {
  const hunks: Hunk[] = [];
  const changed = steps.flatMap((step, index) => (step.sign === " " ? [] : [index]));
  let at = 0;
  let before = 0;
  let after = 0;
  for (let first = 0; first < changed.length; ) {
    let last = first;
    while (last + 1 < changed.length && (changed[last + 1] ?? 0) - (changed[last] ?? 0) <= 2 * CONTEXT) last++;
    const from = Math.max(at, (changed[first] ?? 0) - CONTEXT);
    const to = Math.min(steps.length, (changed[last] ?? 0) + CONTEXT + 1);
    for (; at < from; at++) {
      before++;
      after++;
    }
    hunks.push({ before, after, lines: steps.slice(from, to).map(({ sign, line }) => sign + line) });
    for (; at < to; at++) {
      if (steps[at]?.sign !== "+") before++;
      if (steps[at]?.sign !== "-") after++;
    }
    first = last + 1;
  }
  return hunks;
}
