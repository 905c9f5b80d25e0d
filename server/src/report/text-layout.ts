// Report layer: laying out text for a terminal. Widths are counted in code points; colour comes last.
import { withoutMarks } from "./printable.ts";

/** Pads with spaces on the right to `width`. */
export function padTo(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - widthOf(text)));
}

/** Columns that a text takes, colour marks not counted. */
export function widthOf(text: string): number {
  return [...withoutMarks(text)].length;
}

/** Breaks at spaces so that no line is wider than `width` (a longer word stays whole). At least one line. */
export function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && widthOf(line) + 1 + widthOf(word) > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === "" ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}

/** Rows as columns, two spaces apart; the last column is not padded. The first row may be a header. */
export function columns(rows: readonly (readonly string[])[]): readonly string[] {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, index) => {
      widths[index] = Math.max(widths[index] ?? 0, widthOf(cell));
    });
  }
  return rows.map((row) =>
    row
      .map((cell, index) => (index === row.length - 1 ? cell : padTo(cell, widths[index] ?? 0)))
      .join("  ")
      .trimEnd(),
  );
}

/** `1 node`, `2 nodes`: the count with its noun; `many` where adding an s is wrong. */
export function count(amount: number, one: string, many = `${one}s`): string {
  return `${amount} ${amount === 1 ? one : many}`;
}

/** The first `limit` words joined by commas, and how many more there are. */
export function listSome(words: readonly string[], limit: number): string {
  const rest = words.length - limit;
  return rest > 0 ? `${words.slice(0, limit).join(", ")} and ${rest} more` : words.join(", ");
}
