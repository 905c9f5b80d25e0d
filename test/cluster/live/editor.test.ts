// A live cluster behind the language server: a taint in the cluster is a diagnostic in the editor within a second,
// without an edit; a cluster that goes away is shown as a memory.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  createMessageConnection,
  type MessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-jsonrpc/node";
import { createConnection, type Diagnostic, type PublishDiagnosticsParams } from "vscode-languageserver/node";
import { serve } from "../../../server/src/lsp/server.ts";
import type { ClusterState } from "../../../shared/src/protocol.ts";
import { eventually } from "../api.ts";
import { buildPrograms } from "../build.ts";
import { type ControlPlane, startControlPlane } from "../control-plane.ts";

const MANIFEST = `apiVersion: apps/v1
kind: DaemonSet
metadata:
  name: exporter
  namespace: default
spec:
  selector: {matchLabels: {app: exporter}}
  template:
    metadata: {labels: {app: exporter}}
    spec:
      hostPID: true
      containers:
        - name: node-exporter
          image: registry.example/node-exporter:1
          volumeMounts: [{name: proc, mountPath: /host/proc}, {name: sys, mountPath: /host/sys}]
      volumes:
        - {name: proc, hostPath: {path: /proc}}
        - {name: sys, hostPath: {path: /sys}}
`;

let cluster: ControlPlane;
let folder = "";
let client: MessageConnection;
const published = new Map<string, readonly Diagnostic[]>();
let state: ClusterState | null = null;

beforeAll(async () => {
  await buildPrograms((line) => console.log(line));
  cluster = await startControlPlane({ controllerManager: true, scheduler: true, kwok: true });
  for (const name of ["a", "b"]) {
    await cluster.api.create("/api/v1/nodes", {
      apiVersion: "v1",
      kind: "Node",
      metadata: { name, annotations: { "kwok.x-k8s.io/node": "fake" } },
    });
  }
  await cluster.kubectl(["apply", "-f", "-"], MANIFEST);
  folder = mkdtempSync(join(tmpdir(), "taintwise-live-editor-"));
  writeFileSync(join(folder, "exporter.yaml"), MANIFEST);
  client = startServer();
  await initialize();
});
afterAll(async () => {
  await client?.sendRequest("shutdown");
  client?.dispose();
  rmSync(folder, { recursive: true, force: true });
  await cluster?.stop();
});

function startServer(): MessageConnection {
  const [toServer, toClient] = [new PassThrough(), new PassThrough()];
  const connection = createConnection(new StreamMessageReader(toServer), new StreamMessageWriter(toClient));
  serve(connection, {
    sources: [],
    readStdin: () => Promise.reject(new Error("no standard input")),
    environment: { ...process.env, KUBECONFIG: cluster.kubeconfigPath },
    storage: join(folder, "storage"),
    now: () => Date.now(),
    exit: () => undefined,
  });
  connection.listen();
  const made = createMessageConnection(new StreamMessageReader(toClient), new StreamMessageWriter(toServer));
  made.onNotification("textDocument/publishDiagnostics", ({ uri, diagnostics }: PublishDiagnosticsParams) => {
    published.set(uri, diagnostics);
  });
  made.onNotification("taintwise/clusterStateChanged", (next: ClusterState) => {
    state = next;
  });
  made.listen();
  return made;
}

const uri = (): string => `file://${join(folder, "exporter.yaml")}`;

async function initialize(): Promise<void> {
  await client.sendRequest("initialize", {
    processId: null,
    rootUri: `file://${folder}`,
    capabilities: {},
    workspaceFolders: [{ uri: `file://${folder}`, name: "ws" }],
    initializationOptions: { trusted: true, cluster: null, commands: [] },
  });
  await client.sendNotification("initialized", {});
  await client.sendNotification("textDocument/didOpen", {
    textDocument: { uri: uri(), languageId: "yaml", version: 1, text: MANIFEST },
  });
}

const codes = (): readonly unknown[] => (published.get(uri()) ?? []).map((diagnostic) => diagnostic.code);

test("no cluster is contacted before one is chosen, and one that is chosen is live", async () => {
  expect(state?.clusters ?? []).toEqual([]);
  await client.sendRequest("taintwise/selectCluster", { choice: { kind: "context", name: "test", kubeconfig: null } });
  const live = await eventually("live", () => state?.clusters.find((each) => each.origin === "live"));
  expect(live).toMatchObject({ name: "test", nodes: 2, missing: [] });
  expect(codes()).toEqual([]);
});

test("a taint is a time bomb in the editor within a second, and goes with the taint", async () => {
  await eventually("pods on both nodes", async () => {
    const { items } = await cluster.api.get("/api/v1/pods");
    return items.filter((pod: { status: { phase: string } }) => pod.status.phase === "Running").length === 2
      ? true
      : undefined;
  });
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  await cluster.kubectl(["taint", "node", "a", "dedicated=rdma:NoSchedule"]);
  const tainted = Date.now();
  await eventually("the time bomb", () => (codes().includes("toleration-time-bomb") ? true : undefined));
  const took = Date.now() - tainted;
  console.log(`from kubectl's end to the diagnostic: ${took} ms`);
  // A second is what is promised; a loaded machine gets more before the test fails.
  expect(took).toBeLessThan(5_000);
  await cluster.kubectl(["taint", "node", "a", "dedicated-"]);
  await eventually("nothing left", () => (codes().length === 0 ? true : undefined));
});

test("a cluster that goes away is shown as a memory with its age", async () => {
  await cluster.stopComponent("kube-apiserver", true);
  const memory = await eventually("a memory", () => state?.clusters.find((each) => each.origin === "cache"), 60_000);
  expect(memory.nodes).toBe(2);
  expect(memory.observedAt).toBeLessThanOrEqual(Date.now());
  expect(state?.problems.join()).toMatch(/nothing listens there|the connection was cut/);
});
