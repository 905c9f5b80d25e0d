// Bench: the language server as editors meet it, a process on stdio: a key stroke in a large file against a large
// cluster, and a large workspace from start to the last diagnostic.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { corpusFiles, corpusFolder } from "../corpus/files.ts";
import { runNode } from "./cli.ts";
import { generateCluster, LARGE_CLUSTER } from "./cluster-generator.ts";
import { LspClient, type Message } from "./lsp-client.ts";
import type { BenchRow } from "./row.ts";

const DIST = new URL("../../dist/", import.meta.url).pathname;
const SERVER = join(DIST, "server.cjs");
const CLI = join(DIST, "cli.js");
const MIB = 2 ** 20;

const WORKLOADS = 60;
const LINES = 5_000;
const KEY_STROKES = 300;
/** Key strokes before measuring: code that has not run yet is not compiled. */
const WARM_UP = 60;

const FILES = 10_000;

/** Rows on key strokes and on a workspace. */
export async function bench(): Promise<readonly BenchRow[]> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "taintwise-bench-lsp-")));
  try {
    return [...(await benchKeyStrokes(folder)), ...(await benchWorkspace(folder))];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function benchKeyStrokes(folder: string): Promise<readonly BenchRow[]> {
  const cluster = generateCluster(LARGE_CLUSTER);
  const items = [...cluster.nodes, ...cluster.daemonSets, { apiVersion: "v1", kind: "PodList", items: [] }];
  const dump = join(folder, "large-cluster.json");
  writeFileSync(dump, JSON.stringify({ apiVersion: "v1", kind: "List", items }, null, 2));
  const client = new LspClient(SERVER, ["--cluster", dump], () => undefined);
  await client.request("initialize", {
    processId: null,
    rootUri: null,
    capabilities: { textDocument: { diagnostic: {} } },
  });
  client.notify("initialized", {});
  await client.request("taintwise/selectCluster", { choice: { kind: "file", path: dump } });

  const uri = pathToFileURL(join(folder, "large.yaml")).href;
  const text = largeManifest();
  const lines = text.split("\n");
  client.notify("textDocument/didOpen", { textDocument: { uri, languageId: "yaml", version: 1, text } });
  const pull = () => client.request("textDocument/diagnostic", { textDocument: { uri } });
  const { items: found } = reportOf(await pull());
  const times: number[] = [];
  for (let stroke = 0; stroke < WARM_UP + KEY_STROKES; stroke += 1) {
    // Somewhere in the values of tolerations, all over the file.
    const targets = lines.flatMap((line, index) => (line.includes("value: typed") ? [index] : []));
    const line = targets[(stroke * 7) % targets.length] ?? 0;
    const place = { line, character: (lines[line] ?? "").length };
    const started = performance.now();
    client.notify("textDocument/didChange", {
      textDocument: { uri, version: stroke + 2 },
      contentChanges: [{ range: { start: place, end: place }, text: "x" }],
    });
    await pull();
    if (stroke >= WARM_UP) times.push(performance.now() - started);
    lines[line] += "x";
  }
  await client.stop();
  times.sort((left, right) => left - right);
  const at = (share: number): number => times[Math.floor(times.length * share)] ?? 0;
  return [
    {
      what: "key stroke to diagnostics, p95",
      measured: at(0.95),
      limit: 10,
      unit: "ms",
      beside: `${lines.length} lines, ${WORKLOADS} workloads, ${found.length} diagnostics, ${LARGE_CLUSTER.nodes} nodes; median ${at(0.5).toFixed(1)} ms, most ${at(0.999).toFixed(1)} ms; with both ways over stdio`,
    },
  ];
}

/** A file of DaemonSets, most of them closed to some pool, padded to its length by what manifests are full of. */
export function largeManifest(): string {
  const documents: string[] = [];
  for (let index = 0; index < WORKLOADS; index += 1) {
    const head = [
      "apiVersion: apps/v1",
      "kind: DaemonSet",
      `metadata: {name: agent-${index}, namespace: platform}`,
      "spec:",
      `  selector: {matchLabels: {app: agent-${index}}}`,
      "  template:",
      `    metadata: {labels: {app: agent-${index}}}`,
      "    spec:",
      ...(index % 2 === 0 ? [`      nodeSelector: {example.com/kind-${index % 8 === 0 ? 1 : 2}: a}`] : []),
      "      tolerations:",
      "      - {key: sla, operator: Exists}",
      "      - key: dedicated",
      "        value: typed",
      "        effect: NoSchedule",
      "      containers:",
      "      - name: agent",
      "        image: registry.example.com/agent:1",
      "        volumeMounts: [{name: logs, mountPath: /var/log/pods, readOnly: true}]",
      "        env:",
    ];
    const tail = ["      volumes: [{name: logs, hostPath: {path: /var/log/pods}}]"];
    const pairs = Math.floor((LINES / WORKLOADS - head.length - tail.length - 1) / 2);
    const env = Array.from({ length: pairs }, (_, pair) => [
      `        - name: SETTING_${pair}`,
      `          value: "value ${pair} of agent ${index}"`,
    ]);
    documents.push([...head, ...env.flat(), ...tail, ""].join("\n"));
  }
  return documents.join("---\n");
}

async function benchWorkspace(folder: string): Promise<readonly BenchRow[]> {
  const workspace = join(folder, "workspace");
  const source = fillWorkspace(workspace);
  const cluster = join(folder, "small-cluster.json");
  const { nodes, daemonSets } = generateCluster({ ...LARGE_CLUSTER, nodes: 200, daemonSets: 50, taintSets: 8 });
  writeFileSync(cluster, JSON.stringify({ apiVersion: "v1", kind: "List", items: [...nodes, ...daemonSets] }));
  const open = join(workspace, "open.yaml");
  writeFileSync(open, largeManifest().split("---\n")[0] ?? "");

  let check = Number.POSITIVE_INFINITY;
  for (let run = 0; run < 3; run += 1) {
    const { milliseconds } = await runNode([CLI, "check", workspace, "--cluster", cluster, "--format", "json"]);
    check = Math.min(check, milliseconds);
  }
  const runs = [await openWorkspace(workspace, cluster, open), await openWorkspace(workspace, cluster, open)];
  const [best] = runs.sort((left, right) => left.ready - right.ready);
  if (best === undefined) return [];
  const first = Math.min(...runs.map((run) => run.first));
  return [
    {
      what: "first open file's diagnostics",
      measured: first,
      limit: 500,
      unit: "ms",
      beside: "from the start of the process, while the workspace is checked",
    },
    {
      what: "workspace ready",
      measured: best.ready,
      limit: 1.5 * check,
      unit: "ms",
      beside: `${source}, ${best.files} with diagnostics; cold check of the same files on the command line ${check.toFixed(0)} ms`,
    },
    {
      what: "memory after it",
      measured: best.memory.now / MIB,
      limit: 350,
      unit: "MiB",
      beside: `at most ${(best.memory.most / MIB).toFixed(0)} MiB`,
    },
  ];
}

/** Copies of the corpus where there is one, else generated manifests among other files; says which. */
function fillWorkspace(workspace: string): string {
  const corpus = corpusFolder();
  if (corpus === null) {
    const documents = largeManifest().split("---\n");
    for (let index = 0; index < FILES; index += 1) {
      const path = join(workspace, `team-${index % 50}`, `${index}.yaml`);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(
        path,
        index % 5 === 0 ? (documents[index % WORKLOADS] ?? "") : `name: ${index}\nvalues: [1, 2, 3]\n`,
      );
    }
    return `${FILES} generated files`;
  }
  const files = corpusFiles(corpus);
  for (let copied = 0; copied < FILES; copied += files.length) {
    for (const { path } of files.slice(0, FILES - copied)) {
      const target = join(workspace, String(copied), path);
      mkdirSync(dirname(target), { recursive: true });
      cpSync(join(corpus, path), target);
    }
  }
  return `${FILES} files of the corpus`;
}

interface WorkspaceRun {
  readonly first: number;
  readonly ready: number;
  readonly files: number;
  readonly memory: { readonly now: number; readonly most: number };
}

/** Starts a server on the workspace with one open file; times are from the start of its process. */
async function openWorkspace(workspace: string, cluster: string, open: string): Promise<WorkspaceRun> {
  const uri = pathToFileURL(open).href;
  const started = performance.now();
  let first = 0;
  const told = new Set<string>();
  const ready = Promise.withResolvers<number>();
  const client = new LspClient(SERVER, ["--cluster", cluster], ({ method, params }: Message) => {
    if (method === "textDocument/publishDiagnostics") {
      const { uri: about, diagnostics } = pushOf(params);
      if (about === uri && diagnostics > 0 && first === 0) first = performance.now() - started;
      if (diagnostics > 0) told.add(about);
    } else if (method === "$/progress" && kindOf(params) === "end") {
      ready.resolve(performance.now() - started);
    }
  });
  const root = pathToFileURL(workspace).href;
  await client.request("initialize", {
    processId: null,
    rootUri: root,
    workspaceFolders: [{ uri: root, name: "workspace" }],
    capabilities: { window: { workDoneProgress: true }, textDocument: { publishDiagnostics: {} } },
  });
  client.notify("initialized", {});
  const text = readFileSync(open, "utf8");
  client.notify("textDocument/didOpen", { textDocument: { uri, languageId: "yaml", version: 1, text } });
  const end = await ready.promise;
  // What the last slice pushed is still on its way.
  await client.request("taintwise/clusterState", {});
  const memory = client.memory();
  await client.stop();
  return { first, ready: end, files: told.size, memory };
}

function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

function reportOf(result: unknown): { readonly items: readonly unknown[] } {
  const items = field(result, "items");
  return { items: Array.isArray(items) ? items : [] };
}

function pushOf(params: unknown): { readonly uri: string; readonly diagnostics: number } {
  const diagnostics = field(params, "diagnostics");
  return { uri: String(field(params, "uri")), diagnostics: Array.isArray(diagnostics) ? diagnostics.length : 0 };
}

function kindOf(params: unknown): unknown {
  return field(field(params, "value"), "kind");
}
