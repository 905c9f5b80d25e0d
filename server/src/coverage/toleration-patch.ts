// Coverage layer: the toleration that a taint asks for, and the patches that add it to live objects.
import { shellLine } from "../../../shared/src/shell.ts";
import { workloadKind } from "../kube/kinds.ts";
import type { Taint } from "../kube/taint.ts";
import type { Toleration } from "../kube/toleration.ts";
import type { Workload } from "../kube/workload.ts";

/** A toleration as the API spells it; absent fields are empty. */
export interface ApiToleration {
  readonly key?: string;
  readonly operator?: string;
  readonly value?: string;
  readonly effect?: string;
  readonly tolerationSeconds?: number;
}

/** One step of a JSON patch (RFC 6902). */
export type PatchStep =
  | { readonly op: "test"; readonly path: string; readonly value: readonly ApiToleration[] | null }
  | { readonly op: "add"; readonly path: string; readonly value: ApiToleration | readonly ApiToleration[] };

/** A patch of one live object. */
export interface TolerationPatch {
  readonly workload: Workload;
  readonly patch: readonly PatchStep[];
  /** The same for a POSIX shell. */
  readonly command: string;
}

/** The exact toleration of a taint: `Equal` with its value, `Exists` where it has none, without an end. */
export function exactToleration(taint: Pick<Taint, "key" | "value" | "effect">): Toleration {
  const operator = taint.value === "" ? "Exists" : "Equal";
  return { key: taint.key, operator, value: taint.value, effect: taint.effect, tolerationSeconds: null };
}

/**
 * The patch that adds the tolerations of these taints to a live workload; null for a Pod, whose list the API keeps, and
 * for one without a name, and for a Job that runs, whose template cannot be changed. The patch first tests that the list,
 * or its absence, still is what was read.
 */
export function tolerationPatch(workload: Workload, taints: readonly Taint[]): TolerationPatch | null {
  const kind = workloadKind(workload.group === "" ? "v1" : `${workload.group}/v1`, workload.kind);
  if (kind === null || kind.kind === "Pod" || workload.name === null || taints.length === 0) return null;
  if (kind.kind === "Job" && !workload.suspended) return null;
  const path = `/${[...kind.podSpecPath, "tolerations"].join("/")}`;
  const added = taints.map((taint) => apiToleration(exactToleration(taint)));
  const current = workload.template.tolerations.map(apiToleration);
  const patch: readonly PatchStep[] =
    current.length === 0
      ? [
          // Adding a member replaces one that is there: the test of null holds only while there is none.
          { op: "test", path, value: null },
          { op: "add", path, value: added },
        ]
      : [
          { op: "test", path, value: current },
          ...added.map((value) => ({ op: "add" as const, path: `${path}/-`, value })),
        ];
  return { workload, patch, command: patchCommand(workload.kind, workload.namespace, workload.name, patch) };
}

function apiToleration(toleration: Toleration): ApiToleration {
  const { key, operator, value, effect, tolerationSeconds } = toleration;
  return {
    ...(key === "" ? {} : { key }),
    ...(operator === "" ? {} : { operator }),
    ...(value === "" ? {} : { value }),
    ...(effect === "" ? {} : { effect }),
    ...(tolerationSeconds === null ? {} : { tolerationSeconds }),
  };
}

function patchCommand(kind: string, namespace: string | null, name: string, patch: readonly PatchStep[]): string {
  const words = ["kubectl", "patch", kind.toLowerCase(), name];
  if (namespace !== null) words.push("--namespace", namespace);
  return shellLine([...words, "--type=json", "--patch", JSON.stringify(patch)], "posix");
}
