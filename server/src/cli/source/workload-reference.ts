// Command-line layer: workloads named on the command line: Kind/name or Kind/namespace/name.
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { WORKLOAD_KINDS } from "../../kube/kinds.ts";
import type { ObjectRef } from "../../kube/workload.ts";

export interface WorkloadReference {
  /** As it was written. */
  readonly text: string;
  readonly matches: (ref: ObjectRef) => boolean;
}

/** kubectl's short names, and the kinds in any case, with or without an s. */
const SHORT_NAMES: Readonly<Record<string, string>> = {
  po: "Pod",
  deploy: "Deployment",
  ds: "DaemonSet",
  sts: "StatefulSet",
  rs: "ReplicaSet",
  rc: "ReplicationController",
  cj: "CronJob",
};

/** Reads an operand as a reference; null when it names a file or folder that is there, or no kind of workload. */
export function readReference(operand: string, cwd: string): WorkloadReference | null {
  const parts = operand.split("/");
  const [word = "", second = "", third] = parts;
  if (parts.length < 2 || parts.length > 3 || existsSync(resolve(cwd, operand))) return null;
  const kind = kindOf(word);
  if (kind === null || second === "") return null;
  const namespace = third === undefined ? null : second;
  const name = third ?? second;
  return {
    text: operand,
    matches: (ref) =>
      ref.kind === kind &&
      ref.name === name &&
      (namespace === null || ref.namespace === null || ref.namespace === namespace),
  };
}

function kindOf(word: string): string | null {
  const lower = word.toLowerCase();
  const short = Object.hasOwn(SHORT_NAMES, lower) ? SHORT_NAMES[lower] : undefined;
  const long = WORKLOAD_KINDS.find(({ kind }) => kind.toLowerCase() === lower || `${kind.toLowerCase()}s` === lower);
  return short ?? long?.kind ?? null;
}
