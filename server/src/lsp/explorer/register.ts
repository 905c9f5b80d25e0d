// LSP layer: the requests of the node-health explorer.
import { type CancellationToken, type Connection, ResponseError } from "vscode-languageserver";
import {
  CoverageMatrix,
  type CoverageMatrixParams,
  type CoverageMatrixResult,
  ExplorerChanged,
  ExplorerChecks,
  ExplorerClusters,
  ExplorerReport,
  type ExplorerReportParams,
  type ExplorerReportResult,
  ExplorerRows,
  type ExplorerRowsParams,
  type RowTarget,
  WorkloadFix,
  type WorkloadFixResult,
} from "../../../../shared/src/explorer.ts";
import type { RequestName } from "../../../../shared/src/protocol.ts";
import { loadClusterFile } from "../../cluster/file/load.ts";
import type { ClusterModel } from "../../cluster/model.ts";
import { formatClusterProblem } from "../../cluster/problem.ts";
import { ClusterHistory } from "../../explorer/history.ts";
import type { ClusterToJudge, JudgedCluster } from "../../explorer/judged-cluster.ts";
import { coverageMatrix } from "../../explorer/matrix.ts";
import { explorerReport } from "../../explorer/reports/explorer-report.ts";
import { checksFor } from "../../explorer/reports/kubectl.ts";
import { fixFor, workloadOf } from "../../explorer/reports/workload-fix.ts";
import { readTaintText } from "../../kube/taint-text.ts";
import { answer, type ServerLog } from "../boundary.ts";
import type { ClusterPool } from "../clusters/cluster-pool.ts";
import { sourceKey } from "../clusters/source.ts";
import type { ManifestSource } from "../documents/all-manifests.ts";
import type { Workspace } from "../workspace.ts";
import { Judging } from "./judging.ts";
import { type AskNode, askOnNode, NOT_ASKED, type OnNodeOf } from "./on-node.ts";
import { workloadFiles } from "./workload-files.ts";

/** What the answers are made from; functions, since all of it changes. */
export interface ExplorerSources {
  readonly log: ServerLog;
  readonly pool: ClusterPool;
  readonly workspace: () => Workspace;
  readonly manifests: () => ManifestSource;
  /** Whether the client shows an explorer by itself. */
  readonly follows: () => boolean;
  /** Whether kubelets may be asked through the API server. */
  readonly nodeProxy: () => boolean;
  /** Whether somebody types just now. */
  readonly typing: () => boolean;
}

/** Milliseconds between two notifications that rows changed. */
const TELL_EVERY = 500;
/** Milliseconds that rows wait for a judgement under way: at the first time, and while an older one stands. */
const FIRST_PATIENCE = 150;
const PATIENCE = 40;

const FAILED = "Taintwise failed on this; see the log.";
const NO_CLUSTER = "No cluster is in use, or it is still being read.";

/** Answers the explorer's requests until disposed. */
export class ExplorerServer {
  readonly #connection: Connection;
  readonly #sources: ExplorerSources;
  readonly #judging: Judging;
  /** Earlier models to compare with, by the key of the cluster. */
  readonly #baselines = new Map<string, ClusterModel>();
  readonly #histories = new Map<string, ClusterHistory>();
  /** When each model was first seen, milliseconds of `performance.now()`. */
  readonly #arrivals = new WeakMap<ClusterModel, number>();
  #telling: NodeJS.Timeout | null = null;
  #toldAt = Number.NEGATIVE_INFINITY;

  constructor(connection: Connection, sources: ExplorerSources) {
    this.#connection = connection;
    this.#sources = sources;
    this.#judging = new Judging({
      clusters: () => this.#clusters(),
      onChange: () => this.#tellSoon(),
      log: sources.log,
      follows: sources.follows,
      typing: sources.typing,
    });
  }

  /** Clusters or workspace files changed. */
  refresh(): void {
    this.#judging.refresh();
  }

  dispose(): void {
    this.#judging.stop();
    if (this.#telling !== null) clearTimeout(this.#telling);
  }

  register(): void {
    this.#on(ExplorerRows, { rows: [], message: FAILED, judging: false }, async (params: ExplorerRowsParams) => {
      this.#judging.ask();
      await this.#judging.settled(this.#judging.clusters.length === 0 ? FIRST_PATIENCE : PATIENCE);
      const { view, parent, limit, options } = params;
      return { ...this.#judging.views.rows(view, parent, limit, options), judging: this.#judging.pending };
    });
    this.#on(ExplorerReport, { kind: "none", reason: FAILED }, (params: ExplorerReportParams, token) =>
      this.#report(params, token),
    );
    this.#on(ExplorerChecks, [], async (target: RowTarget) => {
      const cluster = await this.#clusterOf(target.cluster);
      return cluster === null ? [] : checksFor(cluster, target);
    });
    this.#on(WorkloadFix, null, (target: RowTarget, token) => this.#fix(target, token));
    this.#on(CoverageMatrix, null, (params: CoverageMatrixParams) => this.#matrix(params));
    this.#on(ExplorerClusters, [], () =>
      this.#clusters().map(({ key, model, access }) => ({ key, name: model.name, context: access?.context ?? null })),
    );
  }

  #on<Params, Result>(
    { method }: RequestName<Params, Result>,
    failed: Result,
    run: (params: Params, token: CancellationToken) => Result | Promise<Result>,
  ): void {
    this.#connection.onRequest(method, async (params: Params, token: CancellationToken): Promise<unknown> => {
      const result = await answer(method, this.#sources.log, token, failed, () => run(params, token));
      // The library answers with an error only when one is thrown.
      if (result instanceof ResponseError) throw result;
      return result;
    });
  }

  /** The clusters in use that could be read, in the order of their sources. */
  #clusters(): readonly ClusterToJudge[] {
    const { pool, workspace } = this.#sources;
    const folders = workspace().clusters;
    return workspace().sources.flatMap((source) => {
      const { model } = pool.get(source);
      const folder = model === null ? undefined : folders.get(model);
      if (model === null || model.origin === "none" || folder === undefined) return [];
      const key = sourceKey(source);
      const access = source.kind === "context" ? { context: source.context, kubeconfig: source.kubeconfig } : null;
      return [
        {
          key,
          model,
          config: folder.config,
          access,
          baseline: this.#baselines.get(key) ?? null,
          history: this.#historyOf(key),
          ...this.#timeIn(model),
        },
      ];
    });
  }

  /** Time goes on in a cluster that is followed, also while nothing changes; by its own clock. */
  #timeIn(model: ClusterModel): { readonly now?: number } {
    if (model.origin !== "live" || model.observedAt === null) return {};
    const arrived = this.#arrivals.get(model) ?? performance.now();
    this.#arrivals.set(model, arrived);
    return { now: model.observedAt + performance.now() - arrived };
  }

  /** Remembered for as long as the server runs: a cluster that is chosen again has its past. */
  #historyOf(key: string): ClusterHistory {
    const history = this.#histories.get(key) ?? new ClusterHistory();
    this.#histories.set(key, history);
    return history;
  }

  /** The judged cluster of a key; null where none is in use under it. Waits a little while it is being judged. */
  judged(key: string): Promise<JudgedCluster | null> {
    return this.#clusterOf(key);
  }

  /** The judged cluster of a key (null: the first), waiting a little where it is being judged for the first time. */
  async #clusterOf(key: string | null): Promise<JudgedCluster | null> {
    this.#judging.ask();
    if (this.#judging.pending) await this.#judging.settled(10_000);
    return key === null ? (this.#judging.clusters[0] ?? null) : this.#judging.cluster(key);
  }

  async #report(
    { report, target, path }: ExplorerReportParams,
    token: CancellationToken,
  ): Promise<ExplorerReportResult> {
    const cluster = await this.#clusterOf(target?.cluster ?? null);
    if (cluster === null) return { kind: "none", reason: NO_CLUSTER };
    if (report === "compare" && path !== null) {
      const problem = await this.#readBaseline(cluster, path);
      if (problem !== null) return { kind: "none", reason: problem };
      const again = await this.#clusterOf(cluster.key);
      return again === null ? { kind: "none", reason: NO_CLUSTER } : explorerReport(report, [again], target, NOT_ASKED);
    }
    if (target === null) return explorerReport(report, this.#judging.clusters, target, NOT_ASKED);
    const onNode = report === "triage" ? await this.#askOnNode(cluster, target, token) : NOT_ASKED;
    return explorerReport(report, [cluster], target, onNode);
  }

  #askOnNode(cluster: JudgedCluster, target: RowTarget, token: CancellationToken): Promise<OnNodeOf> {
    const source = this.#sources.workspace().sources.find((each) => sourceKey(each) === cluster.key);
    const ask: AskNode | null =
      source !== undefined && this.#sources.nodeProxy()
        ? (questions, signal) => this.#sources.pool.askNode(source, questions, signal)
        : null;
    return askOnNode(cluster, target, ask, token);
  }

  /** Reads an earlier model to compare with from now on; a sentence when it cannot be used. */
  async #readBaseline({ key, model }: JudgedCluster, path: string): Promise<string | null> {
    const read = await loadClusterFile(path, {
      name: null,
      now: null,
      readStdin: () => Promise.resolve(new Uint8Array()),
    });
    const error = read.problems.find((problem) => problem.severity === "error");
    if (error !== undefined) return formatClusterProblem(error);
    const common = [...read.model.nodes.keys()].some((name) => model.nodes.has(name));
    if (!common) return `${path} has no node in common with ${model.name}: it is of another cluster.`;
    this.#baselines.set(key, read.model);
    this.#judging.refresh();
    return null;
  }

  async #fix(target: RowTarget, token: CancellationToken): Promise<WorkloadFixResult | null> {
    const cluster = await this.#clusterOf(target.cluster);
    const workload = cluster === null ? null : workloadOf(cluster, target);
    if (cluster === null || workload === null) return null;
    const files = await workloadFiles(workload, this.#sources.manifests(), token);
    return { ...fixFor(cluster, workload), files };
  }

  async #matrix({ cluster: key, whatIf }: CoverageMatrixParams): Promise<CoverageMatrixResult | null> {
    const cluster = await this.#clusterOf(key);
    if (cluster === null) return null;
    if (whatIf === null) return { ...coverageMatrix(cluster, null), problem: "" };
    const read = readTaintText(whatIf.taint.trim());
    const problem =
      "problem" in read ? read.problem : read.removes ? "A what-if puts a taint on; leave the - away." : "";
    const change = "problem" in read || problem !== "" ? null : { row: whatIf.row, taint: read.taint };
    const matrix = coverageMatrix(cluster, change);
    const isLost = change !== null && !matrix.rows.some((row) => row.whatIf);
    return {
      ...matrix,
      problem: isLost ? "The class is not there any more: its nodes have other taints now." : problem,
    };
  }

  /** At once when it was quiet, else when half a second has passed. */
  #tellSoon(): void {
    if (this.#telling !== null) return;
    const wait = Math.max(0, this.#toldAt + TELL_EVERY - performance.now());
    this.#telling = setTimeout(() => {
      this.#telling = null;
      this.#toldAt = performance.now();
      const summary = { ...this.#judging.views.summary, judging: this.#judging.pending };
      void this.#connection.sendNotification(ExplorerChanged.method, summary);
    }, wait);
    this.#telling.unref();
  }
}
