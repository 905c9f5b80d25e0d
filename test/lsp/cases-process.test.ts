// Reported faults of other language servers, held against this one: crashes, prints, restarts and trust.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import type { Diagnostic } from "vscode-languageserver/node";
import { tolerationBlanket } from "../../server/src/features/diagnostics/toleration-blanket.ts";
import { tolerationInvalid } from "../../server/src/features/diagnostics/toleration-invalid.ts";
import { GetClusterState, GetContexts, SelectCluster, TrustGranted } from "../../shared/src/protocol.ts";
import { startEditor, until } from "./editor.ts";
import { agent, CLUSTER } from "./fixtures.ts";

const SETTINGS = { cluster: { file: "cluster.yaml" } };
const codes = (diagnostics: readonly Diagnostic[]) => diagnostics.map(({ code }) => code);

afterEach(() => {
  vi.restoreAllMocks();
});

test("K54: a rule that crashes costs its own findings, one line in the log and nothing else", async () => {
  vi.spyOn(tolerationBlanket, "check").mockImplementation(() => {
    throw new Error("the rule fell over");
  });
  const editor = await startEditor({
    files: { "cluster.yaml": CLUSTER, "closed.yaml": agent("closed") },
    settings: SETTINGS,
  });
  editor.open("bad.yaml", agent("bad", ["{key: a, operator: Exist}"]));
  const found = await editor.pushedWhen("bad.yaml", (all) => codes(all).includes("toleration-gap"));
  expect(codes(found)).toContain("toleration-invalid");
  await editor.pushedWhen("closed.yaml", (all) => codes(all).includes("toleration-gap"));
  for (let key = 0; key < 5; key += 1) {
    editor.change("bad.yaml", agent(`bad${key}`, ["{key: a, operator: Exist}"]));
    expect(await editor.ask("hover", "bad.yaml", editor.inside("bad.yaml", "bad"))).not.toBeNull();
  }
  expect(editor.log.filter((line) => line.includes("the rule fell over"))).toHaveLength(1);
});

test("K54: of several rules that crash the rest still speak", async () => {
  for (const rule of [tolerationBlanket, tolerationInvalid]) {
    vi.spyOn(rule, "check").mockImplementation(() => {
      throw new TypeError("undefined is not a function");
    });
  }
  const editor = await startEditor({ files: { "cluster.yaml": CLUSTER }, settings: SETTINGS });
  editor.open("bad.yaml", agent("bad", ["{key: a, operator: Exist}"]));
  const found = await editor.pushedWhen("bad.yaml", (all) => codes(all).includes("toleration-gap"));
  expect(codes(found)).not.toContain("toleration-invalid");
});

test("K55: a server that takes the place of another one says each thing once, of the same cluster", async () => {
  const files = { "cluster.yaml": CLUSTER, "closed.yaml": agent("closed") };
  for (let start = 0; start < 3; start += 1) {
    const editor = await startEditor({
      files,
      options: { trusted: true, cluster: null, commands: [] },
      settings: SETTINGS,
    });
    editor.open("open.yaml", agent("open"));
    await editor.pushedWhen("open.yaml", (all) => codes(all).includes("toleration-gap"));
    await editor.pushedWhen("closed.yaml", (all) => codes(all).includes("toleration-gap"));
    expect(codes(editor.pushed("open.yaml") ?? [])).toEqual(["toleration-gap"]);
    const state = await editor.request(GetClusterState, {});
    expect(state.clusters.map(({ name, origin }) => [name, origin])).toEqual([["cluster", "file"]]);
  }
});

/** Prints as a careless dependency would, once the server reads its input. */
const CARELESS = `
setInterval(() => {
  if (process.stdin.listenerCount("data") + process.stdin.listenerCount("readable") === 0) return;
  console.log("initializing storage ...");
  console.info("more of it");
  process.emitWarning("this is deprecated", "DeprecationWarning");
}, 20);
`;

test("K56: on the way of the command line there is nothing but frames on stdout, whatever a dependency prints", {
  timeout: 60_000,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), "taintwise-frames-"));
  writeFileSync(join(folder, "careless.mjs"), CARELESS);
  const entry = new URL("../../server/src/node/cli.ts", import.meta.url).pathname;
  const child = spawn(process.execPath, ["--import", join(folder, "careless.mjs"), entry, "lsp", "--stdio"], {
    cwd: folder,
  });
  onTestFinished(() => {
    child.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  });
  let out = Buffer.alloc(0);
  child.stdout.on("data", (bytes: Buffer) => {
    out = Buffer.concat([out, bytes]);
  });
  let log = "";
  child.stderr.on("data", (bytes: Buffer) => {
    log += bytes.toString();
  });
  const send = (message: object): void => {
    const body = JSON.stringify({ jsonrpc: "2.0", ...message });
    child.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  };
  const root = pathToFileURL(folder).href;
  send({ id: 1, method: "initialize", params: { processId: null, rootUri: root, capabilities: {} } });
  send({ method: "initialized", params: {} });
  const textDocument = {
    uri: `${root}/x.yaml`,
    languageId: "yaml",
    version: 1,
    text: agent("logger", ["{key: é🚀, operator: Exist}"]),
  };
  send({ method: "textDocument/didOpen", params: { textDocument } });
  await until(
    () => (out.includes("publishDiagnostics") && out.includes("storage") ? true : undefined),
    () => `${out}\n${log}`,
  );
  send({ id: 2, method: "shutdown" });
  await until(
    () => (framesOf(out).some(({ id }) => id === 2) ? true : undefined),
    () => log,
  );
  const frames = framesOf(out);
  // The prints arrive in the client's log.
  expect(frames.filter(({ method }) => method === "window/logMessage").map(({ params }) => params?.message)).toContain(
    "initializing storage ...",
  );
  send({ method: "exit" });
});

interface Frame {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly message?: string };
}

/** The messages of a stream; throws at the first byte that belongs to none. An unfinished last one is left out. */
function framesOf(bytes: Buffer): readonly Frame[] {
  const frames: Frame[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf("\r\n\r\n", at);
    const head = /^Content-Length: (\d+)$/.exec(bytes.subarray(at, end < 0 ? bytes.length : end).toString("latin1"));
    if (head === null) throw new Error(`no frame: ${bytes.subarray(at, at + 80)}`);
    const start = end + 4;
    const length = Number(head[1]);
    if (start + length > bytes.length) return frames;
    frames.push(JSON.parse(bytes.subarray(start, start + length).toString("utf8")));
    at = start + length;
  }
  return frames;
}

const KUBECONFIG = `apiVersion: v1
kind: Config
clusters: [{name: c, cluster: {server: "https://127.0.0.1:1"}}]
users: [{name: u, user: {exec: {apiVersion: client.authentication.k8s.io/v1, command: ./run-me, interactiveMode: Never}}}]
contexts: [{name: evil, context: {cluster: c, user: u}}]
current-context: evil
`;

test("K58: without trust only manifests are analysed; trust takes effect at once", async () => {
  const editor = await startEditor({
    files: {
      "cluster.yaml": CLUSTER,
      "kc.yaml": KUBECONFIG,
      "taintwise.yaml": "clusters:\n- {name: named, context: evil}\n",
    },
    settings: { cluster: { kubeconfig: "kc.yaml", extraPath: ["."] } },
    options: { trusted: false, cluster: null, commands: [] },
  });
  editor.open("a.yaml", agent("a", ["{key: a, operator: Exist}"]));
  expect(codes(await editor.pushedWhen("a.yaml"))).toEqual(["toleration-invalid"]);
  const contexts = await editor.request(GetContexts, {});
  expect(contexts.contexts).toEqual([]);
  expect(contexts.problems.join()).toMatch(/trust/);
  // Not even when somebody asks for it by name.
  const chosen = await editor.request(SelectCluster, {
    choice: { kind: "context", name: "evil", kubeconfig: `${editor.root}/kc.yaml` },
  });
  expect(chosen.clusters).toEqual([]);
  expect(chosen.problems.join()).toMatch(/not trusted/);
  await editor.request(SelectCluster, { choice: { kind: "file", path: `${editor.root}/cluster.yaml` } });
  await editor.pushedWhen("a.yaml", (all) => codes(all).includes("toleration-gap"));
  editor.notify(TrustGranted, {});
  await until(
    async () => {
      const now = await editor.request(GetContexts, {});
      return now.problems.some((problem) => problem.includes("trust")) ? undefined : true;
    },
    () => "still not trusted",
  );
});

test("K58: a file outside of an untrusted workspace is not read on the word of its taintwise.yaml", async () => {
  const outside = mkdtempSync(join(tmpdir(), "taintwise-outside-"));
  onTestFinished(() => rmSync(outside, { recursive: true, force: true }));
  writeFileSync(join(outside, "cluster.yaml"), CLUSTER);
  const editor = await startEditor({
    files: { "taintwise.yaml": `clusters:\n- {name: named, file: ${join(outside, "cluster.yaml")}}\n` },
    options: { trusted: false, cluster: null, commands: [] },
  });
  editor.open("a.yaml", agent("a"));
  expect(await editor.pushedWhen("a.yaml")).toEqual([]);
  expect((await editor.request(GetClusterState, {})).clusters).toEqual([]);
  editor.notify(TrustGranted, {});
  await editor.pushedWhen("a.yaml", (all) => codes(all).includes("toleration-gap"));
});
