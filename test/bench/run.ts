// Bench: every measurement, as one table. `npm run bench` prints it; with --write it also goes to docs/benchmarks.md.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism, totalmem } from "node:os";
import { benchCli } from "./cli.ts";
import { benchCoverage } from "./coverage.ts";
import type { BenchRow } from "./row.ts";

/** Benches that live in a file of their own and give rows; those that are not there (yet) are told. */
const MORE: readonly { readonly file: string; readonly title: string }[] = [
  { file: "./triage.ts", title: "Triage of a large cluster" },
  { file: "./check.ts", title: "Checking a corpus of real manifests" },
  { file: "./lsp.ts", title: "The language server" },
  { file: "./explorer.ts", title: "The explorer" },
  { file: "./coverage-page.ts", title: "The coverage page" },
];

const DOCS = new URL("../../docs/benchmarks.md", import.meta.url);

function coverageRows(): readonly BenchRow[] {
  const { nodes, daemonSets, taintSets, classes, gapNodes, firstMs, fullMs, updateMs } = benchCoverage();
  const beside = `${nodes} nodes × ${daemonSets} DaemonSets, ${taintSets} taint sets, ${classes} classes, ${gapNodes} gaps`;
  return [
    { what: "coverage of every DaemonSet", measured: fullMs, limit: 50, unit: "ms", beside },
    {
      what: "coverage, first run of the process",
      measured: firstMs,
      limit: null,
      unit: "ms",
      beside: "code not yet compiled",
    },
    {
      what: "coverage after one taint change",
      measured: updateMs,
      limit: 5,
      unit: "ms",
      beside: "median of 15 changes",
    },
  ];
}

async function rowsOf(file: string): Promise<readonly BenchRow[]> {
  const url = new URL(file, import.meta.url);
  if (!existsSync(url)) return [];
  const { bench }: { readonly bench: () => Promise<readonly BenchRow[]> } = await import(url.href);
  return bench();
}

function table(rows: readonly BenchRow[]): string {
  const body = rows.map(({ what, measured, limit, unit, beside }) => {
    const bound = limit === null ? "" : `< ${format(limit)} ${unit}${measured < limit ? "" : " (missed)"}`;
    return [what, `${format(measured)} ${unit}`, bound, beside];
  });
  const head = ["what", "measured", "limit", "beside it"];
  return [head, head.map(() => "---"), ...body].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

function format(value: number): string {
  return value >= 100 || Number.isInteger(value) ? value.toFixed(0) : value.toPrecision(3);
}

const sections: string[] = [];
const show = (title: string, rows: readonly BenchRow[]): void => {
  if (rows.length === 0) return;
  const text = `## ${title}\n\n${table(rows)}\n`;
  sections.push(text);
  console.log(text);
};

show("Coverage", coverageRows());
show("The command line, as whole processes", await benchCli());
for (const { file, title } of MORE) show(title, await rowsOf(file));

if (process.argv.includes("--write")) {
  const machine = `${availableParallelism()} cores, ${Math.round(totalmem() / 2 ** 30)} GB of memory, Node ${process.version}`;
  const written = readFileSync(DOCS, "utf8");
  const [intro = ""] = written.split(/^Measured on/m);
  // Another script measures this section; it stays as it is.
  const live = /^## Live clusters$[\s\S]*/m.exec(written)?.[0];
  const kept = live === undefined ? sections : [...sections, live];
  writeFileSync(DOCS, `${intro}Measured on a machine with ${machine}.\n\n${kept.join("\n")}`);
}
