// Client: a matrix as it travels to the coverage page. Tens of thousands of cells take the browser longer to copy than to
// draw, and few of them say something of their own; so each sentence goes once, and cells are numbers.
import type { CellState, CoverageMatrixResult, MatrixRow } from "../../../shared/src/explorer.ts";

/** A row whose cells are three numbers each: place of the state in `states`, nodes, place of the sentence in `reasons`. */
interface PackedRow extends Omit<MatrixRow, "cells"> {
  readonly cells: readonly number[];
}

export interface PackedMatrix extends Omit<CoverageMatrixResult, "rows"> {
  readonly states: readonly CellState[];
  readonly reasons: readonly string[];
  readonly rows: readonly PackedRow[];
}

/** Numbers per cell. */
const WIDTH = 3;

/** The matrix with each state and sentence named once; `unpackMatrix` gives back an equal one. */
export function packMatrix(matrix: CoverageMatrixResult): PackedMatrix {
  const states = new Map<CellState, number>();
  const reasons = new Map<string, number>();
  const rows = matrix.rows.map(({ cells, ...row }) => ({
    ...row,
    cells: cells.flatMap(({ state, nodes, reason }) => [placeIn(states, state), nodes, placeIn(reasons, reason)]),
  }));
  return { ...matrix, states: [...states.keys()], reasons: [...reasons.keys()], rows };
}

/** The matrix that was packed. */
export function unpackMatrix({ states, reasons, rows, ...rest }: PackedMatrix): CoverageMatrixResult {
  return {
    ...rest,
    rows: rows.map(({ cells: numbers, ...row }) => ({
      ...row,
      cells: Array.from({ length: numbers.length / WIDTH }, (_, cell) => {
        const [state = 0, nodes = 0, reason = 0] = numbers.slice(cell * WIDTH, (cell + 1) * WIDTH);
        return { state: states[state] ?? "excluded", nodes, reason: reasons[reason] ?? "" };
      }),
    })),
  };
}

/** Where the value stands; one that is new goes to the end. */
function placeIn<T>(places: Map<T, number>, value: T): number {
  const known = places.get(value);
  if (known !== undefined) return known;
  places.set(value, places.size);
  return places.size - 1;
}
