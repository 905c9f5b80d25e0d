// The picture of the matrix: order, and names that are not markup.
import { expect, it } from "vitest";
import type { CellState, MatrixRow } from "../../shared/src/explorer.ts";
import { ENGLISH_WORDS, matrixSvg, worstFirst } from "../../shared/src/matrix-svg.ts";

const TARGET = { cluster: "k", kind: "DaemonSet", namespace: "n", name: "x", node: null };

function row(name: string, states: readonly CellState[], whatIf = false): MatrixRow {
  const cells = states.map((state) => ({ state, nodes: 1, reason: "because" }));
  return { id: name, name, nodes: 1, sample: [name], whatIf, cells };
}

it("puts the class with the most gaps first, then time bombs; a what-if stays behind its class", () => {
  const rows = [
    row("calm", ["runs", "runs"]),
    row("bombs", ["runs", "bomb"]),
    row("bombs what-if", ["gap", "gap"], true),
    row("gap", ["runs", "gap"]),
  ];
  const columns = ["calm-agent", "csi-node"].map((name) => ({ id: name, name, role: "node agent", target: TARGET }));
  const sorted = worstFirst({ columns, rows });
  expect(sorted.rows.map(({ name }) => name)).toEqual(["gap", "bombs", "bombs what-if", "calm"]);
  // What is gravest stands left, and takes its cells along.
  expect(sorted.columns.map(({ name }) => name)).toEqual(["csi-node", "calm-agent"]);
  expect(sorted.rows.map(({ cells }) => cells.map(({ state }) => state).join(" "))).toEqual([
    "gap runs",
    "bomb runs",
    "gap gap",
    "runs runs",
  ]);
});

it("writes names as text, whatever is in them", () => {
  const columns = [{ id: "c", name: "</text><script>alert('1')</script>", role: 'a "role"', target: TARGET }];
  const svg = matrixSvg({ clusterName: "a & b\u0001", columns, rows: [row("<b>", ["gap"])] }, ENGLISH_WORDS);
  for (const raw of ["<script", "<b>", "& ", "\u0001"]) expect(svg).not.toContain(raw);
  const tags = [...svg.matchAll(/<(\/?)([a-z]+)[^>]*?(\/?)>/g)].filter(([, , , selfClosing]) => selfClosing === "");
  const open = tags.filter(([, close]) => close === "").map(([, , name]) => name);
  const closed = tags.filter(([, close]) => close === "/").map(([, , name]) => name);
  expect(closed.toSorted()).toEqual(open.toSorted());
});
