// Diagnostic `toleration-duplicate`: the same toleration twice, or one that the DaemonSet controller adds anyway.
import { formatToleration } from "../../kube/toleration.ts";
import { impliedTolerations, sameToleration } from "../../scheduling/implied-tolerations.ts";
import { shownSpan } from "../../yaml/locate.ts";
import { fill } from "../fill.ts";
import { removeToleration } from "../fixes/remove-toleration.ts";
import type { Found, ManifestRule, WorkloadContext } from "./rule.ts";
import { type WrittenToleration, writtenTolerations } from "./written.ts";

export const messages = {
  twice: "{toleration} is listed twice; the first one counts.",
  seconds:
    "{toleration} is listed twice with different tolerationSeconds. For eviction the first one counts: keep the one that is meant.",
  implied: "The DaemonSet controller adds {toleration} to every pod of a DaemonSet by itself.",
  removeDuplicate: "Remove the duplicate toleration",
  removeImplied: "Remove the toleration that the controller adds anyway",
} as const;

export const tolerationDuplicate: ManifestRule = {
  code: "toleration-duplicate",
  subject: "manifest",
  check(context) {
    const list = writtenTolerations(context.item).filter((written) => written.node.kind === "mapping");
    return list.flatMap((written): readonly Found[] => {
      const first = list.find((earlier) => sameToleration(earlier.toleration, written.toleration));
      if (first !== undefined && first !== written) return [repeated(written, first, context)];
      return isImplied(written, context) ? [implied(written, context)] : [];
    });
  },
};

function repeated(written: WrittenToleration, first: WrittenToleration, context: WorkloadContext): Found {
  const exact = first.toleration.tolerationSeconds === written.toleration.tolerationSeconds;
  const toleration = formatToleration({ ...written.toleration, tolerationSeconds: null });
  return {
    severity: "hint",
    span: shownSpan(written.node),
    message: fill(exact ? messages.twice : messages.seconds, { toleration }),
    tags: exact ? ["unnecessary"] : [],
    related: [{ path: null, span: first.label, message: "The first one." }],
    fixes: exact ? removeToleration(context, written, messages.removeDuplicate, "safe") : [],
  };
}

/** Seconds on an implied toleration are another matter: `toleration-eviction` says that they are lost. */
function isImplied({ toleration }: WrittenToleration, { item }: WorkloadContext): boolean {
  if (item.workload.kind !== "DaemonSet" || toleration.tolerationSeconds !== null) return false;
  return impliedTolerations(item.workload.template).some((entry) => sameToleration(entry, toleration));
}

function implied(written: WrittenToleration, context: WorkloadContext): Found {
  return {
    severity: "hint",
    span: shownSpan(written.node),
    message: fill(messages.implied, { toleration: formatToleration(written.toleration) }),
    tags: ["unnecessary"],
    fixes: removeToleration(context, written, messages.removeImplied, "suggested"),
  };
}
