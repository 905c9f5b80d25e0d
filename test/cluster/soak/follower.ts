// The process whose memory the soak looks at: what the language server does with a live context, and nothing else. It
// follows, remembers the model on disk and judges an open manifest by every model; it answers by messages.
import { readdirSync } from "node:fs";
import { Session } from "../../../server/src/analysis/session.ts";
import type { ClusterModel } from "../../../server/src/cluster/model.ts";
import { DEFAULT_CONFIG } from "../../../server/src/config/workspace.ts";
import { diagnosticEngine } from "../../../server/src/features/engine.ts";
import { ClusterPool } from "../../../server/src/lsp/clusters/cluster-pool.ts";
import { contextFollower } from "../../../server/src/lsp/clusters/follow-context.ts";
import type { ClusterSource } from "../../../server/src/lsp/clusters/source.ts";
import { essence } from "../live/essence.ts";
import { MANIFEST } from "./churn.ts";

/** What the process is asked. */
export type Question = "standing" | "usage" | "stop";

/** The model as it is, and how many were given out. */
export interface Standing {
  readonly origin: string;
  readonly lines: readonly string[];
  readonly models: number;
  readonly problems: readonly string[];
}

/** What the process holds after its garbage was collected. */
export interface Usage {
  /** Bytes. */
  readonly heap: number;
  /** Bytes that the engine keeps for its heap, used or not. */
  readonly reserved: number;
  /** Bytes outside of the heap: buffers. */
  readonly external: number;
  /** Bytes, as the kernel counts. */
  readonly resident: number;
  /** Open file descriptors, sockets among them. */
  readonly descriptors: number;
  /** What keeps the event loop alive: sockets, timers, requests. */
  readonly handles: number;
}

const [kubeconfig = "", storage = ""] = process.argv.slice(2);
const source: ClusterSource = { kind: "context", context: "test", kubeconfig, name: null };
const session = new Session(diagnosticEngine(), { clusters: [], config: DEFAULT_CONFIG });
const facts = { path: "agent.yaml", location: "/agent.yaml", inChart: null, rendered: false };
session.setFile("agent", { facts, text: MANIFEST });
let given: ClusterModel | null = null;
let models = 0;
const pool: ClusterPool = new ClusterPool({
  readStdin: () => Promise.reject(new Error("no standard input")),
  followContext: contextFollower({
    kubeconfig: () => kubeconfig,
    extraPath: () => [],
    namespaces: () => [],
    signInTimeout: () => 60,
    storage,
    log: () => undefined,
    trusted: () => true,
    environment: process.env,
    permission: () => ({ folders: [], askable: false, chosen: true, ask: () => Promise.resolve(false) }),
    signIn: { onRun: () => () => undefined, onLine: () => undefined },
  }),
  onChange: () => {
    const { model } = pool.get(source);
    if (model === null || model === given) return;
    given = model;
    models += 1;
    session.setClusters([model]);
    session.snapshot.diagnoses("agent");
  },
});
pool.get(source);

function standing(): Standing {
  const { model, problems } = pool.get(source);
  return { origin: model?.origin ?? "none", lines: model === null ? [] : essence(model), models, problems };
}

function usage(): Usage {
  for (let times = 0; times < 3; times += 1) globalThis.gc?.();
  const { heapUsed, heapTotal, external, rss } = process.memoryUsage();
  return {
    heap: heapUsed,
    reserved: heapTotal,
    external,
    resident: rss,
    descriptors: readdirSync("/proc/self/fd").length,
    handles: process.getActiveResourcesInfo().length,
  };
}

process.on("message", (question: Question) => {
  if (question === "stop") void pool.dispose().then(() => process.exit(0));
  else process.send?.(question === "standing" ? standing() : usage());
});
// Whoever started it is gone.
process.on("disconnect", () => process.exit(1));
