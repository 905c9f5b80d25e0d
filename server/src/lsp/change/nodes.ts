// LSP layer, changes: cordon, uncordon and taint up to their confirmation: each node is read and dry-run, and the
// preflight tells what would come of it.
import type { PrepareNodesParams, PrepareNodesResult } from "../../../../shared/src/change.ts";
import { admissionChanges } from "../../change/difference.ts";
import { actionWords, type NodeAction, readNodeTaint } from "../../change/node-action.ts";
import { type DryRunOfNode, nodeChangeReport } from "../../change/node-notes.ts";
import { planNode } from "../../change/node-plan.ts";
import type { ObjectAddress } from "../../cluster/change.ts";
import { listSome } from "../../report/text-layout.ts";
import { readTarget } from "../reports/preflight-target.ts";
import { said } from "./fix.ts";
import { type ChangeSources, type LiveTarget, liveTarget, refused } from "./live-target.ts";
import type { PreparedChanges, PreparedPatch } from "./prepared.ts";

/** Nodes changed in one go: more are a change of a pool, which belongs to whoever makes its nodes. */
const MOST_NODES = 50;
/** Names in the question. */
const LISTED = 5;

/** Nothing is stored by it; `held` keeps what may be applied. */
export async function prepareNodes(
  sources: ChangeSources,
  held: PreparedChanges,
  params: PrepareNodesParams,
  signal: AbortSignal,
): Promise<PrepareNodesResult> {
  const target = liveTarget(sources, params.cluster);
  if ("kind" in target) return target;
  const { model, config, source, writer } = target;
  const meant = readTarget(params.target, [model]);
  if ("problem" in meant) return { kind: "invalid", field: "target", message: meant.problem };
  if (meant.nodes.length > MOST_NODES) {
    const message = `${meant.nodes.length} nodes are more than ${MOST_NODES}: change them where the pool is made.`;
    return { kind: "invalid", field: "target", message };
  }
  const action = params.action === "taint" ? readNodeTaint(params.taint) : { kind: params.action };
  if ("problem" in action) return { kind: "invalid", field: "taint", message: action.problem };
  const dry = await dryRunAll(target, meant.nodes, action, signal);
  if (typeof dry === "string") return refused(dry);
  if (dry.patches.length === 0) {
    return refused(
      `Nothing to do: ${listSome(meant.nodes, LISTED)} ${meant.nodes.length === 1 ? "is" : "are"} so already.`,
    );
  }
  const { title, markdown, touches } = nodeChangeReport(
    model,
    config,
    source.context,
    action,
    dry.changed,
    dry.unchanged,
  );
  const what = actionWords(action);
  const id = held.hold({ source, server: writer.server, patches: dry.patches, what, rollout: null });
  const object = listSome(
    dry.changed.map(({ name }) => name),
    LISTED,
  );
  const change = { id, context: source.context, server: writer.server, object, what, details: touches };
  return { kind: "ready", change, report: { title, markdown } };
}

interface DryRuns {
  readonly patches: readonly PreparedPatch[];
  readonly changed: readonly DryRunOfNode[];
  readonly unchanged: readonly string[];
}

/** A sentence where one of the nodes cannot be changed: then none is. */
async function dryRunAll(
  { model, writer }: LiveTarget,
  names: readonly string[],
  action: NodeAction,
  signal: AbortSignal,
): Promise<DryRuns | string> {
  const patches: PreparedPatch[] = [];
  const changed: DryRunOfNode[] = [];
  const unchanged: string[] = [];
  for (const name of names) {
    const address: ObjectAddress = { kind: "Node", namespace: null, name };
    const uid = model.nodes.get(name)?.uid ?? "";
    const read = await writer.read(address, signal);
    if (read.kind !== "object") return `The node ${name} cannot be read: ${said(read)}`;
    const plan = planNode(action, uid, read.object);
    if (plan.kind === "refusal") return plan.refusal;
    if (plan.kind === "unchanged") {
      unchanged.push(name);
      continue;
    }
    const dry = await writer.dryRun(address, plan.patch, signal);
    if (dry.kind !== "object") return `The server's dry run refuses the change of ${name}: ${said(dry)}`;
    const isIn: PreparedPatch["isIn"] = (live) => planNode(action, uid, live).kind === "unchanged";
    patches.push({ address, patch: plan.patch, isIn });
    const admission = [...admissionChanges(read.object, plan.patch, dry.object), ...dry.warnings];
    changed.push({ name, note: plan.note, admission });
  }
  return { patches, changed, unchanged };
}
