// Explorer layer, node rows: the section "Extended resources": what the numbers mean, and what an earlier snapshot had.
import type { RowState } from "../../../../shared/src/explorer.ts";
import { formatAmount } from "../../scheduling/amount.ts";
import { familyAllocatable, namedOn, type Offer, offerOf, servedByClaims } from "../../triage/facts/resources.ts";
import { type Element, element, gravest, stateOf } from "../element.ts";
import { absenceOf } from "../flap-text.ts";
import { type OpenedNode, type Section, whyUnknown } from "./section.ts";

/** One row per extended resource that the node names, should offer, or offered in the baseline. */
export function resourceSection(opened: OpenedNode): Section {
  return {
    key: "resources",
    label: "Extended resources",
    description: "",
    rows: (id) => namesOf(opened).map((name) => resourceElement(id, opened, name)),
  };
}

function namesOf({ cluster, facts }: OpenedNode): readonly string[] {
  const before = cluster.baseline?.nodes.get(facts.name);
  const names = new Set([
    ...namedOn(facts.node),
    ...(before === undefined ? [] : namedOn(before)),
    ...cluster.facts.index.lacks(facts).map((lack) => lack.resource),
  ]);
  return [...names].sort();
}

function resourceElement(parent: string, opened: OpenedNode, name: string): Element {
  const { cluster, facts } = opened;
  const offer = offerOf(facts.node, name);
  const requested = cluster.facts.index.requested(facts)[name] ?? 0;
  const podsUnknown = whyUnknown(cluster, "pods") !== null;
  const amount = (value: number | null) => (value === null ? "absent" : formatAmount(name, value));
  const numbers =
    offer.capacity === null && offer.allocatable === null
      ? "not named by the node"
      : `${amount(offer.allocatable)} of ${amount(offer.capacity)}`;
  const asked = podsUnknown ? "requested: unknown" : `${formatAmount(name, requested)} requested`;
  const lately = absenceOf(cluster, facts.name, `resource ${name}`);
  const reading = meaningOf(opened, name, offer, requested);
  return element({
    parent,
    key: name,
    kind: "resource",
    label: name,
    description: [numbers, asked, reading.text, lately?.text ?? "", changeText(opened, name, offer)]
      .filter((part) => part !== "")
      .join(" · "),
    tooltip: [
      `Capacity ${amount(offer.capacity)}, Allocatable ${amount(offer.allocatable)}, ${asked}`,
      reading.text,
      ...cluster.facts.index
        .lacks(facts)
        .filter((lack) => lack.resource === name)
        .flatMap((lack) => lack.expectations.map((expectation) => `Expected: ${expectation.text}`)),
    ],
    state: lately?.flaps === true ? gravest([reading.state, "warning"]) : reading.state,
  });
}

interface Reading {
  readonly text: string;
  readonly state: RowState;
}

/**
 * What the pair of numbers says. Source: k8s.io/kubernetes/pkg/kubelet/cm/devicemanager GetCapacity: a stopped plugin
 * keeps its capacity for five minutes, unhealthy devices leave only Allocatable.
 */
function meaningOf(opened: OpenedNode, name: string, offer: Offer, requested: number): Reading {
  const { cluster, facts } = opened;
  const { capacity, allocatable } = offer;
  const told = foundState(opened, name);
  if ((allocatable ?? 0) === 0) {
    if (servedByClaims(cluster.facts, facts.name, name)) return { text: "served through claims (DRA)", state: "plain" };
    if (familyAllocatable(facts.node, name) > 0) {
      return { text: "offered under a sibling's name (partitions or shares)", state: told ?? "plain" };
    }
  }
  if (facts.node.allocatable === null && facts.node.capacity === null) return { text: "", state: "unknown" };
  if (capacity === null && allocatable === null) {
    return { text: "its plugin never registered since the node object was made", state: told ?? "plain" };
  }
  if ((capacity ?? 0) === 0) {
    if (told === null && requested === 0) return { text: "a leftover that nobody requests", state: "plain" };
    return {
      text: "its plugin is gone for more than 5 minutes, or did not register again after the kubelet restarted",
      state: told ?? "warning",
    };
  }
  if ((allocatable ?? 0) === 0) {
    return {
      text: "its plugin is gone for less than 5 minutes, or every device is unhealthy",
      state: told ?? "warning",
    };
  }
  const lost = (capacity ?? 0) - (allocatable ?? 0);
  if (lost > 0) return { text: `${formatAmount(name, lost)} unhealthy: hardware or driver`, state: told ?? "warning" };
  if (requested > (allocatable ?? 0)) {
    return { text: "pods from before a loss still hold devices", state: told ?? "warning" };
  }
  return { text: "", state: told ?? "good" };
}

/** The severity of what triage says of this resource; null when it says nothing. */
function foundState({ triage }: OpenedNode, name: string): RowState | null {
  for (const finding of triage.findings) {
    if (!finding.code.startsWith("extended-resource-")) continue;
    const item = finding.items.find(({ message }) => namesResource(message, name));
    if (item !== undefined) return stateOf(item.severity);
  }
  return null;
}

/** Whether the sentence speaks of this resource and not of one whose name it begins. */
function namesResource(message: string, name: string): boolean {
  return message.split(/[\s,:;()"]+/).some((word) => word.replace(/\.$/, "") === name);
}

/** `was 8 in the snapshot`; empty without a baseline or a change. */
function changeText({ cluster, facts }: OpenedNode, name: string, offer: Offer): string {
  const before = cluster.baseline?.nodes.get(facts.name);
  if (before === undefined) return "";
  const earlier = before.allocatable?.[name] ?? null;
  if (earlier === offer.allocatable) return "";
  return earlier === null ? "new since the snapshot" : `was ${formatAmount(name, earlier)} in the snapshot`;
}
