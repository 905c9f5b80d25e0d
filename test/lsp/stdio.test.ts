// The server as a process on stdio: nothing but frames on its standard output, whatever happens; and it goes when asked.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { agent, CLUSTER } from "./fixtures.ts";

const ENTRY = new URL("../../server/src/node/lsp.ts", import.meta.url).pathname;
const PATIENCE = 30_000;

interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: { readonly uri?: string; readonly diagnostics?: readonly { readonly code?: unknown }[] };
  readonly result?: unknown;
}

/** A server process whose standard output is taken apart byte by byte. */
class StdioServer {
  readonly messages: Message[] = [];
  /** Bytes that are no frame; a stray print would be here. */
  stray = "";
  stderr = "";
  readonly child: ChildProcess;
  #pending = Buffer.alloc(0);
  #ids = 0;

  constructor(args: readonly string[], cwd: string) {
    this.child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", ENTRY, ...args], { cwd });
    this.child.stdout?.on("data", (bytes: Buffer) => this.#take(bytes));
    this.child.stderr?.on("data", (bytes: Buffer) => {
      this.stderr += bytes.toString();
    });
  }

  #take(bytes: Buffer): void {
    this.#pending = Buffer.concat([this.#pending, bytes]);
    for (;;) {
      const head = /^Content-Length: (\d+)\r\n\r\n/.exec(this.#pending.subarray(0, 100).toString("latin1"));
      if (head === null) {
        // A frame's head may still be on its way; anything else is a print.
        if (!"Content-Length: ".startsWith(this.#pending.subarray(0, 16).toString("latin1").slice(0, 16)))
          this.stray += this.#pending.toString();
        return;
      }
      const [start, length] = [head[0].length, Number(head[1])];
      if (this.#pending.length < start + length) return;
      this.messages.push(JSON.parse(this.#pending.subarray(start, start + length).toString("utf8")));
      this.#pending = this.#pending.subarray(start + length);
    }
  }

  send(message: object): void {
    const body = JSON.stringify({ jsonrpc: "2.0", ...message });
    this.child.stdin?.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  }

  async request(method: string, params: object | null): Promise<unknown> {
    this.#ids += 1;
    const id = this.#ids;
    this.send({ id, method, ...(params === null ? {} : { params }) });
    return (await this.message((each) => each.id === id && each.method === undefined)).result;
  }

  async message(passes: (message: Message) => boolean): Promise<Message> {
    const end = performance.now() + PATIENCE;
    for (;;) {
      const found = this.messages.find(passes);
      if (found !== undefined) return found;
      if (performance.now() > end || this.child.exitCode !== null) throw new Error(`never came\n${this.stderr}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  exit(): Promise<number | null> {
    return new Promise((resolve) => {
      if (this.child.exitCode !== null) resolve(this.child.exitCode);
      else this.child.once("exit", resolve);
    });
  }
}

function start(args: (folder: string) => readonly string[]): { readonly server: StdioServer; readonly folder: string } {
  const folder = mkdtempSync(join(tmpdir(), "taintwise-stdio-"));
  writeFileSync(join(folder, "cluster.yaml"), CLUSTER);
  const server = new StdioServer(args(folder), folder);
  onTestFinished(() => {
    server.child.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  });
  return { server, folder };
}

test("diagnostics over stdio against the cluster of the command line, and an end when asked", {
  timeout: 60_000,
}, async () => {
  const { server, folder } = start((path) => ["--stdio", "--cluster", join(path, "cluster.yaml")]);
  const root = pathToFileURL(folder).href;
  const uri = `${root}/agent.yaml`;
  // An editor that says as little as the protocol allows.
  const answer = await server.request("initialize", { processId: null, rootUri: root, capabilities: {} });
  expect(answer).toMatchObject({ serverInfo: { name: "taintwise" }, capabilities: { hoverProvider: true } });
  server.send({ method: "initialized", params: {} });
  const textDocument = { uri, languageId: "yaml", version: 1, text: agent("logger") };
  server.send({ method: "textDocument/didOpen", params: { textDocument } });
  const told = await server.message(
    ({ params }) => params?.uri === uri && params.diagnostics?.some(({ code }) => code === "toleration-gap") === true,
  );
  expect(told.method).toBe("textDocument/publishDiagnostics");
  await expect(server.request("taintwise/unheardOf", {})).resolves.toBeUndefined();
  expect(await server.request("shutdown", null)).toBeNull();
  server.send({ method: "exit" });
  expect(await server.exit()).toBe(0);
  expect(server.stray).toBe("");
});

test("a cluster file that is not there ends nothing and prints nothing", { timeout: 60_000 }, async () => {
  const { server, folder } = start((path) => ["--stdio", `--cluster=${join(path, "gone.yaml")}`]);
  await server.request("initialize", { processId: null, rootUri: pathToFileURL(folder).href, capabilities: {} });
  server.send({ method: "initialized", params: {} });
  const state = await server.message(({ method, params }) => {
    return method === "taintwise/clusterStateChanged" && JSON.stringify(params).includes("gone.yaml");
  });
  expect(state.method).toBe("taintwise/clusterStateChanged");
  server.child.stdin?.write("this is no frame\r\n\r\n");
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(server.stray).toBe("");
});
