// LSP layer, changes: the rollout of a fix, looked at each time that the client asks. Asking stops where the client does.
import type { FollowChangeResult } from "../../../../shared/src/change.ts";
import { type RolloutPhase, type RolloutState, rolloutState } from "../../change/rollout.ts";
import { rolloutMarkdown } from "../../change/rollout-report.ts";
import { podsOf } from "../../change/workload-pods.ts";
import { formatAddress, type ObjectAddress } from "../../cluster/change.ts";
import { objectOf, textOf } from "../../kube/decode/reading.ts";
import { formatToleration } from "../../kube/toleration.ts";
import { writerFor } from "./apply.ts";
import { said } from "./fix.ts";
import type { ChangeSources } from "./live-target.ts";
import type { Prepared, PreparedRollout } from "./prepared.ts";

/** Milliseconds without any change after which nobody should go on waiting. */
const STALLED = 10 * 60_000;

/** One rollout, from its change on. */
export class FollowedRollout {
  readonly #sources: ChangeSources;
  readonly #prepared: Prepared;
  readonly #rollout: PreparedRollout;
  readonly #address: Exclude<ObjectAddress, { readonly kind: "Node" }>;
  readonly #now: () => number;
  #last: RolloutState = { phase: "rolling", summary: "The change is applied.", nodes: [] };
  #seen = "";
  #movedAt: number;

  /** `now` in milliseconds, of a clock that only goes forward. */
  constructor(
    sources: ChangeSources,
    prepared: Prepared,
    rollout: PreparedRollout,
    address: ObjectAddress,
    now: () => number,
  ) {
    this.#sources = sources;
    this.#prepared = prepared;
    this.#rollout = rollout;
    this.#address = address;
    this.#now = now;
    this.#movedAt = now();
  }

  /** How far it is now. */
  async look(signal: AbortSignal): Promise<FollowChangeResult> {
    const writer = writerFor(this.#sources, this.#prepared);
    if (typeof writer === "string")
      return this.#told("attention", `${writer.replace(/: nothing was changed\.$/, "")}: the rollout goes on unseen.`);
    const read = await writer.read(this.#address, signal);
    if (read.kind === "unreached") return this.#told("rolling", "", [`${said(read)} It is tried again.`]);
    if (read.kind === "refused") {
      const gone = read.status === 404;
      return this.#told("attention", gone ? "The object was deleted." : `It cannot be read any more: ${said(read)}`);
    }
    if (textOf(objectOf(read.object.metadata).uid) !== this.#rollout.uid) {
      return this.#told("attention", "The object was replaced by another one of this name.");
    }
    const { model } = this.#sources.pool.get(this.#prepared.source);
    const pods = model === null ? [] : podsOf(model, { uid: this.#rollout.uid });
    const { kind } = this.#address;
    if (kind === "Node") return this.#told("done", "");
    this.#last = rolloutState(kind, read.object, pods, this.#rollout.added);
    const seen = JSON.stringify(this.#last);
    if (seen !== this.#seen) this.#movedAt = this.#now();
    this.#seen = seen;
    const stalled = this.#last.phase === "rolling" && this.#now() - this.#movedAt > STALLED;
    if (stalled)
      return this.#told("attention", `${this.#last.summary} Nothing has moved for ${STALLED / 60_000} minutes.`);
    return this.#told(ENDS[this.#last.phase], this.#last.summary);
  }

  #told(phase: FollowChangeResult["phase"], summary: string, notes: readonly string[] = []): FollowChangeResult {
    const object = formatAddress(this.#address);
    const { source } = this.#prepared;
    const { model } = this.#sources.pool.get(source);
    const words = summary === "" ? this.#last.summary : summary;
    const setting = {
      object,
      context: source.context,
      added: this.#rollout.added.map(formatToleration).join(", "),
      podsKnown: model?.parts.pods === "known",
      notes: words === this.#last.summary ? notes : [words, ...notes],
    };
    const report = { title: `Rollout: ${this.#address.name}`, markdown: rolloutMarkdown(this.#last, setting) };
    return { phase, summary: words, report };
  }
}

const ENDS: Readonly<Record<RolloutPhase, FollowChangeResult["phase"]>> = {
  rolling: "rolling",
  done: "done",
  waits: "attention",
  failed: "attention",
  reverted: "attention",
};
