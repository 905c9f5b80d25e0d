// Cluster layer: what a change of an object of a live cluster is, and what came of it. How it is sent is the matter of
// cluster/live/write.
import type { JsonObject } from "../kube/decode/reading.ts";
import type { JsonPatchStep } from "../kube/json-patch.ts";

/** Kinds that are changed at all. */
export type ChangeableKind = "Node" | "DaemonSet" | "Deployment" | "StatefulSet";

export interface ObjectAddress {
  readonly kind: ChangeableKind;
  /** null for a Node. */
  readonly namespace: string | null;
  readonly name: string;
}

/** What came of a request for one object. */
export type ObjectAnswer =
  | {
      readonly kind: "object";
      readonly object: JsonObject;
      /** What the server said beside it (Warning headers): policies that only warn speak so. */
      readonly warnings: readonly string[];
    }
  /** The server said no, in its own words; nothing was changed. */
  | { readonly kind: "refused"; readonly status: number; readonly message: string }
  /** Nobody answered: of a patch it is not known whether it arrived. */
  | { readonly kind: "unreached"; readonly message: string };

/** Reads and patches single objects of one cluster. None of it rejects but for an abort of the signal. */
export interface ObjectWriter {
  /** The server that is written to, as the kubeconfig names it. */
  readonly server: string;
  read(address: ObjectAddress, signal: AbortSignal): Promise<ObjectAnswer>;
  /** What the object would be after the patch, admission included; nothing is stored. */
  dryRun(address: ObjectAddress, patch: readonly JsonPatchStep[], signal: AbortSignal): Promise<ObjectAnswer>;
  /** Patches the object; sent once and never again. */
  apply(address: ObjectAddress, patch: readonly JsonPatchStep[], signal: AbortSignal): Promise<ObjectAnswer>;
}

/** `DaemonSet kube-system/agent`, `Node rdma-1`. */
export function formatAddress({ kind, namespace, name }: ObjectAddress): string {
  return namespace === null ? `${kind} ${name}` : `${kind} ${namespace}/${name}`;
}
