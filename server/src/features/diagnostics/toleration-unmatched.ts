// Diagnostic `toleration-unmatched`: no taint of any cluster matches the toleration.
import { matchesTaint } from "../../config/pattern.ts";
import { isControlPlaneTaint, isDeliberateTaint } from "../../coverage/deliberate-taints.ts";
import { isTransientTaint } from "../../coverage/transient-taints.ts";
import { formatTaint, isHardEffect, type Taint } from "../../kube/taint.ts";
import { formatToleration, type Toleration } from "../../kube/toleration.ts";
import { tolerates } from "../../scheduling/tolerates.ts";
import { validateTolerations } from "../../scheduling/validate-tolerations.ts";
import { fill } from "../fill.ts";
import { replaceFixes } from "../fixes/replace-toleration.ts";
import type { JudgedCluster } from "./judge.ts";
import { nearest } from "./nearest.ts";
import type { Found, PlacementRule, WorkloadContext } from "./rule.ts";
import { wouldStray } from "./strays.ts";
import { type WrittenToleration, writtenTolerations } from "./written.ts";

export const messages = {
  none: "No node has a taint that {toleration} matches.",
  near: "No node has a taint that {toleration} matches; {taint} is close.",
  placeholder: "To tolerate every taint leave out the key and write operator: Exists.",
  permits: "A toleration does not keep pods away from a node; it lets them in.",
  autoscaler: "No such node now; {sign} may make one.",
} as const;

/** Keys that examples use in place of a real one. */
const PLACEHOLDERS: ReadonlySet<string> = new Set(["key", "key1", "key2", "example-key", "my-key", "mykey"]);

export const tolerationUnmatched: PlacementRule = {
  code: "toleration-unmatched",
  subject: "placement",
  check(context) {
    const known = context.clusters.filter((cluster) => cluster.model.nodes.size > 0);
    if (known.length === 0 || known.length < context.clusters.length) return [];
    const taints = known.flatMap((cluster) => cluster.taints());
    return writtenTolerations(context.item)
      .filter(({ toleration }) => speaksOf(toleration, context))
      .filter(({ toleration }) => !taints.some((taint) => tolerates(toleration, taint, context.scheduling)))
      .map((written) => found(written, taints, known, context));
  },
};

/** Never of taints that come and go, of control planes, and of what is there for add-ons in general. */
function speaksOf(toleration: Toleration, { config, scheduling }: WorkloadContext): boolean {
  const { key, value } = toleration;
  if (key === "" || key === "CriticalAddonsOnly" || isControlPlaneTaint({ key })) return false;
  const taint = { key, value, effect: "NoSchedule" } as const;
  if (isTransientTaint(taint, config.transientTaints)) return false;
  if (config.ignoredTaints.some((pattern) => matchesTaint({ ...pattern, effect: null }, taint))) return false;
  return validateTolerations([toleration], "", scheduling).length === 0;
}

function found(
  written: WrittenToleration,
  taints: readonly Taint[],
  clusters: readonly JudgedCluster[],
  context: WorkloadContext,
): Found {
  const { toleration } = written;
  const meant = taintMeant(toleration, taints, context);
  const text = formatToleration(toleration);
  const notes: string[] = [];
  if (PLACEHOLDERS.has(toleration.key)) notes.push(messages.placeholder);
  if (meant !== null && isDeliberateTaint(meant, context.role)) notes.push(messages.permits);
  const sign = clusters.flatMap((cluster) => cluster.autoscalers())[0];
  if (sign !== undefined) notes.push(fill(messages.autoscaler, { sign }));
  const message =
    meant === null
      ? fill(messages.none, { toleration: text })
      : fill(messages.near, { toleration: text, taint: formatTaint(meant) });
  return {
    severity: meant === null ? "hint" : "information",
    span: written.label,
    message: [message, ...notes].join(" "),
    taints: meant === null ? [] : [formatTaint(meant)],
    ...(clusters[0] === undefined ? {} : { cluster: clusters[0].model.name }),
    fixes: meant === null || isUnwanted(meant, context) ? [] : replaceFixes(context, written, meant),
  };
}

/** A control-plane name under the wrong domain means the control plane's taint, however this cluster spells it. */
function controlPlaneTaint({ key }: Toleration, taints: readonly Taint[]): Taint | null {
  const name = key.slice(key.lastIndexOf("/") + 1);
  const meant = isControlPlaneTaint({ key: `node-role.kubernetes.io/${name}` });
  return meant ? (taints.find(isControlPlaneTaint) ?? null) : null;
}

/** Letting pods onto control planes, or into a pool where nothing would keep them, is no correction. */
function isUnwanted(taint: Taint, context: WorkloadContext): boolean {
  return isDeliberateTaint(taint, context.role) || (isHardEffect(taint.effect) && wouldStray(context));
}

/** The taint that was probably meant: the same key with a close value or another effect, else a close key. */
function taintMeant(toleration: Toleration, taints: readonly Taint[], { config }: WorkloadContext): Taint | null {
  const lasting = taints.filter((taint) => !isTransientTaint(taint, config.transientTaints));
  const { key, value, operator, effect } = toleration;
  const sameKey = lasting.filter((taint) => taint.key === key);
  const byEffect = sameKey.find((taint) => operator === "Exists" || taint.value === value);
  if (byEffect !== undefined) return byEffect;
  const sameEffect = sameKey.filter((taint) => effect === "" || taint.effect === effect);
  const [close] = nearest(
    value,
    sameEffect.map((taint) => taint.value),
  );
  const byValue = sameEffect.find((taint) => (value === "" && operator !== "Exists") || taint.value === close);
  if (byValue !== undefined) return byValue;
  const [closeKey] =
    sameKey.length > 0
      ? []
      : nearest(
          key,
          lasting.map((taint) => taint.key),
        );
  return lasting.find((taint) => taint.key === closeKey) ?? controlPlaneTaint(toleration, lasting);
}
