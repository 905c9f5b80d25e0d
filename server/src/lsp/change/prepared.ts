// LSP layer, changes: what was prepared and waits for a person's word. Only what is held here can be applied: a client
// sends an id, never a patch.
import { randomUUID } from "node:crypto";
import type { ObjectAddress } from "../../cluster/change.ts";
import type { JsonObject } from "../../kube/decode/reading.ts";
import type { JsonPatchStep } from "../../kube/json-patch.ts";
import type { Toleration } from "../../kube/toleration.ts";
import type { ClusterSource } from "../clusters/source.ts";

/** The patch of one object. */
export interface PreparedPatch {
  readonly address: ObjectAddress;
  readonly patch: readonly JsonPatchStep[];
  /** Whether an object that was read later has the change. */
  readonly isIn: (live: JsonObject) => boolean;
}

export interface Prepared {
  readonly source: Extract<ClusterSource, { readonly kind: "context" }>;
  /** Where the patches were dry-run; they are applied nowhere else. */
  readonly server: string;
  /** Applied one after the other. */
  readonly patches: readonly PreparedPatch[];
  /** `Cordon`, `tolerate dedicated=rdma:NoSchedule`. */
  readonly what: string;
  /** The rollout that follows; null where none does. */
  readonly rollout: PreparedRollout | null;
}

export interface PreparedRollout {
  readonly uid: string;
  readonly added: readonly Toleration[];
}

/** Milliseconds that a change may wait for its confirmation: what was read is old by then. */
const PATIENCE = 15 * 60_000;

/** Holds changes until they are taken, once. */
export class PreparedChanges {
  readonly #now: () => number;
  readonly #held = new Map<string, { readonly change: Prepared; readonly at: number }>();

  /** `now` in milliseconds, of a clock that only goes forward. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Holds a change; the id it is taken by. */
  hold(change: Prepared): string {
    this.#forget();
    const id = randomUUID();
    this.#held.set(id, { change, at: this.#now() });
    return id;
  }

  /** Hands a change out, once; null when it was taken, is too old, or never was. */
  take(id: string): Prepared | null {
    this.#forget();
    const held = this.#held.get(id);
    this.#held.delete(id);
    return held?.change ?? null;
  }

  #forget(): void {
    for (const [id, { at }] of this.#held) if (this.#now() - at > PATIENCE) this.#held.delete(id);
  }
}
