// Change layer: the patch that gives a live workload the tolerations it lacks, and whether it may be made at all.
import { type ChangeableKind, formatAddress, type ObjectAddress } from "../cluster/change.ts";
import { exactToleration } from "../coverage/toleration-patch.ts";
import type { JudgedCluster } from "../explorer/judged-cluster.ts";
import { fixFor, missingTolerations } from "../explorer/reports/workload-fix.ts";
import { schedulingOf } from "../features/diagnostics/judge.ts";
import { ownerOf } from "../features/fixes/owner.ts";
import { isObject, type JsonObject, listOf, objectOf, textOf } from "../kube/decode/reading.ts";
import { decodeWorkload } from "../kube/decode/workload.ts";
import type { JsonPatchStep } from "../kube/json-patch.ts";
import { workloadKind } from "../kube/kinds.ts";
import { formatTaint, type Taint } from "../kube/taint.ts";
import type { Toleration } from "../kube/toleration.ts";
import type { Workload } from "../kube/workload.ts";
import { anyTolerates } from "../scheduling/tolerates.ts";

/** Why nothing is done; a sentence. */
export interface Refusal {
  readonly refusal: string;
}

/** What is to be fixed, before the object itself was read. */
export interface WantedFix {
  readonly address: ObjectAddress;
  readonly uid: string;
  readonly taints: readonly Taint[];
}

/** The patch of one object as it was read. */
export interface FixPlan {
  readonly patch: readonly JsonPatchStep[];
  /** The tolerations that the patch adds. */
  readonly added: readonly Toleration[];
  /** The workload as it was read. */
  readonly workload: Workload;
}

const TOLERATIONS = "/spec/template/spec/tolerations";

/** Whether a workload of the model lacks a toleration that may be added to the live object. */
export function wantedFix(cluster: JudgedCluster, workload: Workload): WantedFix | Refusal {
  const { advice, owner } = fixFor(cluster, workload);
  const taints = missingTolerations(cluster, workload);
  if (taints.length === 0 || owner !== "") return { refusal: advice };
  const kind = changeable(workload.kind);
  if (kind === null || workload.name === null) {
    return {
      refusal: `${advice} Pods of a ${workload.kind} take no new template: change what makes it.`,
    };
  }
  return { address: { kind, namespace: workload.namespace, name: workload.name }, uid: workload.uid, taints };
}

function changeable(kind: string): Exclude<ChangeableKind, "Node"> | null {
  return kind === "DaemonSet" || kind === "Deployment" || kind === "StatefulSet" ? kind : null;
}

/**
 * The patch for the object as it is now: it tests that the object is the same one, that its specification is the one that
 * was read, and its list, then appends to the list.
 */
export function planFix(cluster: JudgedCluster, wanted: WantedFix, live: JsonObject): FixPlan | Refusal {
  const name = formatAddress(wanted.address);
  const metadata = objectOf(live.metadata);
  if (textOf(metadata.uid) !== wanted.uid) {
    return { refusal: `${name} was replaced by another object of this name. Look at it again before you change it.` };
  }
  if (metadata.deletionTimestamp !== undefined) return { refusal: `${name} is being deleted.` };
  const kind = workloadKind("apps/v1", wanted.address.kind);
  if (kind === null) return { refusal: `${name} has no pod template.` };
  const workload = decodeWorkload(live, kind);
  const owner = ownerOf(workload);
  if (owner !== null) {
    return { refusal: `${name} belongs to ${owner}, which would revert an edit: add the toleration there.` };
  }
  const scheduling = schedulingOf(cluster.config, cluster.model);
  const lacking = wanted.taints.filter((taint) => !anyTolerates(workload.template.tolerations, taint, scheduling));
  if (lacking.length === 0) {
    const list = wanted.taints.map(formatTaint).join(", ");
    return { refusal: `${name} tolerates ${list} by now; there is nothing to add.` };
  }
  const added = lacking.map(exactToleration);
  const spec = objectOf(objectOf(objectOf(live.spec).template).spec);
  return { patch: [...sameObject(metadata), ...append(listOf(spec.tolerations), added)], added, workload };
}

/** Holds as long as the object is the one that was read and nobody changed what it asks for; its status may go on. */
function sameObject(metadata: JsonObject): readonly JsonPatchStep[] {
  return [
    { op: "test", path: "/metadata/uid", value: metadata.uid },
    { op: "test", path: "/metadata/generation", value: metadata.generation ?? null },
  ];
}

function append(current: readonly unknown[], added: readonly Toleration[]): readonly JsonPatchStep[] {
  const values = added.map(written);
  if (current.length === 0) {
    return [
      { op: "test", path: TOLERATIONS, value: null },
      { op: "add", path: TOLERATIONS, value: values },
    ];
  }
  return [
    { op: "test", path: TOLERATIONS, value: current },
    ...values.map((value) => ({ op: "add" as const, path: `${TOLERATIONS}/-`, value })),
  ];
}

function written({ key, operator, value, effect }: Toleration): JsonObject {
  return { key, operator, ...(value === "" ? {} : { value }), effect };
}

/** Whether every one of the tolerations is still in the object's pod template. */
export function stillTolerates(live: JsonObject, added: readonly Toleration[]): boolean {
  const spec = objectOf(objectOf(objectOf(live.spec).template).spec);
  const entries = listOf(spec.tolerations).filter(isObject);
  return added.every(({ key, value, effect }) =>
    entries.some((entry) => entry.key === key && textOf(entry.value) === value && entry.effect === effect),
  );
}
