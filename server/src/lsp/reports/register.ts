// LSP layer: the requests of our own protocol that answer with reports and choices.
import { type CancellationToken, type Connection, ResponseError } from "vscode-languageserver";
import {
  type DocumentPlace,
  Explain,
  type ExplainParams,
  GetContexts,
  GetNodes,
  KubectlPatch,
  NodeView,
  type NodeViewParams,
  Preflight,
  type PreflightParams,
  type RequestName,
} from "../../../../shared/src/protocol.ts";
import type { Settings } from "../../../../shared/src/settings.ts";
import type { JudgeMemo } from "../../features/diagnostics/judge.ts";
import { answer, type ServerLog } from "../boundary.ts";
import { nodeText } from "../clusters/node-documents.ts";
import type { ManifestSource } from "../documents/all-manifests.ts";
import type { AnalysedDocument } from "../documents/analysed.ts";
import type { Workspace } from "../workspace.ts";
import { answerContexts } from "./contexts.ts";
import { answerExplain } from "./explain.ts";
import { answerKubectlPatch } from "./kubectl-patch.ts";
import { nodeChoices } from "./node-choices.ts";
import { answerPreflight } from "./preflight.ts";

/** What the answers are made from; functions, since all of it changes. */
export interface ReportSources {
  readonly log: ServerLog;
  readonly memo: JudgeMemo;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly workspace: () => Workspace;
  /** The document as it is now; null when it is not open. */
  readonly analysed: (uri: string) => AnalysedDocument | null;
  readonly manifests: () => ManifestSource;
  readonly settings: () => Settings;
  readonly trusted: () => boolean;
}

const FAILED = "Taintwise failed on this; see the log.";

/** Answers the requests from now on. */
export function registerReports(connection: Connection, sources: ReportSources): void {
  const { log, memo } = sources;
  const on = <Params, Result>(
    { method }: RequestName<Params, Result>,
    failed: Result,
    run: (params: Params, token: CancellationToken) => Result | Promise<Result>,
  ): void => {
    connection.onRequest(method, async (params: Params, token: CancellationToken): Promise<unknown> => {
      const result = await answer(method, log, token, failed, () => run(params, token));
      // The library answers with an error only when one is thrown.
      if (result instanceof ResponseError) throw result;
      return result;
    });
  };

  on(Explain, { kind: "none", reason: FAILED }, ({ uri, position }: ExplainParams) =>
    answerExplain(sources.analysed(uri), position, memo),
  );
  on(KubectlPatch, { kind: "none", reason: FAILED }, ({ uri, position }: DocumentPlace) =>
    answerKubectlPatch(sources.analysed(uri), position, memo),
  );
  on(GetNodes, { nodes: [], selectors: [], taints: [] }, () => nodeChoices([...sources.workspace().clusters.keys()]));
  on(Preflight, { kind: "invalid", field: "cluster", message: FAILED }, (params: PreflightParams, token) => {
    const clusters = [...sources.workspace().clusters].map(([cluster, { config }]) => ({ cluster, config }));
    return answerPreflight(params, clusters, sources.manifests(), token);
  });
  on(GetContexts, { contexts: [], problems: [FAILED] }, () =>
    answerContexts({
      kubeconfig: sources.settings().cluster.kubeconfig,
      environment: sources.environment,
      trusted: sources.trusted(),
    }),
  );
  on(NodeView, { text: "" }, ({ uri }: NodeViewParams) => {
    const text = nodeText(uri, [...sources.workspace().clusters.keys()]);
    return { text: text ?? "# This node is not known any more.\n" };
  });
}
