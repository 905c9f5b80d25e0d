// Bench: the language server itself, a process on stdio with an open manifest, following a context.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { LspClient, type Message } from "../../bench/lsp-client.ts";

const SERVER = new URL("../../../dist/server.cjs", import.meta.url).pathname;

/** A platform agent that tolerates nothing: whatever cluster it is held against, its tainted nodes are gaps. */
const MANIFEST = `apiVersion: apps/v1
kind: DaemonSet
metadata: {name: exporter, namespace: default}
spec:
  selector: {matchLabels: {app: exporter}}
  template:
    metadata: {labels: {app: exporter}}
    spec:
      hostPID: true
      containers:
        - name: node-exporter
          image: registry.example.com/node-exporter:1
          volumeMounts: [{name: proc, mountPath: /host/proc}, {name: sys, mountPath: /host/sys}]
      volumes:
        - {name: proc, hostPath: {path: /proc}}
        - {name: sys, hostPath: {path: /sys}}
`;

/** Milliseconds from the choice of the context. */
export interface FollowTimes {
  /** Until the cluster's last state is shown; null where none is remembered. */
  readonly remembered: number | null;
  /** Until the model is whole. */
  readonly live: number;
  /** Until the open manifest was judged by it. */
  readonly judged: number;
}

export class BenchedServer {
  readonly #folder = mkdtempSync(join(tmpdir(), "taintwise-bench-server-"));
  readonly #client: LspClient;
  readonly #judged = Promise.withResolvers<void>();
  #chosen = 0;
  #remembered: number | null = null;
  #live: number | null = null;
  #diagnosed = false;

  /** `storage` is where clusters are remembered between two servers. */
  constructor(kubeconfig: string, storage: string) {
    writeFileSync(join(this.#folder, "exporter.yaml"), MANIFEST);
    // The client hands its own environment on.
    process.env.KUBECONFIG = kubeconfig;
    process.env.TAINTWISE_STORAGE = storage;
    this.#client = new LspClient(SERVER, [], (message) => this.#hear(message));
  }

  get uri(): string {
    return pathToFileURL(join(this.#folder, "exporter.yaml")).href;
  }

  get memory(): { readonly now: number; readonly most: number } {
    return this.#client.memory();
  }

  /** Milliseconds. */
  get cpu(): number {
    return this.#client.cpu();
  }

  /** Starts, opens the manifest, chooses the context and waits until the manifest was judged by its whole model. */
  async follow(): Promise<FollowTimes> {
    const root = pathToFileURL(this.#folder).href;
    await this.#client.request("initialize", {
      processId: null,
      rootUri: root,
      workspaceFolders: [{ uri: root, name: "bench" }],
      capabilities: {},
      initializationOptions: { trusted: true, cluster: null, commands: [] },
    });
    this.#client.notify("initialized", {});
    const textDocument = { uri: this.uri, languageId: "yaml", version: 1, text: MANIFEST };
    this.#client.notify("textDocument/didOpen", { textDocument });
    this.#chosen = performance.now();
    const choice = { kind: "context", name: "test", kubeconfig: null };
    await this.#client.request("taintwise/selectCluster", { choice });
    await this.#judged.promise;
    return { remembered: this.#remembered, live: this.#live ?? 0, judged: performance.now() - this.#chosen };
  }

  /** Milliseconds of one question from an editor: a hover over the tolerations that are not there. */
  async hover(): Promise<number> {
    const asked = performance.now();
    const position = { line: 2, character: 18 };
    await this.#client.request("textDocument/hover", { textDocument: { uri: this.uri }, position });
    return performance.now() - asked;
  }

  /** Milliseconds of a key stroke and its way back: a change, then a question about the text. */
  async type(version: number): Promise<number> {
    const asked = performance.now();
    const place = { line: 11, character: 53 };
    this.#client.notify("textDocument/didChange", {
      textDocument: { uri: this.uri, version },
      contentChanges: [{ range: { start: place, end: place }, text: "1" }],
    });
    await this.hover();
    return performance.now() - asked;
  }

  async stop(): Promise<void> {
    await this.#client.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #hear({ method, params }: Message): void {
    if (method === "taintwise/clusterStateChanged") {
      const state = firstCluster(params);
      if (state === "cache") this.#remembered ??= performance.now() - this.#chosen;
      if (state === "live") this.#live ??= performance.now() - this.#chosen;
    } else if (method === "textDocument/publishDiagnostics") {
      const diagnostics = field(params, "diagnostics");
      this.#diagnosed = Array.isArray(diagnostics) && diagnostics.length > 0;
    }
    // Where a memory had told the same, nothing is published again.
    if (this.#live !== null && this.#diagnosed) this.#judged.resolve();
  }
}

/** The origin of the first cluster of a state, once nothing of it is missing. */
function firstCluster(params: unknown): unknown {
  const clusters = field(params, "clusters");
  const first = Array.isArray(clusters) ? clusters[0] : null;
  const missing = field(first, "missing");
  return Array.isArray(missing) && missing.length === 0 ? field(first, "origin") : null;
}

function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
