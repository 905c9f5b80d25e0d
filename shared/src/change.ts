// Shared by client and server: commands that change a cluster. Two steps each: something is prepared (read, and dry-run by
// the server), a person confirms it, and then exactly that is applied, once. Off unless a setting allows it.
import type { RowTarget } from "./explorer.ts";
import type { Report, RequestName } from "./protocol.ts";

/** Why nothing was prepared. */
export type NotPrepared =
  /** Changes are not allowed: a sentence that says how to allow them. */
  | { readonly kind: "off"; readonly reason: string }
  /** It cannot or must not be done; a sentence, or several. */
  | { readonly kind: "refused"; readonly reason: string };

/** What is applied as it stands when a person says so. */
export interface PreparedChange {
  /** Known to the server that prepared it, for a quarter of an hour. */
  readonly id: string;
  /** The context's name and where it leads. */
  readonly context: string;
  readonly server: string;
  /** `DaemonSet kube-system/agent`, `rdma-1, rdma-2`. */
  readonly object: string;
  /** What is done: `tolerate dedicated=rdma:NoSchedule`, `Cordon`. */
  readonly what: string;
  /** What it touches, what admission adds, what to mind; a sentence each. */
  readonly details: readonly string[];
}

/** Client → server: gives the live workload of a row the tolerations that it lacks; a dry run. */
export const PrepareFix: RequestName<RowTarget, PrepareFixResult> = { method: "taintwise/prepareFix" };
export type PrepareFixResult =
  | NotPrepared
  | {
      readonly kind: "ready";
      readonly change: PreparedChange;
      /** The live object before and after the dry run, as YAML. */
      readonly before: string;
      readonly after: string;
    };

/** Client → server: cordons, uncordons or taints nodes; a dry run, with the preflight. */
export const PrepareNodes: RequestName<PrepareNodesParams, PrepareNodesResult> = { method: "taintwise/prepareNodes" };
export interface PrepareNodesParams {
  /** The key of the cluster; null: the only live one in use. */
  readonly cluster: string | null;
  /** Node names separated by commas, or a label selector. */
  readonly target: string;
  readonly action: NodeActionName;
  /** For `taint`, as kubectl writes it; `-` behind takes it off. Else empty. */
  readonly taint: string;
}
export type NodeActionName = "cordon" | "uncordon" | "taint";
export type PrepareNodesResult =
  | NotPrepared
  | { readonly kind: "invalid"; readonly field: "target" | "taint"; readonly message: string }
  | { readonly kind: "ready"; readonly change: PreparedChange; readonly report: Report };

/** Client → server: applies what was prepared, after a person confirmed it. */
export const ApplyChange: RequestName<ChangeId, ApplyChangeResult> = { method: "taintwise/applyChange" };
export interface ChangeId {
  readonly id: string;
}
export type ApplyChangeResult =
  | {
      readonly kind: "applied";
      /** A sentence. */
      readonly message: string;
      /** Whether FollowChange tells of a rollout. */
      readonly rollout: boolean;
    }
  | { readonly kind: "refused"; readonly message: string };

/** Client → server: how far the rollout of an applied fix has come. */
export const FollowChange: RequestName<ChangeId, FollowChangeResult> = { method: "taintwise/followChange" };
export interface FollowChangeResult {
  /** `rolling` goes on; everything else is the end. */
  readonly phase: "rolling" | "done" | "attention";
  /** One sentence. */
  readonly summary: string;
  /** null where nothing is known of it any more. */
  readonly report: Report | null;
}
