// A thousand random edits of one document: what the server says at the end of each stretch, it says of the text afresh.
import { expect, test } from "vitest";
import { seededRandom } from "../bench/cluster-generator.ts";
import { type Editor, startEditor, until } from "./editor.ts";
import { agent, CLUSTER, RDMA } from "./fixtures.ts";

const EDITS = 1_000;
/** Edits between two comparisons. */
const STRETCH = 20;

const PIECES = [
  "\n",
  "---\n",
  "  ",
  "- ",
  RDMA,
  "{key: a, operator: Exist}",
  "key: dedicated\n",
  "effect: NoSchedule\n",
  "# taintwise-ignore: toleration-gap\n",
  '"',
  "🚀",
  "\r\n",
  "\t",
  "<<<<<<< ours\n",
  ">>>>>>> theirs\n",
  "{{ .Values.x }}",
  "&a ",
  "*a ",
  "true",
  "pool: fast",
] as const;

function start(): Promise<Editor> {
  return startEditor({
    files: { "cluster.yaml": CLUSTER },
    settings: { cluster: { file: "cluster.yaml" } },
    mode: "pull",
  });
}

const TEXT = [agent("one"), agent("two", [RDMA]), agent("three", ["{key: a, operator: Exists}"])].join("---\n");

test(`${EDITS} random edits leave the diagnostics of a fresh server`, { timeout: 120_000 }, async () => {
  const [edited, fresh] = [await start(), await start()];
  edited.open("all.yaml", TEXT);
  fresh.open("known.yaml", agent("known"));
  for (const editor of [edited, fresh]) {
    const path = editor === edited ? "all.yaml" : "known.yaml";
    await until(
      async () => ((await editor.pulled(path)).some(({ code }) => code === "toleration-gap") ? true : undefined),
      () => "no gap",
    );
  }
  const random = seededRandom(20261201);
  const below = (bound: number): number => Math.floor(random() * bound);
  for (let count = 1; count <= EDITS; count += 1) {
    edited.change("all.yaml", [randomChange(edited, below)]);
    if (count % 7 === 0) void edited.pull("all.yaml");
    if (count % STRETCH === 0) {
      const text = edited.document("all.yaml").getText();
      fresh.open("all.yaml", text);
      expect(await edited.pulled("all.yaml"), text).toEqual(moved(await fresh.pulled("all.yaml"), fresh, edited));
      fresh.close("all.yaml");
      // A text that is hopelessly broken teaches nothing any more.
      if (count % (STRETCH * 5) === 0) edited.change("all.yaml", TEXT);
    }
  }
});

function randomChange(editor: Editor, below: (bound: number) => number) {
  const document = editor.document("all.yaml");
  const { length } = document.getText();
  const from = below(length + 1);
  const to = Math.min(length, from + (below(3) === 0 ? below(40) : 0));
  const range = { start: document.positionAt(from), end: document.positionAt(to) };
  return { range, text: below(5) === 0 ? "" : (PIECES[below(PIECES.length)] ?? "") };
}

/** The other editor's answers with this one's folder in their links. */
function moved<T>(answers: T, from: Editor, to: Editor): T {
  return JSON.parse(JSON.stringify(answers).replaceAll(from.uri(""), to.uri("")));
}
