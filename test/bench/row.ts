// Bench: a line of the table.

export interface BenchRow {
  readonly what: string;
  readonly measured: number;
  /** What it must stay under; null for a number that is only told. */
  readonly limit: number | null;
  readonly unit: string;
  /** What the number is to be read beside: floors of the same run, sizes. */
  readonly beside: string;
}
