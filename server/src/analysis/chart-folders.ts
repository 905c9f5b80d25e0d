// Analysis layer: whether a file lies in a Helm chart.
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

/** Remembers which folders belong to a chart, so that each is asked for once. */
export class ChartFolders {
  readonly #known = new Map<string, boolean>();

  /** Whether a folder above the file (absolute path) holds a `Chart.yaml`. */
  holds(file: string): boolean {
    return this.#isChart(dirname(file));
  }

  #isChart(folder: string): boolean {
    const known = this.#known.get(folder);
    if (known !== undefined) return known;
    const parent = dirname(folder);
    const found = existsSync(join(folder, "Chart.yaml")) || (parent !== folder && this.#isChart(parent));
    this.#known.set(folder, found);
    return found;
  }
}
