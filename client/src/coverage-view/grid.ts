/// <reference lib="dom" />
// Client: the grid of the coverage page. Only cells on screen are in the document; keys move through all of them.
import type { CoverageMatrixResult, MatrixCell, MatrixRow, RowTarget } from "../../../shared/src/explorer.ts";
import { CELL_SIGNS } from "../../../shared/src/matrix-svg.ts";
import type { PageTexts } from "./messages.ts";

/** Pixels. */
const CELL = 26;
const NAMES = 280;
const HEAD = 190;
/** Characters of a column's heading. */
const LONGEST = 28;
/** Rows and columns drawn beyond the edges, so that scrolling shows no holes. */
const BEYOND = 3;

/** The table in the page: drawn from a matrix, moved through with keys. */
export class Grid {
  readonly element: HTMLElement;
  /** Says in words what is under the pointer or has the focus. */
  readonly about: HTMLElement;
  readonly #open: (what: "fix" | "node", target: RowTarget) => void;
  readonly #canvas: HTMLElement;
  #matrix: CoverageMatrixResult | null = null;
  #texts: PageTexts | null = null;
  /** Where the keyboard is; column -1 is the class's name. */
  #focus = { row: 0, column: -1 };
  #drawing = false;

  constructor(open: (what: "fix" | "node", target: RowTarget) => void) {
    this.#open = open;
    this.element = document.createElement("div");
    this.element.className = "viewport";
    this.element.setAttribute("role", "grid");
    this.#canvas = document.createElement("div");
    this.#canvas.className = "canvas";
    this.#canvas.setAttribute("role", "rowgroup");
    this.element.append(this.#canvas);
    this.about = document.createElement("div");
    this.about.id = "about";
    // No live region: a screen reader reads the cell itself, and would say everything twice.
    this.element.addEventListener("scroll", () => this.#soon());
    this.element.addEventListener("keydown", (event) => this.#key(event));
    this.element.addEventListener("mouseover", ({ target }) => this.#tell(target));
    this.element.addEventListener("focusin", ({ target }) => this.#tell(target));
    this.element.addEventListener("click", ({ target }) => this.#click(target));
    window.addEventListener("resize", () => this.#soon());
  }

  /** Shows another matrix; the place of scroll and focus stays. */
  draw(matrix: CoverageMatrixResult, texts: PageTexts): void {
    this.#matrix = matrix;
    this.#texts = texts;
    this.element.setAttribute("aria-label", texts.grid);
    this.element.setAttribute("aria-rowcount", String(matrix.rows.length + 1));
    this.element.setAttribute("aria-colcount", String(matrix.columns.length + 1));
    this.#focus = {
      row: Math.min(this.#focus.row, Math.max(0, matrix.rows.length - 1)),
      column: Math.min(this.#focus.column, matrix.columns.length - 1),
    };
    this.#canvas.style.width = `${NAMES + matrix.columns.length * CELL + HEAD}px`;
    this.#canvas.style.height = `${HEAD + matrix.rows.length * CELL}px`;
    this.#drawNow();
  }

  /** Shows a sentence instead. */
  clear(text: string): void {
    this.#matrix = null;
    this.#canvas.replaceChildren();
    this.about.setAttribute("role", "status");
    this.about.textContent = text;
  }

  #soon(): void {
    if (this.#drawing) return;
    this.#drawing = true;
    requestAnimationFrame(() => {
      this.#drawing = false;
      this.#drawNow();
    });
  }

  #drawNow(): void {
    const matrix = this.#matrix;
    if (matrix === null) return;
    const { scrollLeft, scrollTop, clientWidth, clientHeight } = this.element;
    const columns = range(scrollLeft, clientWidth, matrix.columns.length, this.#focus.column);
    const rows = range(scrollTop, clientHeight, matrix.rows.length, this.#focus.row);
    const active = document.activeElement;
    const held = active instanceof HTMLElement && this.element.contains(active) && active.dataset.row !== undefined;
    this.#canvas.replaceChildren(
      this.#head(matrix, columns),
      ...rows.flatMap((index) => this.#row(matrix, index, columns)),
    );
    if (held) this.#focused()?.focus({ preventScroll: true });
  }

  #head(matrix: CoverageMatrixResult, columns: readonly number[]): HTMLElement {
    const head = part("div", "head", "row");
    head.style.height = `${HEAD}px`;
    head.setAttribute("aria-rowindex", "1");
    const corner = part("div", "corner", "columnheader");
    corner.style.width = `${NAMES}px`;
    corner.style.height = `${HEAD}px`;
    corner.setAttribute("aria-colindex", "1");
    corner.textContent = matrix.clusterName;
    head.append(corner);
    for (const index of columns) {
      const column = matrix.columns[index];
      if (column === undefined) continue;
      const name = part("div", "column", "columnheader");
      name.style.left = `${NAMES + index * CELL + CELL / 2 + 4}px`;
      name.setAttribute("aria-colindex", String(index + 2));
      name.textContent = shortName(column.name);
      name.setAttribute("aria-label", `${column.name}, ${column.role}`);
      name.title = `${column.name}, ${column.role}`;
      head.append(name);
    }
    return head;
  }

  #row(matrix: CoverageMatrixResult, index: number, columns: readonly number[]): readonly HTMLElement[] {
    const row = matrix.rows[index];
    if (row === undefined) return [];
    const element = part("div", row.whatIf ? "row whatif" : "row", "row");
    element.style.top = `${HEAD + index * CELL}px`;
    element.style.height = `${CELL}px`;
    element.style.width = "100%";
    element.setAttribute("aria-rowindex", String(index + 2));
    const name = part("div", "name", "rowheader");
    name.style.width = `${NAMES}px`;
    name.style.height = `${CELL}px`;
    name.textContent = `${row.name} (${row.nodes})`;
    name.setAttribute("aria-colindex", "1");
    this.#place(name, index, -1);
    element.append(name);
    for (const column of columns) {
      const cell = row.cells[column];
      if (cell !== undefined) element.append(this.#cell(matrix, row, cell, index, column));
    }
    return [element];
  }

  #cell(matrix: CoverageMatrixResult, row: MatrixRow, cell: MatrixCell, index: number, column: number): HTMLElement {
    const element = part("div", `cell ${cell.state}`, "gridcell");
    element.style.left = `${NAMES + column * CELL + 1}px`;
    element.style.width = `${CELL - 2}px`;
    element.style.height = `${CELL - 2}px`;
    element.textContent = CELL_SIGNS[cell.state];
    element.setAttribute("aria-colindex", String(column + 2));
    element.setAttribute("aria-label", this.#words(matrix, row, cell, column));
    this.#place(element, index, column);
    return element;
  }

  #place(element: HTMLElement, row: number, column: number): void {
    element.dataset.row = String(row);
    element.dataset.column = String(column);
    element.tabIndex = row === this.#focus.row && column === this.#focus.column ? 0 : -1;
  }

  #words(matrix: CoverageMatrixResult, row: MatrixRow, cell: MatrixCell, column: number): string {
    const texts = this.#texts;
    const name = matrix.columns[column]?.name ?? "";
    const state = texts?.states[cell.state] ?? cell.state;
    return `${row.name}, ${name}: ${state}, ${cell.nodes}/${row.nodes} ${texts?.nodes ?? ""}. ${cell.reason}`;
  }

  #tell(target: EventTarget | null): void {
    const place = placeOf(target);
    const row = place === null ? undefined : this.#matrix?.rows[place.row];
    if (place === null || row === undefined || this.#matrix === null) return;
    const cell = row.cells[place.column];
    this.about.textContent =
      cell === undefined
        ? `${row.name}: ${row.nodes} ${this.#texts?.nodes ?? ""}: ${row.sample.join(", ")}${row.nodes > row.sample.length ? " …" : ""}`
        : this.#words(this.#matrix, row, cell, place.column);
  }

  #click(target: EventTarget | null): void {
    const place = placeOf(target);
    if (place === null) return;
    this.#focus = place;
    this.#activate();
  }

  /** A cell leads to the workload's fix, a name to the triage of the class's first node. */
  #activate(): void {
    const matrix = this.#matrix;
    const row = matrix?.rows[this.#focus.row];
    if (matrix === null || row === undefined) return;
    const [node = null] = row.sample;
    const column = matrix.columns[this.#focus.column];
    if (column !== undefined) this.#open("fix", { ...column.target, node });
    else if (node !== null) {
      this.#open("node", { cluster: matrix.cluster, kind: "Node", namespace: null, name: node, node });
    }
  }

  #key(event: KeyboardEvent): void {
    const matrix = this.#matrix;
    if (matrix === null) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.#activate();
      return;
    }
    const page = Math.max(1, Math.floor((this.element.clientHeight - HEAD) / CELL));
    const moves: Readonly<Record<string, readonly [rows: number, columns: number]>> = {
      ArrowUp: [-1, 0],
      ArrowDown: [1, 0],
      ArrowLeft: [0, -1],
      ArrowRight: [0, 1],
      PageUp: [-page, 0],
      PageDown: [page, 0],
      // As in every grid: with Ctrl to the first and the last cell of all.
      Home: [event.ctrlKey ? -matrix.rows.length : 0, -matrix.columns.length],
      End: [event.ctrlKey ? matrix.rows.length : 0, matrix.columns.length],
    };
    const move = moves[event.key];
    if (move === undefined) return;
    event.preventDefault();
    this.#focus = {
      row: clamp(this.#focus.row + move[0], 0, matrix.rows.length - 1),
      column: clamp(this.#focus.column + move[1], -1, matrix.columns.length - 1),
    };
    if (event.key === "Home") this.element.scrollLeft = 0;
    this.#scrollToFocus();
    this.#drawNow();
    this.#focused()?.focus({ preventScroll: true });
  }

  #scrollToFocus(): void {
    const { row, column } = this.#focus;
    const { clientWidth, clientHeight } = this.element;
    const top = row * CELL;
    this.element.scrollTop = clamp(this.element.scrollTop, top + HEAD + CELL - clientHeight, top);
    if (column < 0) return;
    const left = column * CELL;
    this.element.scrollLeft = clamp(this.element.scrollLeft, left + NAMES + CELL - clientWidth, left);
  }

  #focused(): HTMLElement | null {
    const { row, column } = this.#focus;
    return this.#canvas.querySelector(`[data-row="${row}"][data-column="${column}"]`);
  }
}

/** The name without its namespace, cut where the heading ends. */
function shortName(name: string): string {
  const own = name.slice(name.indexOf("/") + 1);
  return own.length <= LONGEST ? own : `${own.slice(0, LONGEST - 1)}…`;
}

function part(tag: "div", className: string, role: string): HTMLElement {
  const element = document.createElement(tag);
  element.className = className;
  element.setAttribute("role", role);
  return element;
}

function placeOf(target: EventTarget | null): { readonly row: number; readonly column: number } | null {
  const element = target instanceof HTMLElement ? target.closest<HTMLElement>("[data-row]") : null;
  if (element === null) return null;
  return { row: Number(element.dataset.row), column: Number(element.dataset.column) };
}

/** The indexes on screen with a margin, and the one with the focus wherever it is. */
function range(scroll: number, size: number, count: number, focus: number): readonly number[] {
  const first = Math.max(0, Math.floor(scroll / CELL) - BEYOND);
  const last = Math.min(count - 1, Math.ceil((scroll + size) / CELL) + BEYOND);
  const indexes = Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
  if (focus < 0 || focus >= count || (focus >= first && focus <= last)) return indexes;
  return focus < first ? [focus, ...indexes] : [...indexes, focus];
}

function clamp(value: number, least: number, most: number): number {
  return Math.max(Math.min(value, most), least);
}
