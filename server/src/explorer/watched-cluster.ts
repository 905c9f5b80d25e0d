// Explorer layer: the table of nodes of a cluster that is followed: what flaps is no news that ends with its return.
import { SEVERITIES } from "../../../shared/src/severity.ts";
import type { ClusterModel } from "../cluster/model.ts";
import type { WorkspaceConfig } from "../config/workspace.ts";
import { type NodeRow, nodeRows } from "../report/nodes-report.ts";
import { absenceText, flapsOf } from "./flap-text.ts";
import { ClusterHistory } from "./history.ts";
import { type JudgedCluster, judgeNow } from "./judged-cluster.ts";

/** Follows one cluster; told of each of its models in turn. */
export class WatchedCluster {
  readonly #config: WorkspaceConfig;
  readonly #history = new ClusterHistory();
  #last: JudgedCluster | null = null;

  constructor(config: WorkspaceConfig) {
    this.#config = config;
  }

  /** The rows of its nodes now, worst first. */
  rows(model: ClusterModel): readonly NodeRow[] {
    const judged = judgeNow({
      key: model.name,
      model,
      config: this.#config,
      access: null,
      baseline: null,
      history: this.#history,
    });
    if (this.#last !== null) this.#history.observe(this.#last.facts, judged.facts);
    this.#last = judged;
    const rows = nodeRows(model, judged.report, null).map((row) => withFlap(row, judged));
    return rows.toSorted((left, right) => rank(left) - rank(right));
  }
}

/** As the view "Nodes" shows it: a node that flaps and has nothing else is a warning. */
function withFlap(row: NodeRow, judged: JudgedCluster): NodeRow {
  const [flap] = flapsOf(judged, row.name);
  if (flap === undefined || row.severity !== "none") return row;
  return { ...row, severity: "warning", summary: `${flap.subject} ${absenceText(flap)}` };
}

function rank({ severity }: NodeRow): number {
  return severity === "none" ? SEVERITIES.length : SEVERITIES.indexOf(severity);
}
