// Explorer layer: the coverage matrix as JSON (docs/json.md).
import type { CellState } from "../../../shared/src/explorer.ts";
import type { ClusterModel } from "../cluster/model.ts";
import { type CommonJson, commonJson } from "../report/document.ts";
import type { coverageMatrix } from "./matrix.ts";

export interface CoverageJson extends CommonJson {
  readonly classes: readonly {
    readonly cluster: string;
    /** The hard taints that its nodes share. */
    readonly name: string;
    readonly nodes: number;
    readonly cells: readonly {
      readonly workload: string;
      readonly role: string;
      readonly state: CellState;
      readonly nodes: number;
      readonly reason: string;
    }[];
  }[];
}

/** The JSON of the matrices of the given clusters, in their order. */
export function coverageJson(
  clusters: readonly ClusterModel[],
  matrices: readonly ReturnType<typeof coverageMatrix>[],
): CoverageJson {
  return {
    ...commonJson(clusters),
    classes: matrices.flatMap(({ clusterName, columns, rows }) =>
      rows.map(({ name, nodes, cells }) => ({
        cluster: clusterName,
        name,
        nodes,
        cells: cells.flatMap((cell, index) => {
          const column = columns[index];
          return column === undefined ? [] : [{ workload: column.name, role: column.role, ...cell }];
        }),
      })),
    ),
  };
}
