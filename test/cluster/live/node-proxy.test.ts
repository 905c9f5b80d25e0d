// Asking a kubelet through a real API server: the documented role is enough and needed, one node can be granted by
// itself, and whatever a kubelet answers, the cluster is followed on. The kubelet is a stand-in; its refusals are those
// of kubelet 1.37.
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { ExplorerReport, type ExplorerRow, ExplorerRows } from "../../../shared/src/explorer.ts";
import { ENTRY } from "../../cli/command.ts";
import { startEditor, until } from "../../lsp/editor.ts";
import { buildPrograms } from "../build.ts";
import { type ControlPlane, startControlPlane } from "../control-plane.ts";
import { nodeAddress, type StandInKubelet, startKubelet } from "./kubelet.ts";

const ON_CALL = { name: "on-call", token: "on-call-token" };
const BINDINGS = "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings";
const ROLES = "/apis/rbac.authorization.k8s.io/v1/clusterroles";
const STEPS = 5;
const SUMMARY = {
  node: {
    nodeName: "n1",
    memory: { time: "2026-01-01T00:00:00Z", availableBytes: 50 * 1024 ** 2, workingSetBytes: 4 * 1024 ** 3 },
    fs: { availableBytes: 60, capacityBytes: 100, inodesFree: 90, inodes: 100 },
    runtime: { imageFs: { availableBytes: 60, capacityBytes: 100, inodesFree: 90, inodes: 100 } },
    rlimit: { maxpid: 32768, curproc: 400 },
  },
  pods: [],
};

const address = nodeAddress();
let cluster: ControlPlane;
let kubelet: StandInKubelet;
let folder = "";
let kubeconfig = "";

beforeAll(async () => {
  if (address === null) return;
  await buildPrograms((line) => console.log(line));
  kubelet = await startKubelet(address);
  cluster = await startControlPlane({ authorization: "RBAC", users: [ON_CALL] });
  await cluster.kubectl(["apply", "-f", "docs/rbac.yaml", "-f", "docs/rbac-node-proxy.yaml"]);
  await bind("taintwise");
  await cluster.api.create(ROLES, {
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "ClusterRole",
    metadata: { name: "one-node" },
    rules: [{ apiGroups: [""], resources: ["nodes/proxy"], resourceNames: ["n1"], verbs: ["get"] }],
  });
  for (const name of ["n1", "n2"]) await createNode(name, address, kubelet.port);
  folder = mkdtempSync(join(tmpdir(), "taintwise-node-proxy-"));
  kubeconfig = join(folder, "kubeconfig");
  writeFileSync(kubeconfig, cluster.kubeconfigFor(ON_CALL));
});
afterAll(async () => {
  await kubelet?.stop();
  await cluster?.stop();
  if (folder !== "") rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => kubelet?.answer(wellAnswer));

const unbind = (role: string) => cluster.api.delete(`${BINDINGS}/${role}`).catch(() => undefined);
const bind = async (role: string) => {
  await unbind(role);
  return cluster.api.create(BINDINGS, {
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "ClusterRoleBinding",
    metadata: { name: role },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: role },
    subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: ON_CALL.name }],
  });
};

/** A node whose kubelet has said where it listens and what it runs; a test that is tried again makes it anew. */
async function createNode(name: string, at: string, port: number): Promise<void> {
  await cluster.api.delete(`/api/v1/nodes/${name}`).catch(() => undefined);
  const node = await cluster.api.create("/api/v1/nodes", { apiVersion: "v1", kind: "Node", metadata: { name } });
  await cluster.api.replace(`/api/v1/nodes/${name}/status`, {
    ...node,
    status: {
      ...node.status,
      addresses: [{ type: "InternalIP", address: at }],
      daemonEndpoints: { kubeletEndpoint: { Port: port } },
      nodeInfo: { ...node.status.nodeInfo, operatingSystem: "linux", containerRuntimeVersion: "containerd://2.1.4" },
    },
  });
}

/** Now, as journalctl's short-precise output writes it: older lines are not judged. */
function journalTime(): string {
  const [, day, month, , time] = new Date().toUTCString().split(" ");
  return `${month} ${day} ${time}.000001`;
}

function wellAnswer(path: string, response: ServerResponse): void {
  if (path === "/stats/summary") {
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(SUMMARY));
  } else if (path === "/logs/") {
    response.setHeader("content-type", "text/plain;charset=UTF-8");
    response.end(
      `${journalTime()} n1 kubelet[1]: E0101 00:00:00.000001       1 x.go:1] "Sync" err="PLEG is not healthy"\n`,
    );
  } else response.writeHead(404).end("404 page not found\n");
}

interface Step {
  readonly state: string;
  readonly seen: readonly string[];
}

/** The steps that the kubelet answers, as `taintwise triage NODE --node-proxy` prints them. */
async function onNode(node: string): Promise<readonly Step[]> {
  const words = ["triage", node, "--context", "test", "--node-proxy", "--format", "json"];
  const env = { PATH: process.env.PATH, KUBECONFIG: kubeconfig, TAINTWISE_STORAGE: dirname(kubeconfig) };
  // Not waited for synchronously: the kubelet lives in this process.
  const stdout = await new Promise<string>((resolve, reject) => {
    execFile(process.execPath, [ENTRY, ...words], { env }, (error, printed, complaint) => {
      if (printed === "") reject(error ?? new Error(complaint));
      else resolve(printed);
    });
  });
  const [{ steps }] = JSON.parse(stdout).investigations;
  return steps.slice(STEPS);
}
const told = (steps: readonly Step[]) => steps.map(({ state, seen }) => `${state}: ${seen[0]}`);

// In a machine without a network of its own there is no address that the API server would connect to.
describe.skipIf(address === null)("through the API server", () => {
  test("without the right nothing reaches the kubelet, and the right is named", async () => {
    await unbind("taintwise-node-proxy");
    const before = kubelet.requests.length;
    expect(told(await onNode("n1"))).toEqual([
      'not allowed: nodes "n1" is forbidden: User "on-call" cannot get resource "nodes/proxy" in API group "" at the cluster scope. The right is get on nodes/proxy: docs/rbac-node-proxy.yaml, which says why it is a privileged one.',
      "not allowed: For the same reason.",
      "not allowed: For the same reason.",
    ]);
    expect(kubelet.requests.length).toBe(before);
  });

  test("the documented role is enough, and two paths are asked for and no more", async () => {
    await bind("taintwise-node-proxy");
    const before = kubelet.requests.length;
    const steps = await onNode("n1");
    expect(steps.map(({ state }) => state)).toEqual(["found", "found", "found"]);
    expect(steps[0]?.seen[0]).toBe(
      "Memory: 50Mi available of 4.05Gi, below the kubelet's default threshold (memory.available, 100Mi): pods are evicted.",
    );
    expect(steps[1]?.seen[0]).toMatch(/^PLEG is not healthy, once at \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/);
    const asked = kubelet.requests.slice(before).map((line) => line.replace(/[?&](pattern|sinceTime)=[^&]*/g, ""));
    expect([...asked].sort()).toEqual([
      "GET /logs/?query=containerd&tailLines=2000",
      "GET /logs/?query=kubelet&tailLines=2000",
      "GET /stats/summary",
    ]);
  });

  test("one node can be granted by itself", async () => {
    await unbind("taintwise-node-proxy");
    await bind("one-node");
    expect((await onNode("n1"))[0]?.state).toBe("found");
    expect((await onNode("n2"))[0]?.state).toBe("not allowed");
    await unbind("one-node");
    await bind("taintwise-node-proxy");
  });

  test("a log query that is off is a listing of files, whose links the API server rewrites", async () => {
    kubelet.answer((path, response) => {
      if (path !== "/logs/") return wellAnswer(path, response);
      response.setHeader("content-type", "text/html; charset=utf-8");
      response.end('<!doctype html>\n<pre>\n<a href="dpkg.log">dpkg.log</a>\n</pre>\n');
    });
    expect(told(await onNode("n1")).map((line) => line.split(" answers ")[0])).toEqual([
      expect.stringMatching(/^found: Memory/),
      "not enabled on this node: The kubelet of n1",
      "not enabled on this node: For the same reason.",
    ]);
  });

  test("endpoints that are off say which field switches them on", async () => {
    kubelet.answer((path, response) => {
      if (path !== "/logs/") return wellAnswer(path, response);
      response.writeHead(405, { "content-type": "text/plain" });
      response.end("logs endpoint is disabled.\n");
    });
    expect(told(await onNode("n1"))[1]).toBe(
      "not enabled on this node: The kubelet of n1 does not serve it (405): logs endpoint is disabled. Its configuration has enableSystemLogHandler: false.",
    );
  });

  test("a clock that is off is told from the kubelet's own Date, which the API server hands on", async () => {
    kubelet.answer((path, response) => {
      response.sendDate = false;
      response.setHeader("date", new Date(Date.now() - 3_700_000).toUTCString());
      wellAnswer(path, response);
    });
    expect((await onNode("n1"))[0]?.seen).toContain(
      "The node's clock is 1 hour behind the API server's: certificates and leases suffer, and times in its logs are off.",
    );
  });

  test("a kubelet that is not there is named with what the API server says", async () => {
    const gone = await startKubelet(kubelet.address);
    await gone.stop();
    await createNode("gone", gone.address, gone.port);
    expect(told(await onNode("gone"))[0]).toMatch(
      /^failed: Nothing listens on the kubelet's port: the kubelet of gone is down, .*connection refused\.$/,
    );
  });

  test("an address that the API server never connects to", async () => {
    await createNode("loopback", "127.0.0.1", kubelet.port);
    expect(told(await onNode("loopback"))[0]).toMatch(/^failed: The node's address is one that the API server never/);
  });
});

describe.skipIf(address === null)("in the editor", () => {
  test("Run Triage asks the kubelet only where the setting is on, and a kubelet's 401 ends nothing", async () => {
    const settings = (nodeProxy: boolean) => ({ cluster: { context: "test", kubeconfig, nodeProxy } });
    const editor = await startEditor({ settings: settings(false), environment: {}, now: Date.now });
    const options = { grouping: "flat", poolLabel: "", filter: "", onlyProblems: false } as const;
    const rows = async (parent: string | null = null): Promise<readonly ExplorerRow[]> =>
      (await editor.request(ExplorerRows, { view: "nodes", parent, limit: 50, options })).rows;
    const row = await until(
      async () => (await rows()).find(({ label }) => label === "n1"),
      () => editor.log.join("\n"),
    );
    const report = async (): Promise<string> => {
      const answer = await editor.request(ExplorerReport, { report: "triage", target: row.target, path: null });
      return answer.kind === "report" ? answer.report.markdown : answer.reason;
    };
    const before = kubelet.requests.length;
    expect(await report()).toContain("6. **Memory, disks and processes, as the kubelet measures them: – not asked**");
    expect(kubelet.requests.length).toBe(before);

    await editor.changeSettings(settings(true));
    const asked = await until(
      async () => {
        const markdown = await report();
        return markdown.includes("6. **Memory, disks and processes, as the kubelet measures them: ✗ found**")
          ? markdown
          : undefined;
      },
      () => editor.log.join("\n"),
    );
    expect(asked).toContain("7. **The kubelet's log: ✗ found**");

    kubelet.answer((_path, response) => response.writeHead(401, { "content-type": "text/plain" }).end("Unauthorized"));
    expect(await report()).toContain("does not accept the API server's client certificate");
    kubelet.answer(wellAnswer);
    expect(await report()).toContain("as the kubelet measures them: ✗ found**");
    await cluster.kubectl(["taint", "node", "n1", "still=followed:NoSchedule"]);
    await until(
      async () => (await rows(row.id)).find(({ label }) => label === "Taints"),
      () => editor.log.join("\n"),
    );
  });
});
