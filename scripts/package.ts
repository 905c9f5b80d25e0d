// `npm run package`: builds the extension and packs dist/taintwise.vsix. The files it ships are the `!` lines of
// .vscodeignore; they are copied aside first, since vsce walks every file below the folder it packs.
import { execFileSync } from "node:child_process";
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createVSIX } from "@vscode/vsce";

const root = new URL("..", import.meta.url).pathname;
const staging = join(root, ".cache/vsix");
const vsix = join(root, "dist/taintwise.vsix");
const LIMIT = 2 * 1024 * 1024;

/** The files that the extension ships, relative to the root, in order. */
export function shippedFiles(): readonly string[] {
  const patterns = readFileSync(join(root, ".vscodeignore"), "utf8")
    .split("\n")
    .filter((line) => line.startsWith("!"))
    .map((line) => line.slice(1));
  return globSync(patterns, { cwd: root }).sort();
}

/** The manifest as an installed extension needs it: no scripts, and no dependencies, since they are bundled. */
function installedManifest(): string {
  const manifest: Record<string, unknown> = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const kept = Object.entries(manifest).filter(
    ([key]) => !["scripts", "dependencies", "devDependencies", "bin", "allowScripts", "private"].includes(key),
  );
  return `${JSON.stringify(Object.fromEntries(kept), null, 2)}\n`;
}

/** Builds, stages and packs. Resolves with the package's path; throws when it is too large. */
export async function packageExtension(): Promise<string> {
  execFileSync(process.execPath, [join(root, "esbuild.mjs"), "extension", "server", "coverage"], {
    cwd: root,
    stdio: "inherit",
  });
  rmSync(staging, { recursive: true, force: true });
  const files = shippedFiles();
  for (const file of files) {
    mkdirSync(dirname(join(staging, file)), { recursive: true });
    cpSync(join(root, file), join(staging, file));
  }
  writeFileSync(join(staging, "package.json"), installedManifest());
  cpSync(join(root, ".vscodeignore"), join(staging, ".vscodeignore"));
  await createVSIX({
    cwd: staging,
    packagePath: vsix,
    dependencies: false,
    allowMissingRepository: true,
    rewriteRelativeLinks: false,
  });
  const { size } = statSync(vsix);
  if (size > LIMIT) throw new Error(`${vsix} has ${size} bytes, more than ${LIMIT}`);
  return vsix;
}

if (import.meta.main) {
  const begun = performance.now();
  const path = await packageExtension();
  const kilobytes = Math.ceil(statSync(path).size / 1024);
  const seconds = ((performance.now() - begun) / 1000).toFixed(1);
  console.log(`dist/taintwise.vsix: ${kilobytes} KB, ${shippedFiles().length} files, ${seconds} s`);
}
