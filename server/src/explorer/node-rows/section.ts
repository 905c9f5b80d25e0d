// Explorer layer, node rows: what every section of a node gets and gives.
import type { RowState, RowTarget } from "../../../../shared/src/explorer.ts";
import type { NodeFacts } from "../../triage/facts/node.ts";
import type { NodeTriage } from "../../triage/finding.ts";
import { type Element, element, gravest } from "../element.ts";
import type { JudgedCluster } from "../judged-cluster.ts";

/** The node that is opened. */
export interface OpenedNode {
  readonly cluster: JudgedCluster;
  readonly facts: NodeFacts;
  readonly triage: NodeTriage;
}

/** A section as a branch of the node. */
export interface Section {
  /** Stays the same whatever its rows say. */
  readonly key: string;
  readonly label: string;
  /** Behind the label, and whatever the rows' states say. */
  readonly description: string;
  readonly rows: (id: string) => readonly Element[];
}

/** The target of a row about an object of the node's cluster. */
export function targetOn(opened: OpenedNode, kind: string, namespace: string | null, name: string): RowTarget {
  return { cluster: opened.cluster.key, kind, namespace, name, node: opened.facts.name };
}

/** The branch of a section; null when it has no rows. Its state is the gravest of its rows, health aside. */
export function sectionElement(parent: string, section: Section): Element | null {
  const rows = section.rows(`${parent}/${encodeURIComponent(section.key)}`);
  if (rows.length === 0) return null;
  const states = rows.map(({ row }) => row.state);
  const state: RowState = gravest(states.filter((one) => one !== "plain"));
  return element({
    parent,
    key: section.key,
    kind: "section",
    label: section.label,
    description: section.description === "" ? String(rows.length) : section.description,
    state,
    children: () => rows,
  });
}

/** A row that says why a section cannot be filled. */
export function unknownRow(parent: string, label: string, why: string): Element {
  return element({ parent, key: "unknown", kind: "note", label, description: why, state: "unknown" });
}

const STATES = {
  missing: "not in what was read",
  forbidden: "may not be listed",
  failed: "could not be read",
} as const;

/** Why a part of the cluster is not known, in words; null when it is. */
export function whyUnknown(cluster: JudgedCluster, part: keyof JudgedCluster["model"]["parts"]): string | null {
  const state = cluster.model.parts[part];
  return state === "known" ? null : STATES[state];
}
