// One editor with the packed extension on a copy of a workspace, for one suite.
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { type EditorServer, type Home, installVsix, makeHome, startServer } from "./code-server.ts";
import { root } from "./setup.ts";
import { makeSuite, type Outcome, type Suite } from "./suite.ts";
import { launchBrowser, Workbench } from "./workbench.ts";

/** The incident that ships with the extension. */
export const EXAMPLE = join(root, "examples/rdma-incident");
export const VSIX = process.env.EDITOR_VSIX ?? join(root, "dist/taintwise.vsix");

/** Pictures, kept after the run. */
export const PICTURES = join(root, "artifacts/editor");

export interface Session {
  readonly workbench: Workbench;
  readonly home: Home;
  readonly server: EditorServer;
  readonly browser: Browser;
  readonly test: Suite["test"];
  /** The content of a file of the workspace copy, as it is on disk. */
  onDisk(path: string): string;
  /** Takes a picture of the whole window. */
  picture(name: string): Promise<void>;
}

export interface SessionOptions {
  readonly title: string;
  readonly workspace: string;
  /** What is opened of it, a workspace file; the folder itself where left out. */
  readonly open?: string;
  readonly settings?: Readonly<Record<string, unknown>>;
  /** A fresh editor's behaviour: a folder is restricted until it is trusted. */
  readonly askTrust?: boolean;
  readonly size?: { readonly width: number; readonly height: number };
  /** Puts more into the home before the editor starts. */
  readonly prepare?: (home: Home) => void;
}

/** Starts everything, runs `body`, takes everything down; a failure to start counts as a failed test. */
export async function withEditor(options: SessionOptions, body: (session: Session) => Promise<void>): Promise<Outcome> {
  mkdirSync(PICTURES, { recursive: true });
  const home = makeHome(options);
  options.prepare?.(home);
  let server: EditorServer | undefined;
  let browser: Browser | undefined;
  let workbench: Workbench | undefined;
  const suite = makeSuite(options.title, async (test) => {
    await workbench?.screenshot(join(PICTURES, `failed-${test.replace(/\W+/g, "-")}.png`));
  });
  try {
    await suite.test("the editor starts with the packed extension", async () => {
      installVsix(home, VSIX);
      const trust = options.askTrust === true ? [] : ["--disable-workspace-trust"];
      [server, browser] = await Promise.all([startServer(home, trust), launchBrowser()]);
      workbench = await Workbench.open(browser, server.url(join(home.workspace, options.open ?? "")), options.size);
    });
    if (server && browser && workbench) {
      await body({
        workbench,
        home,
        server,
        browser,
        test: suite.test,
        onDisk: (path) => readFileSync(join(home.workspace, path), "utf8"),
        picture: (name) => workbench?.screenshot(join(PICTURES, `${name}.png`)) ?? Promise.resolve(),
      });
    }
  } finally {
    await browser?.close();
    await server?.stop();
    if (process.env.EDITOR_KEEP === undefined) home.remove();
  }
  return suite.outcome;
}

/** The processes that run our language server in this home, from /proc. */
export function languageServers(home: Home): readonly number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      const file = `/proc/${pid}/cmdline`;
      if (!existsSync(file)) return false;
      const command = readCommand(file);
      return command.includes(home.folder) && command.includes("dist/server.cjs");
    })
    .map(Number);
}

/** Empty for a process that ended while it was looked at. */
function readCommand(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

/** Polls until `probe` gives something truthy; fails with `what` after `limit` milliseconds. */
export async function until<T>(what: string, probe: () => T | Promise<T>, limit = 20_000): Promise<NonNullable<T>> {
  for (const end = Date.now() + limit; ; ) {
    const value = await probe();
    if (value) return value;
    if (Date.now() > end) throw new Error(`timed out waiting for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
