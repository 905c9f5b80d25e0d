// A real Kubernetes control plane for tests, on loopback, in a temporary
// folder: etcd and the API server, and on demand the controllers, the
// scheduler and KWOK's stand-in kubelets.
import { generateKeyPairSync, randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ApiClient, apiClient, eventually } from "./api.ts";
import { kubeconfig, type TokenUser, tokenFile } from "./kubeconfig.ts";
import { runKubectl } from "./kubectl.ts";
import { kwokStagePaths, programPath } from "./modules.ts";
import { freePorts, logTail, type ProcessGroup, processGroup, type RunningProcess } from "./processes.ts";

export type { TokenUser } from "./kubeconfig.ts";

/** What to start; etcd and the API server always are. */
export interface ControlPlaneOptions {
  readonly controllerManager?: boolean;
  readonly scheduler?: boolean;
  /** Stand-in kubelets for every node: leases, heartbeats, pods that become Running. */
  readonly kwok?: boolean;
  /** RBAC binds nothing but the administrator; see `users`. */
  readonly authorization?: "AlwaysAllow" | "RBAC";
  readonly users?: readonly TokenUser[];
  /** Feature gates for all components. */
  readonly featureGates?: Readonly<Record<string, boolean>>;
  /** Flags appended to a component's own, which they override. */
  readonly flags?: Readonly<Partial<Record<Component, readonly string[]>>>;
}

/** The parts of a control plane. */
export type Component = "etcd" | "kube-apiserver" | "kube-controller-manager" | "kube-scheduler" | "kwok";

/** A started control plane. */
export interface ControlPlane {
  /** https://127.0.0.1:PORT */
  readonly server: string;
  /** etcd's own address, http://127.0.0.1:PORT: for tests that write more than the server could take. */
  readonly etcd: string;
  readonly caPath: string;
  /** The administrator's token. */
  readonly token: string;
  /** A kubeconfig of the administrator with one context, `test`. */
  readonly kubeconfigPath: string;
  /** The temporary folder; logs lie in it as COMPONENT.log. Gone after stop(). */
  readonly folder: string;
  readonly api: ApiClient;
  /** Component → process id, of those that run. */
  pids(): Readonly<Partial<Record<Component, number>>>;
  /** Runs kubectl as the administrator and gives its standard output; rejects with its standard error. */
  kubectl(args: readonly string[], input?: string): Promise<string>;
  /** The administrator's kubeconfig with another user's token. */
  kubeconfigFor(user: TokenUser): string;
  /** Stops one component, by SIGKILL when `hard`. */
  stopComponent(component: Component, hard?: boolean): Promise<void>;
  /** Starts a stopped component on its old port and data, and waits until it answers. */
  startComponent(component: Component): Promise<void>;
  /** Stops everything and removes the folder. */
  stop(): Promise<void>;
}

/** The controllers that decide about pods and nodes; the others would only take time. */
const controllers = [
  "daemonset-controller",
  "deployment-controller",
  "replicaset-controller",
  "statefulset-controller",
  "job-controller",
  "node-lifecycle-controller",
  "taint-eviction-controller",
  "pod-garbage-collector-controller",
  "garbage-collector-controller",
  "namespace-controller",
  "disruption-controller",
];

/** Milliseconds until a component must answer; a server with a million objects on a busy machine takes its time. */
const startTimeout = 600_000;

/** How often start() tries other ports when one was taken in between. */
const attempts = 3;

/**
 * Starts a control plane and resolves when the API server is ready and has its
 * default namespaces. Rejects, with everything stopped, when a component dies
 * or is not ready in time; the message holds the end of its log.
 */
export async function startControlPlane(options: ControlPlaneOptions = {}): Promise<ControlPlane> {
  for (let attempt = 1; ; attempt++) {
    const folder = mkdtempSync(join(tmpdir(), "taintwise-cluster-"));
    const processes = processGroup(folder);
    try {
      return await startIn(folder, processes, options);
    } catch (error) {
      await processes.stop();
      rmSync(folder, { recursive: true, force: true });
      const taken = error instanceof Error && error.message.includes("address already in use");
      if (!taken || attempt === attempts) throw error;
    }
  }
}

async function startIn(folder: string, processes: ProcessGroup, options: ControlPlaneOptions): Promise<ControlPlane> {
  const [etcdPort = 0, peerPort = 0, apiPort = 0] = await freePorts(3);
  const token = randomBytes(16).toString("hex");
  const paths = {
    certificates: join(folder, "certificates"),
    ca: join(folder, "certificates/apiserver.crt"),
    kubeconfig: join(folder, "kubeconfig"),
    key: join(folder, "service-account.key"),
    tokens: join(folder, "tokens.csv"),
  };
  const server = `https://127.0.0.1:${apiPort}`;
  mkdirSync(paths.certificates);
  const { privateKey } = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
  writeFileSync(paths.key, privateKey);
  writeFileSync(
    paths.tokens,
    tokenFile([{ name: "admin", token, groups: ["system:masters"] }, ...(options.users ?? [])]),
  );
  writeFileSync(paths.kubeconfig, kubeconfig(server, paths.ca, "admin", token));

  const gates = Object.entries(options.featureGates ?? {}).map(([gate, on]) => `${gate}=${on}`);
  const common = gates.length === 0 ? [] : ["--feature-gates", gates.join(",")];
  const client = ["--kubeconfig", paths.kubeconfig];
  const flags: Readonly<Record<Component, () => readonly string[]>> = {
    etcd: () => [
      ...["--data-dir", join(folder, "etcd"), "--unsafe-no-fsync", "--log-level", "error"],
      ...[
        "--listen-client-urls",
        `http://127.0.0.1:${etcdPort}`,
        "--advertise-client-urls",
        `http://127.0.0.1:${etcdPort}`,
      ],
      ...[
        "--listen-peer-urls",
        `http://127.0.0.1:${peerPort}`,
        "--initial-advertise-peer-urls",
        `http://127.0.0.1:${peerPort}`,
      ],
      ...["--initial-cluster", `default=http://127.0.0.1:${peerPort}`],
    ],
    "kube-apiserver": () => [
      ...["--etcd-servers", `http://127.0.0.1:${etcdPort}`, "--cert-dir", paths.certificates],
      ...["--secure-port", `${apiPort}`, "--bind-address", "127.0.0.1", "--advertise-address", "127.0.0.1"],
      ...["--endpoint-reconciler-type", "none", "--service-cluster-ip-range", "10.0.0.0/24"],
      ...["--service-account-issuer", "https://kubernetes.default.svc"],
      ...["--service-account-key-file", paths.key, "--service-account-signing-key-file", paths.key],
      ...["--token-auth-file", paths.tokens, "--authorization-mode", options.authorization ?? "AlwaysAllow"],
      // Pods of the tests have no service account, and some are privileged.
      ...["--disable-admission-plugins", "ServiceAccount", "--allow-privileged"],
      ...common,
    ],
    "kube-controller-manager": () => [
      ...client,
      ...["--leader-elect=false", "--secure-port", "0", "--controllers", controllers.join(",")],
      ...["--kube-api-qps", "500", "--kube-api-burst", "1000"],
      ...common,
    ],
    "kube-scheduler": () => [
      ...client,
      ...["--leader-elect=false", "--secure-port", "0", "--kube-api-qps", "500", "--kube-api-burst", "1000"],
      ...common,
    ],
    kwok: () => [
      ...client,
      ...["--manage-all-nodes", "--node-lease-duration-seconds", "40"],
      ...kwokStagePaths().flatMap((path) => ["--config", path]),
    ],
  };

  const running = new Map<Component, RunningProcess>();
  const api = apiClient(server, paths.ca, token);
  const start = async (component: Component): Promise<void> => {
    const args = [...flags[component](), ...(options.flags?.[component] ?? [])];
    const process = processes.start(component, programPath(component), args);
    running.set(component, process);
    const ask = readiness(component, api, etcdPort);
    await eventually(
      `${component} ready`,
      async () => {
        if (!process.alive()) throw new Error(`${component} ended:\n${logTail(process)}`);
        return (await ask()) ? true : undefined;
      },
      startTimeout,
    ).catch((error: unknown) => {
      throw new Error(`${error instanceof Error ? error.message : error}\n${logTail(process)}`);
    });
  };
  const wanted: readonly [Component, boolean | undefined][] = [
    ["etcd", true],
    ["kube-apiserver", true],
    ["kube-controller-manager", options.controllerManager],
    ["kube-scheduler", options.scheduler],
    ["kwok", options.kwok],
  ];
  for (const [component, on] of wanted) if (on) await start(component);

  return {
    server,
    etcd: `http://127.0.0.1:${etcdPort}`,
    caPath: paths.ca,
    token,
    kubeconfigPath: paths.kubeconfig,
    folder,
    api,
    pids: () => Object.fromEntries([...running].filter(([, p]) => p.alive()).map(([name, p]) => [name, p.pid])),
    kubectl: (args, input) => runKubectl(["--kubeconfig", paths.kubeconfig, ...args], input),
    kubeconfigFor: (user) => kubeconfig(server, paths.ca, user.name, user.token),
    stopComponent: async (component, hard = false) =>
      hard ? running.get(component)?.kill() : running.get(component)?.stop(),
    startComponent: start,
    async stop() {
      api.close();
      await processes.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** How to tell that a component answers. */
function readiness(component: Component, api: ApiClient, etcdPort: number): () => Promise<boolean> {
  const started = Date.now();
  switch (component) {
    case "etcd":
      return () => succeeds(fetch(`http://127.0.0.1:${etcdPort}/health`));
    case "kube-apiserver":
      // Ready comes before the namespaces, and nothing can be created without one.
      return async () => (await succeeds(api.get("/readyz"))) && succeeds(api.get("/api/v1/namespaces/default"));
    default:
      // The others serve nothing here; one with a bad flag ends at once.
      return async () => Date.now() - started > 500;
  }
}

async function succeeds(question: Promise<unknown>): Promise<boolean> {
  try {
    await question;
    return true;
  } catch {
    return false;
  }
}
