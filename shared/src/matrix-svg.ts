// Shared by client and server: the coverage matrix as a picture, for files. Pure text; the same in the editor and the terminal.
import type { CellState, CoverageMatrixResult, MatrixCell, MatrixRow } from "./explorer.ts";

/** What every picture of the matrix says of its cells, in the order of the legend: a sign, so that colour is not needed. */
export const CELL_SIGNS: Readonly<Record<CellState, string>> = {
  runs: "✓",
  bomb: "◔",
  gap: "✕",
  waits: "…",
  excluded: "·",
};

export const CELL_ORDER: readonly CellState[] = ["gap", "bomb", "waits", "runs", "excluded"];

/** Dark enough on their fills for small text; fills and inks differ in lightness, for print in grey. */
const COLOURS: Readonly<Record<CellState, readonly [fill: string, ink: string]>> = {
  runs: ["#e3f1e3", "#1d5c2a"],
  bomb: ["#ffe9b8", "#6b4a00"],
  gap: ["#f8c9c9", "#8f1414"],
  waits: ["#e2e6ee", "#3c4a63"],
  excluded: ["#f6f6f6", "#757575"],
};

const CELL = 24;
const NAMES = 300;
const MARGIN = 16;
/** Longest names shown whole. */
const LONGEST = 40;

/** Words of the picture; the editor hands in its language's. */
export interface MatrixWords {
  readonly states: Readonly<Record<CellState, string>>;
  readonly nodes: string;
}

export const ENGLISH_WORDS: MatrixWords = {
  states: { runs: "runs", bomb: "time bomb", gap: "gap", waits: "waits for a taint to go", excluded: "excluded" },
  nodes: "nodes",
};

/**
 * Classes with the most gaps first, then those with the most time bombs; so are the DaemonSets. A what-if row stays
 * behind its class and moves nothing. Stable.
 */
export function worstFirst<Matrix extends Pick<CoverageMatrixResult, "columns" | "rows">>(matrix: Matrix): Matrix {
  const groups: MatrixRow[][] = [];
  for (const row of matrix.rows) {
    if (row.whatIf) groups.at(-1)?.push(row);
    else groups.push([row]);
  }
  const real = matrix.rows.filter(({ whatIf }) => !whatIf);
  const columns = matrix.columns
    .map((column, index) => ({ column, index, cells: real.flatMap(({ cells }) => cells[index] ?? []) }))
    .sort((left, right) => worse(left.cells, right.cells));
  return {
    ...matrix,
    columns: columns.map(({ column }) => column),
    rows: groups
      .toSorted(([left], [right]) => worse(left?.cells ?? [], right?.cells ?? []))
      .flat()
      .map((row) => ({ ...row, cells: columns.flatMap(({ index }) => row.cells[index] ?? []) })),
  };
}

/** Orders lists of cells: more gaps first, then more time bombs; for `sort`. */
function worse(left: readonly MatrixCell[], right: readonly MatrixCell[]): number {
  const more = (state: CellState) => count(right, state) - count(left, state);
  return more("gap") || more("bomb");
}

function count(cells: readonly MatrixCell[], state: CellState): number {
  return cells.filter((cell) => cell.state === state).length;
}

/** The whole matrix as an SVG document: headings, cells with a sign and a reason to hover, legend. */
export function matrixSvg(
  matrix: Pick<CoverageMatrixResult, "clusterName" | "columns" | "rows">,
  words: MatrixWords,
): string {
  const { columns, rows, clusterName } = matrix;
  const head = 30 + Math.min(LONGEST, Math.max(8, ...columns.map(({ name }) => name.length))) * 5.4;
  const width = Math.max(640, MARGIN * 2 + NAMES + columns.length * CELL + 160);
  const height = MARGIN * 2 + head + rows.length * CELL + 48;
  const left = MARGIN + NAMES;
  const top = MARGIN + head;
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeXml(clusterName)}" font-family="system-ui, sans-serif" font-size="12">`,
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    `<text x="${MARGIN}" y="${MARGIN + 14}" font-size="15" font-weight="600" fill="#1f1f1f">${escapeXml(clusterName)}</text>`,
    ...columns.map(({ name, role }, index) => {
      const x = left + index * CELL + CELL / 2;
      return `<text transform="translate(${x + 4} ${top - 8}) rotate(-60)" fill="#1f1f1f"><title>${escapeXml(`${name}, ${role}`)}</title>${escapeXml(shortened(name))}</text>`;
    }),
    ...rows.flatMap((row, index) =>
      rowParts(
        row,
        top + index * CELL,
        left,
        words,
        columns.map(({ name }) => name),
      ),
    ),
    ...legend(MARGIN, top + rows.length * CELL + 28, words),
    "</svg>",
  ];
  return `${parts.join("\n")}\n`;
}

function rowParts(
  row: MatrixRow,
  y: number,
  left: number,
  words: MatrixWords,
  columns: readonly string[],
): readonly string[] {
  const style = row.whatIf ? ' font-style="italic"' : "";
  return [
    `<text x="${MARGIN}" y="${y + 16}" fill="#1f1f1f"${style}><title>${escapeXml(row.name)}</title>${escapeXml(shortened(row.name))} (${row.nodes})</text>`,
    ...row.cells.map((cell, index) => {
      const [fill, ink] = COLOURS[cell.state];
      const x = left + index * CELL;
      const title = `${row.name}, ${columns[index] ?? ""}: ${words.states[cell.state]}, ${cell.nodes}/${row.nodes} ${words.nodes}. ${cell.reason}`;
      return `<g><title>${escapeXml(title)}</title><rect x="${x + 1}" y="${y + 1}" width="${CELL - 2}" height="${CELL - 2}" rx="3" fill="${fill}"/><text x="${x + CELL / 2}" y="${y + 16}" text-anchor="middle" fill="${ink}">${CELL_SIGNS[cell.state]}</text></g>`;
    }),
  ];
}

function legend(x: number, y: number, words: MatrixWords): readonly string[] {
  let at = x;
  return CELL_ORDER.map((state) => {
    const [fill, ink] = COLOURS[state];
    const text = words.states[state];
    const part = `<g><rect x="${at}" y="${y - 13}" width="18" height="18" rx="3" fill="${fill}"/><text x="${at + 9}" y="${y}" text-anchor="middle" fill="${ink}">${CELL_SIGNS[state]}</text><text x="${at + 24}" y="${y}" fill="#1f1f1f">${escapeXml(text)}</text></g>`;
    at += 42 + text.length * 6.6;
    return part;
  });
}

function shortened(name: string): string {
  return name.length <= LONGEST ? name : `${name.slice(0, LONGEST - 1)}…`;
}

function escapeXml(text: string): string {
  return (
    text
      .replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`)
      // XML has no such characters, escaped or not.
      // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "\ufffd")
  );
}
