// LSP layer, changes: the requests that change a cluster.
import { type CancellationToken, type Connection, ResponseError } from "vscode-languageserver";
import {
  ApplyChange,
  type ApplyChangeResult,
  type ChangeId,
  FollowChange,
  type FollowChangeResult,
  PrepareFix,
  PrepareNodes,
  type PrepareNodesParams,
} from "../../../../shared/src/change.ts";
import type { RowTarget } from "../../../../shared/src/explorer.ts";
import type { RequestName } from "../../../../shared/src/protocol.ts";
import { answer } from "../boundary.ts";
import { applyPrepared } from "./apply.ts";
import { prepareFix } from "./fix.ts";
import { FollowedRollout } from "./follow.ts";
import type { ChangeSources } from "./live-target.ts";
import { prepareNodes } from "./nodes.ts";
import { PreparedChanges } from "./prepared.ts";

const FAILED = "Taintwise failed on this; see the log. Look at the cluster before you try again.";
/** Rollouts that are remembered; older ones are not asked for any more. */
const KEPT = 20;

/** Answers the requests from now on. */
export function registerChanges(connection: Connection, sources: ChangeSources): void {
  const now = (): number => performance.now();
  const held = new PreparedChanges(now);
  const rollouts = new Map<string, FollowedRollout>();
  const on = <Params, Result>(
    { method }: RequestName<Params, Result>,
    failed: Result,
    run: (params: Params, signal: AbortSignal) => Promise<Result>,
  ): void => {
    connection.onRequest(method, async (params: Params, token: CancellationToken): Promise<unknown> => {
      const result = await answer(method, sources.log, token, failed, () => cancellable(token, run, params));
      // The library answers with an error only when one is thrown.
      if (result instanceof ResponseError) throw result;
      return result;
    });
  };
  on(PrepareFix, { kind: "refused", reason: FAILED }, (row: RowTarget, signal) =>
    prepareFix(sources, held, row, signal),
  );
  on(PrepareNodes, { kind: "refused", reason: FAILED }, (params: PrepareNodesParams, signal) =>
    prepareNodes(sources, held, params, signal),
  );
  // A change that was sent cannot be called back: cancelling it would only hide what came of it.
  const never = new AbortController().signal;
  on(ApplyChange, { kind: "refused", message: FAILED }, async ({ id }: ChangeId): Promise<ApplyChangeResult> => {
    const prepared = held.take(id);
    const result = await applyPrepared(sources, prepared, never);
    const [first] = prepared?.patches ?? [];
    if (result.kind === "applied" && prepared?.rollout && first !== undefined) {
      rollouts.set(id, new FollowedRollout(sources, prepared, prepared.rollout, first.address, now));
      for (const old of [...rollouts.keys()].slice(0, -KEPT)) rollouts.delete(old);
    }
    return result;
  });
  const unknown: FollowChangeResult = { phase: "attention", summary: FAILED, report: null };
  on(FollowChange, unknown, async ({ id }: ChangeId, signal) => {
    const rollout = rollouts.get(id);
    return rollout === undefined ? unknown : rollout.look(signal);
  });
}

async function cancellable<Params, Result>(
  token: CancellationToken,
  run: (params: Params, signal: AbortSignal) => Promise<Result>,
  params: Params,
): Promise<Result> {
  const stop = new AbortController();
  const cancelled = token.onCancellationRequested(() => stop.abort());
  try {
    return await run(params, stop.signal);
  } finally {
    cancelled.dispose();
  }
}
