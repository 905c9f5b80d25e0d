// Coverage layer: a workload's rules read once against the nodes of an index. Types only.
import type { CompiledPlacement } from "../scheduling/place.ts";

/** What is known of one workload's rules on this cluster's nodes; it does not depend on taints. */
export interface PreparedWorkload {
  readonly placement: CompiledPlacement;
  /** Equal keys: equal rows. */
  readonly partitionKey: string;
  /** For each row whether it is admitted: 1 or 0. */
  readonly admitted: Uint8Array;
  /** For each row whether an empty node of it has too little of something: 1 or 0. */
  readonly short: Uint8Array;
  /** Equal keys: the same taints are tolerated. */
  readonly tolerationsKey: string;
}
