// Diagnostic `template-drift`: the live DaemonSet places its pods by other rules than the file says.
import { isDeepStrictEqual } from "node:util";
import type { PodSpec } from "../../kube/pod-spec.ts";
import { formatToleration } from "../../kube/toleration.ts";
import { formatRef, workloadRef } from "../../kube/workload.ts";
import { fill, listing } from "../fill.ts";
import type { Found, ManifestRule } from "./rule.ts";

export const messages = {
  drift: "The live {workload} differs from this file: {differences}. Apply the file, or bring the change into it.",
  lacks: "it lacks {items}",
  has: "it also has {items}",
  selector: "its nodeSelector is {live}, here it is {file}",
  affinity: "its required node affinity is another one",
} as const;

/** Only a cluster that is (or was) followed is compared: a dump is meant to be older than the edit. */
export const templateDrift: ManifestRule = {
  code: "template-drift",
  subject: "manifest",
  check({ item, clusters }) {
    if (item.workload.kind !== "DaemonSet") return [];
    return clusters.flatMap(({ model, coverage }): readonly Found[] => {
      if (model.origin !== "live" && model.origin !== "cache") return [];
      if (coverage.live.state !== "matched") return [];
      const { workload } = coverage.live;
      const differences = driftOf(item.workload.template, workload.template);
      if (differences.length === 0) return [];
      const message = fill(messages.drift, {
        workload: formatRef(workloadRef(workload)),
        differences: differences.join("; "),
      });
      return [{ severity: "information", span: item.nameSpan, message, cluster: model.name }];
    });
  },
};

/** What differs, in words; tolerations are compared whatever their order. */
function driftOf(file: PodSpec, live: PodSpec): readonly string[] {
  const [written, running] = [file.tolerations.map(formatToleration), live.tolerations.map(formatToleration)];
  const lacks = written.filter((each) => !running.includes(each));
  const has = running.filter((each) => !written.includes(each));
  const differences: string[] = [];
  if (lacks.length > 0) differences.push(fill(messages.lacks, { items: listing(lacks) }));
  if (has.length > 0) differences.push(fill(messages.has, { items: listing(has) }));
  if (!isDeepStrictEqual(file.nodeSelector, live.nodeSelector)) {
    differences.push(fill(messages.selector, { live: pairs(live.nodeSelector), file: pairs(file.nodeSelector) }));
  }
  if (!isDeepStrictEqual(file.requiredAffinity, live.requiredAffinity)) differences.push(messages.affinity);
  return differences;
}

function pairs(selector: Readonly<Record<string, string>>): string {
  const found = Object.entries(selector).map(([key, value]) => `${key}=${value}`);
  return found.length === 0 ? "empty" : found.sort().join(",");
}
