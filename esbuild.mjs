// Builds the files that run: the command line, the language server, the VS Code extension and its coverage page.
// `node esbuild.mjs [cli|server|extension|coverage …]` builds only those.

import { existsSync } from "node:fs";
import { chmod, readdir, rm } from "node:fs/promises";
import { build } from "esbuild";

/** Options that all bundles share. Node 20 is the oldest runtime on which the command line still starts. */
const common = {
  bundle: true,
  platform: "node",
  target: "node20",
  minify: true,
  keepNames: true,
  legalComments: "none",
  logLevel: "warning",
};

const bundles = [
  {
    ...common,
    entryPoints: { cli: "server/src/node/cli.ts" },
    outdir: "dist",
    format: "esm",
    splitting: true,
    chunkNames: "chunks/[name]-[hash]",
    banner: {
      js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);',
    },
  },
  {
    ...common,
    entryPoints: { server: "server/src/node/lsp.ts" },
    outfile: "dist/server.cjs",
    format: "cjs",
  },
  {
    ...common,
    entryPoints: { extension: "client/src/extension.ts" },
    outfile: "dist/extension.cjs",
    format: "cjs",
    external: ["vscode"],
  },
  {
    ...common,
    entryPoints: { coverage: "client/src/coverage-view/page.ts" },
    outfile: "dist/coverage.js",
    platform: "browser",
    target: "es2022",
    format: "iife",
  },
];

const wanted = process.argv.slice(2);
for (const options of bundles) {
  const { outfile, ...rest } = options;
  const [name, entry] = Object.entries(options.entryPoints)[0];
  if (!existsSync(entry) || (wanted.length > 0 && !wanted.includes(name))) continue;
  const { metafile } = await build(outfile ? { ...rest, entryPoints: [entry], outfile } : { ...rest, metafile: true });
  if (metafile) await removeOldChunks(Object.keys(metafile.outputs));
}
if (existsSync("dist/cli.js")) await chmod("dist/cli.js", 0o755);

/** Chunks are named by their content: those of earlier builds would stay for ever. */
async function removeOldChunks(outputs) {
  const kept = new Set(outputs.map((path) => path.split("/").at(-1)));
  for (const name of await readdir("dist/chunks"))
    if (!kept.has(name)) await rm(`dist/chunks/${name}`, { force: true });
}
