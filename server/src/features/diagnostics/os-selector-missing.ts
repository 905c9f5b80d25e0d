// Diagnostic `os-selector-missing`: pods go to nodes of several operating systems, and the manifest does not choose.
import { statedOs } from "../../coverage/hosting.ts";
import type { Fix } from "../diagnostic.ts";
import { fill, listing } from "../fill.ts";
import { fixOf } from "../fixes/fix.ts";
import { selectLabel } from "../fixes/require-label.ts";
import type { Found, PlacementRule, WorkloadContext } from "./rule.ts";

export const messages = {
  missing:
    "Without a kubernetes.io/os selector these pods also go to {os} nodes ({names}), where an image for another system cannot start.",
  select: "Select {os} nodes: add kubernetes.io/os to the nodeSelector",
} as const;

/** Only where nodes of that system take the pods; else nothing would be left of them. */
function selectFix(context: WorkloadContext, os: string): readonly Fix[] {
  return fixOf(fill(messages.select, { os }), selectLabel(context, "kubernetes.io/os", os), "suggested", true);
}

export const osSelectorMissing: PlacementRule = {
  code: "os-selector-missing",
  subject: "placement",
  check(context) {
    const { workload, nameSpan } = context.item;
    const { template } = workload;
    if (template.nodeName !== "" || statedOs({ ...template, os: "" }) !== null) return [];
    const wanted = template.os === "" ? "linux" : template.os;
    return context.clusters.flatMap((cluster): readonly Found[] => {
      const admitted = new Set<string>();
      const reached = new Map<string, string[]>();
      for (const { placement, host, nodes, hosting } of cluster.groups()) {
        if (placement.verdict === "affinity" || host.os === null || hosting === "virtual") continue;
        admitted.add(host.os);
        if (placement.verdict !== "run" && placement.verdict !== "fits") continue;
        const names = reached.get(host.os) ?? [];
        names.push(...nodes);
        reached.set(host.os, names);
      }
      const foreign = [...reached].filter(([os]) => os !== wanted);
      // A selector that admits one system only has chosen, whatever its label.
      if (admitted.size < 2 || foreign.length === 0) return [];
      const names = foreign.flatMap(([, nodes]) => nodes);
      return [
        {
          severity: "warning",
          span: nameSpan,
          message: fill(messages.missing, { os: foreign.map(([os]) => os).join(" and "), names: listing(names) }),
          nodes: names,
          cluster: cluster.model.name,
          fixes: reached.has(wanted) ? selectFix(context, wanted) : [],
        },
      ];
    });
  },
};
