// The coverage matrix on its way to the page: what arrives is what was sent.
import { expect, test } from "vitest";
import { packMatrix, unpackMatrix } from "../../client/src/coverage-view/packed-matrix.ts";
import type { CoverageMatrixResult } from "../../shared/src/explorer.ts";

const target = { cluster: "c", kind: "DaemonSet", namespace: "kube-system", name: "csi", node: null };
const GAP = "dedicated=rdma:NoSchedule is not tolerated";
const MATRIX: CoverageMatrixResult = {
  cluster: "c",
  clusterName: "prod",
  problem: "",
  columns: [
    { id: "1", name: "kube-system/csi", role: "CSI node driver", target },
    { id: "2", name: "rdma/plugin", role: "device plugin", target },
  ],
  rows: [
    {
      id: "dedicated=rdma:NoSchedule",
      name: "dedicated=rdma:NoSchedule",
      nodes: 12,
      sample: ["rdma-1", "rdma-2"],
      whatIf: false,
      cells: [
        { state: "gap", nodes: 12, reason: GAP },
        { state: "bomb", nodes: 3, reason: GAP },
      ],
    },
    {
      id: "none",
      name: "no taints",
      nodes: 40,
      sample: ["web-1"],
      whatIf: true,
      cells: [
        { state: "runs", nodes: 40, reason: "" },
        { state: "gap", nodes: 1, reason: "cordoned" },
      ],
    },
  ],
};

test("the page gets the matrix that the server gave", () => {
  expect(unpackMatrix(packMatrix(MATRIX))).toEqual(MATRIX);
});

test("a sentence of many cells travels once", () => {
  expect(packMatrix(MATRIX).reasons).toEqual([GAP, "", "cordoned"]);
});

test("without DaemonSets the classes are there all the same", () => {
  const empty = { ...MATRIX, columns: [], rows: MATRIX.rows.map((row) => ({ ...row, cells: [] })) };
  expect(unpackMatrix(packMatrix(empty))).toEqual(empty);
});
