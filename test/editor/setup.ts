// Installs a real editor into .cache/editor: VS Code's server and workbench (code-server) and a headless Chromium, both from
// npm by a lock file, without a compiler and without root. Done once; later calls see that it is there.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  copyFileSync,
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createBrotliDecompress } from "node:zlib";

const here = new URL(".", import.meta.url).pathname;
export const root = join(here, "../..");
export const installed = join(root, ".cache/editor");
export const codeServer = join(installed, "node_modules/code-server");
export const chromium = join(installed, "chromium/chromium");
const vscode = join(codeServer, "lib/vscode");
const stamp = join(installed, "stamp");

/** Makes sure that the editor of the lock file is installed. Prints what it does, since it takes half a minute. */
export async function setUpEditor(): Promise<void> {
  const lock = readFileSync(join(here, "package-lock.json"));
  const wanted = createHash("sha256").update(lock).digest("hex");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return;

  console.log("installing VS Code's server and Chromium into .cache/editor …");
  const begun = performance.now();
  mkdirSync(installed, { recursive: true });
  for (const file of ["package.json", "package-lock.json"]) copyFileSync(join(here, file), join(installed, file));
  npm(installed, "ci", "--ignore-scripts");
  // Locked by code-server's own shrinkwrap, which misses one peer, so a plain `npm ci` would refuse it.
  npm(vscode, "ci", "--legacy-peer-deps", "--ignore-scripts", "--omit=dev");
  standInForNatives();
  // It activates at every start and asks for an account.
  rmSync(join(vscode, "extensions/copilot"), { recursive: true, force: true });
  await unpackChromium();
  writeFileSync(stamp, wanted);
  console.log(`installed in ${((performance.now() - begun) / 1000).toFixed(1)} s`);
}

function npm(cwd: string, ...args: readonly string[]): void {
  execFileSync("npm", [...args, "--no-audit", "--no-fund", "--loglevel=error"], { cwd, stdio: "inherit" });
}

/** Two modules come as C++ that would have to be compiled: a file logger, and a watchdog that may do nothing. */
function standInForNatives(): void {
  copyFileSync(join(here, "spdlog-stand-in.cjs"), join(vscode, "node_modules/@vscode/spdlog/index.js"));
  writeFileSync(
    join(vscode, "node_modules/@vscode/native-watchdog/index.js"),
    "exports.start = () => {};\nexports.exit = (code) => process.exit(code || 0);\n",
  );
}

/** The package holds one Brotli file; its own unpacking would leave files in the system's temporary folder. */
async function unpackChromium(): Promise<void> {
  const packed = join(installed, "node_modules/@sparticuz/chromium/bin/chromium.br");
  mkdirSync(dirname(chromium), { recursive: true });
  await pipeline(createReadStream(packed), createBrotliDecompress(), createWriteStream(`${chromium}.part`));
  chmodSync(`${chromium}.part`, 0o755);
  renameSync(`${chromium}.part`, chromium);
}

if (import.meta.main) await setUpEditor();
