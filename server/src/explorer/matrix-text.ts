// Explorer layer: the coverage matrix for a terminal: one block per node class, what is wrong first.
import type { CellState, CoverageMatrixResult, MatrixRow } from "../../../shared/src/explorer.ts";
import { CELL_ORDER, CELL_SIGNS, ENGLISH_WORDS } from "../../../shared/src/matrix-svg.ts";
import type { ClusterModel } from "../cluster/model.ts";
import { clusterText } from "../report/check-text.ts";
import type { Paint, Palette } from "../report/paint.ts";
import { columns, count, listSome } from "../report/text-layout.ts";

/** The signs of every cell in a table when it fits, then each gap and time bomb with its reason. In: columns of the terminal. */
export function matrixText(
  cluster: ClusterModel,
  matrix: Pick<CoverageMatrixResult, "columns" | "rows">,
  palette: Palette,
): string {
  const paints = statePaints(palette);
  const lines = [
    palette.faint(`Cluster ${clusterText(cluster)}`),
    ...matrix.rows.flatMap((row) => [
      "",
      ...rowLines(
        row,
        matrix.columns.map(({ name }) => name),
        palette,
        paints,
      ),
    ]),
    "",
    palette.faint(CELL_ORDER.map((state) => `${CELL_SIGNS[state]} ${ENGLISH_WORDS.states[state]}`).join("   ")),
  ];
  return `${lines.join("\n")}\n`;
}

function rowLines(
  row: MatrixRow,
  names: readonly string[],
  palette: Palette,
  paints: Readonly<Record<CellState, Paint>>,
): readonly string[] {
  const of = (state: CellState) =>
    row.cells.flatMap((cell, index) => (cell.state === state ? [{ name: names[index] ?? "", cell }] : []));
  const details = (["gap", "bomb", "waits"] as const).flatMap((state) =>
    of(state).map(({ name, cell }) => [
      `  ${paints[state](CELL_SIGNS[state])} ${name}`,
      `${ENGLISH_WORDS.states[state]} on ${cell.nodes} of ${row.nodes}`,
      cell.reason,
    ]),
  );
  const quiet = (["runs", "excluded"] as const).flatMap((state) => {
    const found = of(state).map(({ name }) => name);
    return found.length === 0
      ? []
      : [`  ${paints[state](CELL_SIGNS[state])} ${ENGLISH_WORDS.states[state]}: ${listSome(found, 12)}`];
  });
  return [
    `${palette.strong(row.name)} ${palette.faint(`(${count(row.nodes, "node")}: ${listSome(row.sample, 6)})`)}`,
    ...columns(details),
    ...quiet,
  ];
}

function statePaints(palette: Palette): Readonly<Record<CellState, Paint>> {
  return {
    gap: palette.severity("error"),
    bomb: palette.severity("warning"),
    waits: palette.severity("information"),
    runs: palette.good,
    excluded: palette.faint,
  };
}
