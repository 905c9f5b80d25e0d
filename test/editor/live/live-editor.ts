// One editor with the packed extension on the incident's manifests, and the incident's cluster beside it: for suites
// that want real VS Code against a real control plane. The kubeconfig is the one of the editor's home, so that a person
// chooses its context; nothing of the cluster is known before.
//
//     withLiveEditor({ title: "…" }, async ({ test, explorer, cluster, chooseContext, workbench, picture }) => {
//       await test("the context is chosen", chooseContext);
//       await test("…", async () => { await cluster.taintPool(); await explorer.row(/^rdma-1/).waitFor(); … });
//     });
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ControlPlaneOptions } from "../../cluster/control-plane.ts";
import { type IncidentCluster, MANIFESTS, startIncidentCluster } from "../../cluster/incident-cluster.ts";
import { kubeconfigOf, type TestContext } from "../../cluster/kubeconfig.ts";
import type { Home } from "../code-server.ts";
import { ExplorerPane } from "../explorer-pane.ts";
import { type Session, withEditor } from "../session.ts";
import type { Outcome } from "../suite.ts";

export interface LiveSession extends Session {
  readonly cluster: IncidentCluster;
  readonly explorer: ExplorerPane;
  /** Chooses a context with "Select Cluster" and shows the container; `test` unless named, and then its rows are there. */
  chooseContext(name?: string): Promise<void>;
}

export interface LiveOptions {
  readonly title: string;
  /** The editor's settings. */
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly size?: { readonly width: number; readonly height: number };
  readonly controlPlane?: ControlPlaneOptions;
  /** Manifests that are in the cluster and not in the workspace, as YAML. */
  readonly clusterOnly?: readonly string[];
  /** Contexts beside `test`, the administrator's. */
  readonly contexts?: (cluster: IncidentCluster) => readonly TestContext[];
}

/** Starts the cluster, then the editor; runs `body`; takes everything down. A failure to start counts as a failed test. */
export async function withLiveEditor(
  { title, clusterOnly = [], controlPlane = {}, contexts = () => [], ...editor }: LiveOptions,
  body: (session: LiveSession) => Promise<void>,
): Promise<Outcome> {
  let cluster: IncidentCluster;
  try {
    cluster = await startIncidentCluster(controlPlane, clusterOnly);
  } catch (error) {
    console.log(`\n${title}\n  ✗ the control plane starts\n${error instanceof Error ? error.message : error}`);
    return { passed: 0, failed: 1 };
  }
  const { server, caPath, token } = cluster.controlPlane;
  const kubeconfig = kubeconfigOf([{ name: "test", server, caPath, token }, ...contexts(cluster)]);
  const prepare = (home: Home) => writeKubeconfig(home, kubeconfig);
  try {
    return await withEditor({ title, workspace: MANIFESTS, prepare, ...editor }, (session) => {
      const explorer = new ExplorerPane(session.workbench);
      return body({ ...session, cluster, explorer, chooseContext: (name) => chooseContext(session, explorer, name) });
    });
  } finally {
    await cluster.stop();
  }
}

/** Where kubectl and the product look by themselves. */
export function writeKubeconfig(home: Home, text: string): void {
  mkdirSync(join(home.folder, ".kube"), { recursive: true });
  writeFileSync(join(home.folder, ".kube/config"), text);
}

async function chooseContext({ workbench }: Session, explorer: ExplorerPane, name = "test"): Promise<void> {
  await workbench.commandAndPick("Taintwise: Select Cluster", "Context of the kubeconfig");
  await workbench.quickInputRow(name).click();
  await workbench.quickInput.waitFor({ state: "hidden" });
  await explorer.open();
  if (name !== "test") return;
  await workbench.status().filter({ hasText: "test · live" }).waitFor();
  await explorer.row(/^(rdma|worker)-\d|no taints/, "Nodes").waitFor();
}
