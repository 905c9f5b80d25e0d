// LSP layer, changes: "Apply Fix to Cluster" up to its confirmation: the object is read, the patch made and dry-run.
import type { PrepareFixResult } from "../../../../shared/src/change.ts";
import type { RowTarget } from "../../../../shared/src/explorer.ts";
import { admissionChanges } from "../../change/difference.ts";
import { fixNotes } from "../../change/fix-notes.ts";
import { planFix, stillTolerates, wantedFix } from "../../change/fix-plan.ts";
import { objectYaml } from "../../change/object-yaml.ts";
import { formatAddress, type ObjectAnswer } from "../../cluster/change.ts";
import { workloadOf } from "../../explorer/reports/workload-fix.ts";
import { decodeWorkload } from "../../kube/decode/workload.ts";
import { workloadKind } from "../../kube/kinds.ts";
import { formatToleration } from "../../kube/toleration.ts";
import { type ChangeSources, liveTarget, refused } from "./live-target.ts";
import type { PreparedChanges } from "./prepared.ts";

/** Nothing is stored by it, here or there; `held` keeps what may be applied. */
export async function prepareFix(
  sources: ChangeSources,
  held: PreparedChanges,
  row: RowTarget,
  signal: AbortSignal,
): Promise<PrepareFixResult> {
  const target = liveTarget(sources, row.cluster);
  if ("kind" in target) return target;
  const { writer, source, key } = target;
  const judged = await sources.judged(key);
  const workload = judged === null ? null : workloadOf(judged, row);
  if (judged === null || workload === null) {
    return refused(`The cluster has no workload for ${row.name} that could be changed.`);
  }
  const wanted = wantedFix(judged, workload);
  if ("refusal" in wanted) return refused(wanted.refusal);
  const { address } = wanted;
  const name = formatAddress(address);
  const read = await writer.read(address, signal);
  if (read.kind !== "object") return refused(`${name} cannot be read: ${said(read)}`);
  const plan = planFix(judged, wanted, read.object);
  if ("refusal" in plan) return refused(plan.refusal);
  const dry = await writer.dryRun(address, plan.patch, signal);
  if (dry.kind !== "object") return refused(`The server's dry run refuses the change of ${name}: ${said(dry)}`);
  const kind = workloadKind("apps/v1", address.kind);
  const after = kind === null ? workload : decodeWorkload(dry.object, kind);
  const { touches, warnings } = fixNotes(judged, plan, read.object, after);
  const added = plan.added.map(formatToleration).join(", ");
  const what = `tolerate ${added}`;
  const id = held.hold({
    source,
    server: writer.server,
    patches: [{ address, patch: plan.patch, isIn: (live) => stillTolerates(live, plan.added) }],
    what,
    rollout: { uid: wanted.uid, added: plan.added },
  });
  return {
    kind: "ready",
    change: {
      id,
      context: source.context,
      server: writer.server,
      object: name,
      what,
      details: [
        touches,
        ...warnings,
        ...admissionChanges(read.object, plan.patch, dry.object).map((line) => `Admission changes it too: ${line}`),
        ...dry.warnings.map((words) => `The server warns: ${words}`),
      ],
    },
    before: objectYaml(read.object),
    after: objectYaml(dry.object),
  };
}

/** The server's words, or why there are none. */
export function said(answer: Exclude<ObjectAnswer, { readonly kind: "object" }>): string {
  if (answer.kind === "unreached") return `${answer.message}.`;
  const words = /[.!?…]$/.test(answer.message) ? answer.message : `${answer.message}.`;
  if (answer.status === 403) return `${words} The rights that a change takes: docs/rbac-changes.yaml.`;
  return answer.status === 0 ? words : `${words} (${answer.status})`;
}
