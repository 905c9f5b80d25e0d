// Explorer layer: rows of a tree whose branches are made when they are opened.
import type { ExplorerRow, RowKind, RowState, RowTarget } from "../../../shared/src/explorer.ts";
import type { Severity } from "../../../shared/src/severity.ts";
import { SEVERITIES } from "../../../shared/src/severity.ts";

export interface Element {
  readonly row: ExplorerRow;
  /** Made at the first call and kept. */
  readonly children: () => readonly Element[];
}

export interface ElementDraft {
  /** Id of the element above; empty at the top. */
  readonly parent: string;
  /** What tells it from its siblings, whatever happens to it: a group's kind, an object's uid. */
  readonly key: string;
  readonly kind: RowKind;
  readonly label: string;
  readonly description?: string;
  readonly tooltip?: readonly string[];
  readonly state?: RowState;
  readonly target?: RowTarget | null;
  /** Absent: a row without children. */
  readonly children?: (id: string) => readonly Element[];
  readonly expanded?: boolean;
}

const NO_CHILDREN = (): readonly Element[] => [];

/** The words a screen reader says for a state; empty where there is nothing to say. */
const STATE_WORDS: Readonly<Record<RowState, string>> = {
  error: "error",
  warning: "warning",
  information: "information",
  hint: "hint",
  good: "healthy",
  unknown: "unknown",
  plain: "",
};

/** Makes an element; its id is the parent's with the key behind it. */
export function element(draft: ElementDraft): Element {
  const { kind, label, description = "", tooltip = [], state = "plain", target = null } = draft;
  const id = childId(draft.parent, draft.key);
  const make = draft.children;
  let made: readonly Element[] | null = null;
  return {
    row: {
      id,
      kind,
      label,
      description,
      tooltip: tooltip.filter((line) => line !== "").join("\n"),
      state,
      spoken: [label, STATE_WORDS[state], description].filter((part) => part !== "").join(", "),
      children: make === undefined ? "none" : draft.expanded === true ? "expanded" : "collapsed",
      target,
    },
    children:
      make === undefined
        ? NO_CHILDREN
        : () => {
            made ??= make(id);
            return made;
          },
  };
}

/** The id of a child; slashes in the key cannot be mistaken for steps. */
function childId(parent: string, key: string): string {
  const step = encodeURIComponent(key);
  return parent === "" ? step : `${parent}/${step}`;
}

/** The element of an id below `roots`; null when it is not there (any more). Only its ancestors are opened. */
export function findElement(roots: readonly Element[], id: string): Element | null {
  let level = roots;
  for (;;) {
    const found = level.find(({ row }) => row.id === id || id.startsWith(`${row.id}/`));
    if (found === undefined || found.row.id === id) return found ?? null;
    level = found.children();
  }
}

const ORDER: readonly RowState[] = [...SEVERITIES, "unknown", "plain", "good"];

/** Sorts gravest first; for `Array.sort`. */
export function byState(left: RowState, right: RowState): number {
  return ORDER.indexOf(left) - ORDER.indexOf(right);
}

/** The gravest of the states; `plain` when there are none. */
export function gravest(states: Iterable<RowState>): RowState {
  let worst: RowState | null = null;
  for (const state of states) if (worst === null || byState(state, worst) < 0) worst = state;
  return worst ?? "plain";
}

/** A triage severity as a row's state. */
export function stateOf(severity: Severity | "none"): RowState {
  return severity === "none" ? "good" : severity;
}
