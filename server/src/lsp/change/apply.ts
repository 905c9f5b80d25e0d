// LSP layer, changes: applying what a person confirmed: exactly that, to the server that dry-ran it, once.
import type { ApplyChangeResult } from "../../../../shared/src/change.ts";
import { changedMeanwhile } from "../../change/conflict.ts";
import { formatAddress, type ObjectWriter } from "../../cluster/change.ts";
import { said } from "./fix.ts";
import { type ChangeSources, notAllowed, permitOf } from "./live-target.ts";
import type { Prepared, PreparedPatch } from "./prepared.ts";

const GONE = "This change is not held any more (it was applied, or waited too long). Prepare it again.";

/** The writer of the server that a change was prepared for; a sentence where that is not followed any more. */
export function writerFor(sources: ChangeSources, { source, server }: Prepared): ObjectWriter | string {
  const refusal = notAllowed(sources);
  if (refusal !== null) return refusal.reason;
  const writer = sources.pool.writer(source, permitOf(sources));
  if (writer === null) return `The context ${source.context} is not in use any more: nothing was changed.`;
  if (writer.server !== server) {
    return `The context ${source.context} leads to another server now (${writer.server}): nothing was changed.`;
  }
  return writer;
}

/** Applies the patches one after the other and stops at the first that does not succeed. */
export async function applyPrepared(
  sources: ChangeSources,
  prepared: Prepared | null,
  signal: AbortSignal,
): Promise<ApplyChangeResult> {
  if (prepared === null) return { kind: "refused", message: GONE };
  const writer = writerFor(sources, prepared);
  if (typeof writer === "string") return { kind: "refused", message: writer };
  const { source, what, patches } = prepared;
  const done: string[] = [];
  for (const each of patches) {
    const name = formatAddress(each.address);
    const problem = await applyOne(writer, each, signal);
    sources.log.info(`change in ${source.context}: ${name}: ${what}: ${problem ?? "applied"}`);
    if (problem !== null) {
      const before = done.length === 0 ? "" : ` Changed before that: ${done.join(", ")}.`;
      return { kind: "refused", message: `${name} was not changed: ${problem}${before}` };
    }
    done.push(name);
  }
  const message = `${done.join(", ")} in ${source.context}: ${what}. Done.`;
  return { kind: "applied", message, rollout: prepared.rollout !== null };
}

/** null where the change is in; else why it is not, or that nobody knows. */
async function applyOne(
  writer: ObjectWriter,
  { address, patch, isIn }: PreparedPatch,
  signal: AbortSignal,
): Promise<string | null> {
  const answer = await writer.apply(address, patch, signal);
  if (answer.kind === "object") return null;
  // Either the tests did not hold, of which the server says nothing, or the answer was lost: the object tells.
  const now = await writer.read(address, signal);
  if (answer.kind === "unreached") {
    if (now.kind !== "object")
      return `${said(answer)} Whether it arrived is not known: look at it before you try again.`;
    if (isIn(now.object)) return null;
    return `${said(answer)} It had not arrived a moment later: look at it before you try again.`;
  }
  const conflict = now.kind === "object" ? changedMeanwhile(now.object, patch) : null;
  return conflict === null
    ? said(answer)
    : `${conflict} since you looked. Nothing was overwritten; prepare the change again.`;
}
