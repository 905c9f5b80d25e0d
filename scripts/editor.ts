// `npm run editor`: opens a copy of the example in VS Code with the extension. Which VS Code: `code` on the PATH; else the
// desktop one that @vscode/test-electron fetches, where there is a screen and a network; else code-server from npm, in
// the browser. Says which it took.
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { downloadAndUnzipVSCode } from "@vscode/test-electron";
import { installVsix, makeHome, startServer } from "../test/editor/code-server.ts";
import { setUpEditor } from "../test/editor/setup.ts";
import { packageExtension } from "./package.ts";

const root = new URL("..", import.meta.url).pathname;
const example = join(root, ".cache/example");
/** Milliseconds without a byte after which the download is given up. */
const DOWNLOAD_TIMEOUT = 15_000;

rmSync(example, { recursive: true, force: true });
cpSync(join(root, "examples/rdma-incident"), example, { recursive: true });

if (!openInstalled() && !(await openDownloaded())) await openInBrowser();

/** Whether `code` is there; it shows the example with the extension of this checkout, without installing anything. */
function openInstalled(): boolean {
  if (spawnSync("code", ["--version"], { stdio: "ignore", shell: process.platform === "win32" }).status !== 0) {
    return false;
  }
  buildExtension();
  console.log("opening the example in the VS Code on the PATH (`code`)");
  spawnSync("code", windowArguments(), { stdio: "inherit", shell: process.platform === "win32" });
  return true;
}

/** Whether a desktop VS Code could be fetched and started. */
async function openDownloaded(): Promise<boolean> {
  if (process.platform === "linux" && !process.env.DISPLAY && !process.env.WAYLAND_DISPLAY) {
    console.log("no `code` on the PATH, and no screen for a desktop VS Code");
    return false;
  }
  try {
    const executable = await downloadAndUnzipVSCode({
      cachePath: join(root, ".cache/vscode"),
      timeout: DOWNLOAD_TIMEOUT,
    });
    buildExtension();
    console.log("opening the example in the VS Code that @vscode/test-electron fetched");
    spawn(executable, windowArguments(), { detached: true, stdio: "ignore" }).unref();
    return true;
  } catch (error) {
    console.log(
      `no \`code\` on the PATH, and VS Code cannot be fetched: ${error instanceof Error ? error.message : error}`,
    );
    return false;
  }
}

/** Serves code-server on the loopback until it is interrupted. */
async function openInBrowser(): Promise<void> {
  await setUpEditor();
  const home = makeHome({ workspace: example, settings: { "workbench.colorTheme": "Default Dark Modern" } });
  installVsix(home, await packageExtension());
  const server = await startServer(home, ["--disable-workspace-trust"]);
  console.log(
    "the example is open in VS Code as code-server, from npm. Open this address in a browser; Ctrl+C ends it:",
  );
  console.log(server.url(home.workspace));
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => {
      void server.stop().then(() => {
        home.remove();
        process.exit(0);
      });
    });
  }
}

function buildExtension(): void {
  execFileSync(process.execPath, [join(root, "esbuild.mjs"), "extension", "server"], { cwd: root, stdio: "inherit" });
}

function windowArguments(): readonly string[] {
  return [`--extensionDevelopmentPath=${root}`, "--new-window", example];
}
