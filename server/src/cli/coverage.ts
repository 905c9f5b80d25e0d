// Command-line layer: `taintwise coverage`.
import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { ENGLISH_WORDS, matrixSvg, worstFirst } from "../../../shared/src/matrix-svg.ts";
import { judgeNow } from "../explorer/judged-cluster.ts";
import { coverageMatrix } from "../explorer/matrix.ts";
import { coverageJson } from "../explorer/matrix-json.ts";
import { matrixText } from "../explorer/matrix-text.ts";
import { jsonText } from "../report/document.ts";
import type { Arguments } from "./arguments.ts";
import type { ExitCode, Host } from "./host.ts";
import { paletteOf, printNotes } from "./report-options.ts";
import { formatOf } from "./settings.ts";
import { requiredClusters } from "./source/clusters.ts";
import { Workspaces } from "./source/workspace.ts";
import { reasonOf, Unusable } from "./unusable.ts";

/** Prints which platform DaemonSet lives on which class of nodes; with --svg it draws that into a file instead. */
export async function run(args: Arguments, host: Host): Promise<ExitCode> {
  const format = formatOf(args, "coverage", ["text", "json"]);
  const palette = paletteOf(args, host);
  const [extra] = args.operands;
  if (extra !== undefined) throw new Unusable(`coverage takes no operand, but got "${extra}".`);
  const workspaces = new Workspaces(host.cwd, args.one("config"));
  const { config } = workspaces.of(host.cwd);
  const sources = await requiredClusters(args, host, workspaces);
  const clusters = sources.used();
  const matrices = clusters.map((model) => {
    const cluster = judgeNow({ key: model.name, model, config, access: null, baseline: null, history: null });
    return worstFirst(coverageMatrix(cluster, null));
  });

  printNotes(sources.notes(), host);
  const file = args.one("svg");
  if (file !== null) {
    const [matrix, second] = matrices;
    if (matrix === undefined || second !== undefined) {
      throw new Unusable("--svg draws one cluster; name it with --cluster or --context.");
    }
    return draw(file, matrixSvg(matrix, ENGLISH_WORDS), host);
  }
  if (format === "json") host.stdout.write(jsonText(coverageJson(clusters, matrices)));
  else {
    const texts = clusters.flatMap((cluster, index) => {
      const matrix = matrices[index];
      return matrix === undefined ? [] : [matrixText(cluster, matrix, palette)];
    });
    host.stdout.write(texts.join("\n"));
  }
  return 0;
}

function draw(file: string, svg: string, host: Host): ExitCode {
  if (file === "-") {
    host.stdout.raw(svg);
    return 0;
  }
  try {
    writeFileSync(resolve(host.cwd, file), svg);
  } catch (error) {
    throw new Unusable(`${file}: cannot be written: ${reasonOf(error)}.`);
  }
  return 0;
}
