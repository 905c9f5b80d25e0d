// LSP layer, changes: the live cluster that a change is meant for, and whether it may be changed at all.
import type { NotPrepared } from "../../../../shared/src/change.ts";
import type { ObjectWriter } from "../../cluster/change.ts";
import { ChangePermit } from "../../cluster/live/write/permit.ts";
import type { ClusterModel } from "../../cluster/model.ts";
import type { WorkspaceConfig } from "../../config/workspace.ts";
import type { JudgedCluster } from "../../explorer/judged-cluster.ts";
import type { ServerLog } from "../boundary.ts";
import type { ClusterPool } from "../clusters/cluster-pool.ts";
import { type ClusterSource, sourceKey } from "../clusters/source.ts";
import type { Workspace } from "../workspace.ts";

/** What changes are made from; functions, since all of it changes. */
export interface ChangeSources {
  readonly log: ServerLog;
  readonly pool: ClusterPool;
  readonly workspace: () => Workspace;
  /** The setting, of the person or the machine. */
  readonly allowed: () => boolean;
  readonly trusted: () => boolean;
  /** The judged cluster of a key. */
  readonly judged: (key: string) => Promise<JudgedCluster | null>;
}

export type ContextSource = Extract<ClusterSource, { readonly kind: "context" }>;

/** A cluster that can be changed now. */
export interface LiveTarget {
  readonly source: ContextSource;
  readonly key: string;
  readonly model: ClusterModel;
  readonly config: WorkspaceConfig;
  readonly writer: ObjectWriter;
}

const OFF =
  "Commands that change a cluster are off: turn on the setting taintwise.cluster.allowChanges (of the user or the machine) to allow them.";
const UNTRUSTED = "The workspace is not trusted, so no cluster is changed from it.";

/** null where changes are allowed. */
export function notAllowed({ allowed, trusted }: ChangeSources): NotPrepared | null {
  if (!trusted()) return { kind: "refused", reason: UNTRUSTED };
  return allowed() ? null : { kind: "off", reason: OFF };
}

/** Leave to change something, for as long as setting and trust hold. */
export function permitOf({ allowed, trusted }: ChangeSources): ChangePermit {
  return new ChangePermit(() => allowed() && trusted());
}

/** @param key the cluster's; null: the only live one in use */
export function liveTarget(sources: ChangeSources, key: string | null): LiveTarget | NotPrepared {
  const refusal = notAllowed(sources);
  if (refusal !== null) return refusal;
  const used = sources.workspace().sources;
  const contexts = used.filter((source): source is ContextSource => source.kind === "context");
  const named = key === null ? contexts : contexts.filter((source) => sourceKey(source) === key);
  const [source] = named;
  if (source === undefined) {
    return refused("Only a live cluster can be changed: choose a context of the kubeconfig with Select Cluster.");
  }
  if (named.length > 1) {
    const names = named.map(({ context }) => context).join(", ");
    return refused(`Several contexts are in use (${names}): use the command on a row of the one that you mean.`);
  }
  return targetOf(sources, source);
}

function targetOf(sources: ChangeSources, source: ContextSource): LiveTarget | NotPrepared {
  const { model } = sources.pool.get(source);
  const config = model === null ? undefined : sources.workspace().clusters.get(model)?.config;
  if (model === null || config === undefined) return refused(`The context ${source.context} was not read yet.`);
  const writer = sources.pool.writer(source, permitOf(sources));
  if (model.origin !== "live" || writer === null) {
    return refused(
      `The context ${source.context} is not connected: what is shown is a memory, and nothing is changed by a memory.`,
    );
  }
  return { source, key: sourceKey(source), model, config, writer };
}

/** A change that is not prepared; `reason` is a whole sentence for the person who asked. */
export function refused(reason: string): NotPrepared {
  return { kind: "refused", reason };
}
