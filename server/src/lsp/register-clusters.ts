// LSP layer: what the client asks and tells about clusters and the check of the whole workspace.
import type { Connection } from "vscode-languageserver";
import {
  CheckWorkspace,
  GetClusterState,
  SelectCluster,
  type SelectClusterParams,
  TrustGranted,
} from "../../../shared/src/protocol.ts";
import { answer, orThrow, type ServerLog } from "./boundary.ts";
import type { ClusterSource } from "./clusters/source.ts";
import { checkSummary } from "./diagnostics/check-summary.ts";
import type { Publisher } from "./diagnostics/publisher.ts";
import type { Workspace } from "./workspace.ts";

export interface ClusterSurroundings {
  readonly log: ServerLog;
  readonly workspace: () => Workspace;
  /** null before the client introduced itself. */
  readonly publisher: () => Publisher | null;
  /** A person chose this source; also where it is in use already. */
  readonly onChosen: (source: ClusterSource) => Promise<void>;
  /** Opens the sources that are wanted now; resolves when they were read. */
  readonly refreshSources: () => Promise<void>;
  readonly onTrusted: () => void;
}

/** Registers the choice of a cluster, its state, trust, and the check of everything now. */
export function registerClusters(connection: Connection, around: ClusterSurroundings): void {
  const { log, workspace, publisher } = around;
  connection.onRequest(SelectCluster.method, async (params: SelectClusterParams, token) =>
    answer("select cluster", log, token, workspace().state, async () => {
      workspace().setChoice(params.choice);
      if (params.choice?.kind === "context") await Promise.all(workspace().sources.map(around.onChosen));
      await around.refreshSources();
      return workspace().state;
    }).then(orThrow),
  );
  connection.onRequest(GetClusterState.method, () => workspace().state);
  connection.onNotification(TrustGranted.method, around.onTrusted);
  connection.onRequest(CheckWorkspace.method, async (_params, token) =>
    answer("check workspace", log, token, checkSummary([], false), async () => {
      await publisher()?.checkNow(token, () => undefined);
      return checkSummary([...(publisher()?.files.values() ?? [])], publisher()?.truncated ?? false);
    }).then(orThrow),
  );
}
