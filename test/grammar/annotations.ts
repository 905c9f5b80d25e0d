// Annotated YAML: a line `#^   ^^^ scope` tells the scope of the text above its carets; `-part` tells that no scope has it.

export interface Expectation {
  /** 0-based line of `text`. */
  readonly line: number;
  readonly start: number;
  readonly end: number;
  readonly scope: string;
}

/** The YAML without its annotations, and what they expect. */
export function readAnnotations(annotated: string): {
  readonly text: string;
  readonly expected: readonly Expectation[];
} {
  const lines: string[] = [];
  const expected: Expectation[] = [];
  for (const line of annotated.split("\n")) {
    const note = /^#\^(\s*)(\^+) (\S+)$/.exec(line);
    if (!note) {
      lines.push(line);
      continue;
    }
    const start = 2 + note[1]!.length;
    expected.push({ line: lines.length - 1, start, end: start + note[2]!.length, scope: note[3]! });
  }
  return { text: lines.join("\n"), expected };
}
