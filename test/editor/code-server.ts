// Starts and stops one code-server with a throw-away home. Everything stays on the loopback.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, createWriteStream, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { codeServer } from "./setup.ts";

const entry = join(codeServer, "out/node/entry.js");

/** Without these the editor greets, asks, updates and saves by itself, and a test would pass or fail by accident. */
const QUIET: Readonly<Record<string, unknown>> = {
  "workbench.startupEditor": "none",
  "workbench.tips.enabled": false,
  "workbench.enableExperiments": false,
  "workbench.secondarySideBar.defaultVisibility": "hidden",
  "workbench.welcomePage.walkthroughs.openOnInstall": false,
  "workbench.editor.enablePreview": false,
  "workbench.reduceMotion": "on",
  "chat.disableAIFeatures": true,
  "telemetry.telemetryLevel": "off",
  "update.mode": "none",
  "extensions.autoUpdate": false,
  "extensions.autoCheckUpdates": false,
  "extensions.ignoreRecommendations": true,
  "git.enabled": false,
  // On in the web build: "what is on disk after a save" would prove nothing.
  "files.autoSave": "off",
  "files.simpleDialog.enable": true,
  "editor.minimap.enabled": false,
  "editor.stickyScroll.enabled": false,
  "editor.accessibilitySupport": "off",
  "security.workspace.trust.enabled": false,
  "editor.cursorBlinking": "solid",
  "window.commandCenter": false,
};

export interface Home {
  readonly folder: string;
  readonly workspace: string;
  remove(): void;
}

export interface HomeOptions {
  /** The folder to copy as the workspace. */
  readonly workspace: string;
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Whether a workspace is restricted until it is trusted, as in a fresh editor. */
  readonly askTrust?: boolean;
}

const dataOf = (home: Home) => join(home.folder, "data");
const extensionsOf = (home: Home) => join(home.folder, "ext");

/** A fresh home: user data, extensions, and a copy of the workspace. Its path is short, since sockets lie below it. */
export function makeHome({ workspace, settings = {}, askTrust = false }: HomeOptions): Home {
  const folder = mkdtempSync(join(tmpdir(), "tw-"));
  const home: Home = {
    folder,
    workspace: join(folder, "ws"),
    remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }),
  };
  mkdirSync(join(dataOf(home), "User"), { recursive: true });
  mkdirSync(extensionsOf(home));
  mkdirSync(join(folder, "tmp"));
  writeFileSync(join(folder, "config.yaml"), "");
  writeSettings(home, { "security.workspace.trust.enabled": askTrust, ...settings });
  cpSync(workspace, home.workspace, { recursive: true });
  return home;
}

/** Replaces the user's settings; an open window takes them over when it is loaded again. */
export function writeSettings(home: Home, settings: Readonly<Record<string, unknown>>): void {
  writeFileSync(join(dataOf(home), "User/settings.json"), JSON.stringify({ ...QUIET, ...settings }, null, 2));
}

function environment(home: Home): NodeJS.ProcessEnv {
  const { folder } = home;
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    PATH: `${dirname(process.execPath)}:${process.env.PATH ?? ""}`,
    // No look-ups in an extension gallery.
    EXTENSIONS_GALLERY: '{"serviceUrl":""}',
    HOME: folder,
    TMPDIR: join(folder, "tmp"),
    XDG_RUNTIME_DIR: folder,
  };
  // What a terminal inside another VS Code would set makes the command line talk to that one.
  for (const name of [
    "VSCODE_IPC_HOOK_CLI",
    "ELECTRON_RUN_AS_NODE",
    "NODE_OPTIONS",
    // The home's kubeconfig, and no other.
    "KUBECONFIG",
    "XDG_CONFIG_HOME",
    "XDG_DATA_HOME",
    "XDG_CACHE_HOME",
  ]) {
    delete env[name];
  }
  return env;
}

const commonArgs = (home: Home) => [
  ...["--config", join(home.folder, "config.yaml")],
  ...["--user-data-dir", dataOf(home), "--extensions-dir", extensionsOf(home)],
];

/** Installs the packed extension, as a user would. */
export function installVsix(home: Home, vsix: string): void {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [entry, ...commonArgs(home), "--install-extension", vsix, "--force"],
    { env: environment(home), encoding: "utf8" },
  );
  if (status !== 0) throw new Error(`installing ${vsix} failed (${status}): ${stdout}${stderr}`);
}

export interface EditorServer {
  /** `127.0.0.1:port`: the authority of remote URIs in the workbench. */
  readonly authority: string;
  /** The address that opens a folder or a workspace file; `payload` as the workbench takes it, paths made into remote URIs. */
  url(folder: string, payload?: Readonly<Record<string, string>>): string;
  stop(): Promise<void>;
}

/** Starts the server and resolves when it listens. Its process group ends with `stop`, or with this process. */
export async function startServer(home: Home, extra: readonly string[] = []): Promise<EditorServer> {
  const quiet = [
    "--disable-telemetry",
    "--disable-update-check",
    "--disable-getting-started-override",
    "--disable-proxy",
  ];
  const args = [entry, ...commonArgs(home), "--auth", "none", "--bind-addr", "127.0.0.1:0", ...quiet, ...extra];
  const child = spawn(process.execPath, args, {
    env: environment(home),
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  const end = () => killGroup(child, "SIGKILL");
  process.once("exit", end);
  const port = await listening(child, join(home.folder, "server.log"));
  const authority = `127.0.0.1:${port}`;
  return {
    authority,
    url: (folder, payload = {}) => {
      const pairs = Object.entries(payload).map(([key, value]) => [
        key,
        value.startsWith("/") ? `vscode-remote://${authority}${encodeURI(value)}` : value,
      ]);
      const opened = folder.endsWith(".code-workspace") ? { workspace: folder } : { folder };
      const query = new URLSearchParams({ ...opened, ...(pairs.length ? { payload: JSON.stringify(pairs) } : {}) });
      return `http://${authority}/?${query}`;
    },
    stop: async () => {
      if (child.exitCode === null) {
        const gone = once(child, "exit");
        killGroup(child, "SIGTERM");
        const timer = setTimeout(end, 5000);
        await gone;
        clearTimeout(timer);
      }
      end();
      process.off("exit", end);
    },
  };
}

/** Signals the server, its extension hosts and their language servers. */
function killGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}

function listening(child: ChildProcess, logFile: string): Promise<number> {
  const log = createWriteStream(logFile);
  let text = "";
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`code-server did not listen within 60 s:\n${text}`)), 60_000);
    const read = (chunk: Buffer) => {
      log.write(chunk);
      text = (text + chunk).slice(-20_000);
      const port = /HTTP server listening on http:\/\/127\.0\.0\.1:(\d+)/.exec(text)?.[1];
      if (port === undefined) return;
      clearTimeout(timer);
      resolve(Number(port));
    };
    child.stdout?.on("data", read);
    child.stderr?.on("data", read);
    child.once("exit", (code) => {
      clearTimeout(timer);
      reject(new Error(`code-server ended with ${code}:\n${text}`));
    });
  });
}
