// Diagnostic `selector-unmatched`: no node carries what nodeSelector, node affinity or nodeName asks for.
import type { NodeSelectorRequirement } from "../../kube/node-selector.ts";
import type { Span } from "../../text/span.ts";
import { keySpanAt, nodeAt, shownSpan } from "../../yaml/locate.ts";
import type { YamlPath } from "../../yaml/tree.ts";
import type { Fix } from "../diagnostic.ts";
import { fill, listing } from "../fill.ts";
import { termsPath } from "../fixes/require-label.ts";
import { selectorFixes, valueFixes } from "../fixes/selector.ts";
import { type Asked, askedOf, meets, meetsAll } from "./asked.ts";
import type { JudgedCluster, NodeFacts } from "./judge.ts";
import { nearest } from "./nearest.ts";
import type { Found, PlacementRule, WorkloadContext } from "./rule.ts";

export const messages = {
  nodeName: "There is no node {name}.",
  selector: "No node has the label {label}. {hint}",
  requirement: "No node meets {requirement}. {hint}",
  jointly: "No node meets all of these requirements together.",
  otherValues: "Nodes carry {key} with {values}.",
  otherKeys: "Close labels: {keys}.",
  noKey: "No node carries {key}.",
  presence:
    "{names} carry {key} with {found}, which a selector for {wanted} does not match; use node affinity with operator Exists where only the label's presence matters.",
  autoscaler: "No such node now; {sign} may make one.",
} as const;

export const selectorUnmatched: PlacementRule = {
  code: "selector-unmatched",
  subject: "placement",
  check(context) {
    const known = context.clusters.filter((cluster) => cluster.groups().length > 0);
    const [first] = known;
    const asked = askedOf(context.item);
    if (first === undefined || known.length < context.clusters.length || asked.length === 0) return [];
    const admitted = known.some((cluster) => cluster.groups().some((group) => group.placement.verdict !== "affinity"));
    if (admitted) return known.flatMap((cluster) => presenceMisses(cluster, context));
    return failing(asked, known.flatMap(allNodes)).map((entry) => unmatched(entry, known, first, context));
  },
};

function allNodes(cluster: JudgedCluster): readonly NodeFacts[] {
  return cluster.groups().flatMap((group) => group.nodes.flatMap((name) => cluster.node(name) ?? []));
}

/** What no node meets even alone; where each is met by some node, the whole as one. */
function failing(asked: readonly Asked[], nodes: readonly NodeFacts[]): readonly (Asked | null)[] {
  const alone = asked.filter((entry) => !entry.alternative && !nodes.some((node) => meets(entry, node)));
  if (alone.length > 0) return alone;
  const terms = asked.filter((entry) => entry.alternative && !nodes.some((node) => meets(entry, node)));
  return terms.length > 0 ? terms : [null];
}

function unmatched(
  entry: Asked | null,
  clusters: readonly JudgedCluster[],
  first: JudgedCluster,
  context: WorkloadContext,
): Found {
  const sign = clusters.flatMap((cluster) => cluster.autoscalers())[0];
  const nodes = clusters.flatMap(allNodes);
  const keys = [...new Set(clusters.flatMap((cluster) => cluster.labelKeys()))];
  const note = sign === undefined ? [] : [fill(messages.autoscaler, { sign })];
  return {
    severity: sign === undefined && !isVariant(entry, context) ? "warning" : "information",
    span: entry === null ? selectionSpan(context) : spanOf(entry, context),
    message: [entry === null ? messages.jointly : sentence(entry, nodes, keys), ...note].join(" ").trim(),
    cluster: first.model.name,
    fixes: entry === null ? [] : fixesOf(entry, nodes, keys, context),
  };
}

/** A DaemonSet for another system or architecture: such variants are shipped together, and wait for nodes of their kind. */
function isVariant(entry: Asked | null, { item }: WorkloadContext): boolean {
  return entry !== null && item.workload.kind === "DaemonSet" && asksForSystem(entry);
}

/** Whether a system or architecture that there is was asked for: its image runs on no other. */
function asksForSystem({ requirement: { key, values } }: Asked): boolean {
  const known = SYSTEMS.get(key.replace(/^beta\./, ""));
  return known !== undefined && values.length > 0 && values.every((value) => known.has(value));
}

const SYSTEMS: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ["kubernetes.io/os", new Set(["linux", "windows"])],
  ["kubernetes.io/arch", new Set(["386", "amd64", "arm", "arm64", "loong64", "ppc64le", "riscv64", "s390x"])],
]);

function sentence({ where, requirement }: Asked, nodes: readonly NodeFacts[], keys: readonly string[]): string {
  if (where === "nodeName") return fill(messages.nodeName, { name: requirement.values.join() });
  if (where === "field") return fill(messages.requirement, { requirement: formatRequirement(requirement), hint: "" });
  const hint = hintOf(requirement, nodes, keys);
  if (where === "nodeSelector") {
    const [value] = requirement.values;
    return fill(messages.selector, { label: `${requirement.key}=${value ?? ""}`, hint });
  }
  return fill(messages.requirement, { requirement: formatRequirement(requirement), hint });
}

function formatRequirement({ key, operator, values }: NodeSelectorRequirement): string {
  return values.length === 0 ? `${key} ${operator}` : `${key} ${operator} [${values.join(", ")}]`;
}

function hintOf({ key }: NodeSelectorRequirement, nodes: readonly NodeFacts[], known: readonly string[]): string {
  const values = valuesOf(key, nodes);
  if (values.length > 0) {
    const shown = values.map((value) => (value === "" ? "an empty value" : value));
    return fill(messages.otherValues, { key, values: listing(shown, 5) });
  }
  const keys = nearest(key, known);
  return keys.length > 0 ? fill(messages.otherKeys, { keys: listing(keys) }) : fill(messages.noKey, { key });
}

function valuesOf(key: string, nodes: readonly NodeFacts[]): readonly string[] {
  return [
    ...new Set(nodes.flatMap((node) => (Object.hasOwn(node.labels, key) ? (node.labels[key] ?? []) : []))),
  ].sort();
}

function fixesOf(
  entry: Asked,
  nodes: readonly NodeFacts[],
  keys: readonly string[],
  context: WorkloadContext,
): readonly Fix[] {
  const { key } = entry.requirement;
  const values = valuesOf(key, nodes);
  if (entry.where === "nodeName" || asksForSystem(entry)) return [];
  if (values.length > 0) return valueFixes(entry, values, context);
  return selectorFixes(entry, nearest(key, keys), nodes, context);
}

/** Nodes that miss only because a label's value is empty where `true` is asked, or the other way round. */
function presenceMisses(cluster: JudgedCluster, context: WorkloadContext): readonly Found[] {
  const asked = askedOf(context.item);
  return asked.flatMap((entry): readonly Found[] => {
    const { key, values } = entry.requirement;
    const [wanted] = values;
    if (entry.where !== "nodeSelector" || (wanted !== "" && wanted !== "true")) return [];
    const other = wanted === "" ? "true" : "";
    const rest = asked.filter((each) => each !== entry);
    const names = allNodes(cluster)
      .filter((node) => node.labels[key] === other && meetsAll(rest, node))
      .map((node) => node.name);
    if (names.length === 0) return [];
    const quoted = (value: string): string => (value === "" ? "an empty value" : `"${value}"`);
    return [
      {
        severity: "information",
        span: spanOf(entry, context),
        message: fill(messages.presence, { names: listing(names), key, found: quoted(other), wanted: quoted(wanted) }),
        nodes: names,
        cluster: cluster.model.name,
        fixes: valueFixes(entry, [], context),
      },
    ];
  });
}

function spanOf({ path }: Asked, context: WorkloadContext): Span {
  const node = nodeAt(context.item.object, path);
  return node === null
    ? context.item.nameSpan
    : shownSpan(node.kind === "scalar" || node.flow ? node : keyOf(node, path, context));
}

/** Of a block requirement only its key's value is underlined. */
function keyOf(node: Parameters<typeof shownSpan>[0], path: YamlPath, { item }: WorkloadContext) {
  return nodeAt(item.object, [...path, "key"]) ?? node;
}

function selectionSpan({ item }: WorkloadContext): Span {
  const selector = keySpanAt(item.object, [...item.podSpecPath, "nodeSelector"]);
  const terms = keySpanAt(item.object, termsPath(item.podSpecPath));
  return selector ?? terms ?? item.nameSpan;
}
