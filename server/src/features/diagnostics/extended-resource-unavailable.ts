// Diagnostic `extended-resource-unavailable`: a requested extended resource that no node offers where the pod may run.
import { isExtendedResource } from "../../kube/resources.ts";
import type { Span } from "../../text/span.ts";
import { entryAt, itemsAt, shownSpan } from "../../yaml/locate.ts";
import { count, fill, listing } from "../fill.ts";
import { servedByDeviceClass } from "./device-class.ts";
import type { JudgedCluster, NodeFacts } from "./judge.ts";
import { nearest } from "./nearest.ts";
import type { Found, PlacementRule, WorkloadContext } from "./rule.ts";

export const messages = {
  absent: "No node that these pods may run on knows {resource}: it was never registered there. {hint}",
  zero: "{resource} is 0 on every node that these pods may run on ({names}) where it should be {capacity}: the device plugin is gone or its devices are unhealthy.",
  nothing: "{resource} is 0 on every node that these pods may run on ({names}). {hint}",
  near: "Nodes offer {names}: is one of them meant?",
  plugin: "Check the spelling, then the device plugin on these nodes.",
  elsewhere: "{nodes} that they may not run on offer it ({names}).",
  draUnknown: "A DeviceClass may serve it; DeviceClasses were not read.",
  dra: "A DeviceClass serves it, so nodes need not offer it.",
  autoscaler: "No such node now; {sign} may make one.",
} as const;

export const extendedResourceUnavailable: PlacementRule = {
  code: "extended-resource-unavailable",
  subject: "placement",
  check(context) {
    const requests = context.item.workload.template.requests;
    return Object.keys(requests)
      .filter((name) => isExtendedResource(name) && (requests[name] ?? 0) > 0)
      .flatMap((resource) => {
        const judged = context.clusters.map((cluster) => judge(resource, cluster, context));
        return judged.every((entry) => entry !== null) ? judged : [];
      });
  },
};

/** null where a node offers it, or where it cannot be told. */
function judge(resource: string, cluster: JudgedCluster, context: WorkloadContext): Found | null {
  const feasible = cluster
    .groups()
    .filter(
      ({ placement, hosting }) =>
        hosting === "hosts" && placement.verdict !== "affinity" && placement.untolerated.length === 0,
    );
  const names = feasible.flatMap((group) => group.nodes);
  const nodes = tableNodes(cluster, names);
  const unknown = nodes.some((node) => node.allocatable === null);
  const offered = nodes.some((node) => (node.allocatable?.[resource] ?? 0) > 0);
  if (nodes.length === 0 || unknown || offered) return null;
  const served = servedByDeviceClass(resource, cluster.model);
  const [sign] = cluster.autoscalers();
  const notes = [
    ...(served === "yes" ? [messages.dra] : served === "unknown" ? [messages.draUnknown] : []),
    ...(sign === undefined ? [] : [fill(messages.autoscaler, { sign })]),
  ];
  return {
    severity: served === "no" && sign === undefined ? "warning" : "information",
    span: placeOf(resource, context),
    message: [sentence(resource, cluster, names), ...notes].join(" "),
    nodes: names,
    cluster: cluster.model.name,
  };
}

function tableNodes(cluster: JudgedCluster, names: readonly string[]): readonly NodeFacts[] {
  return names.flatMap((name) => cluster.node(name) ?? []);
}

function sentence(resource: string, cluster: JudgedCluster, names: readonly string[]): string {
  const feasible = new Set(names);
  const capacity = Math.max(0, ...names.map((name) => cluster.model.nodes.get(name)?.capacity?.[resource] ?? 0));
  const list = listing(names);
  if (capacity > 0) return fill(messages.zero, { resource, names: list, capacity });
  const nodes = tableNodes(
    cluster,
    cluster.groups().flatMap((group) => group.nodes),
  );
  const elsewhere = nodes.filter((node) => !feasible.has(node.name) && (node.allocatable?.[resource] ?? 0) > 0);
  const hint =
    elsewhere.length > 0
      ? fill(messages.elsewhere, {
          nodes: count(elsewhere.length, "node"),
          names: listing(elsewhere.map((node) => node.name)),
        })
      : nameHint(resource, new Set(nodes.flatMap((node) => offeredBy(node.allocatable))));
  const registered = nodes.some((node) => feasible.has(node.name) && Object.hasOwn(node.allocatable ?? {}, resource));
  return registered
    ? fill(messages.nothing, { resource, names: list, hint })
    : fill(messages.absent, { resource, hint });
}

function offeredBy(allocatable: Readonly<Record<string, number>> | null): readonly string[] {
  return Object.entries(allocatable ?? {}).flatMap(([name, amount]) =>
    isExtendedResource(name) && amount > 0 ? [name] : [],
  );
}

/** Partitions and shares of the same vendor, or a close spelling. */
function nameHint(resource: string, offered: ReadonlySet<string>): string {
  const domain = resource.slice(0, resource.indexOf("/") + 1);
  const siblings = [...offered].filter((name) => name.startsWith(domain));
  const close = siblings.length > 0 ? siblings : nearest(resource, [...offered]);
  return close.length === 0 ? messages.plugin : fill(messages.near, { names: listing([...close].sort(), 5) });
}

/** The request's key in the first container that has it; the limit where there is no request. */
function placeOf(resource: string, { item }: WorkloadContext): Span {
  for (const list of ["containers", "initContainers"]) {
    for (const container of itemsAt(item.object, [...item.podSpecPath, list])) {
      const resources = entryAt(container, "resources")?.value ?? null;
      for (const part of ["limits", "requests"]) {
        const entry = entryAt(entryAt(resources, part)?.value ?? null, resource);
        if (entry !== null) return entry.merged ? item.nameSpan : shownSpan(entry.key);
      }
    }
  }
  return item.nameSpan;
}
