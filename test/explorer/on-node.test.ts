// The steps of an investigation that the kubelet answers, as people read them.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readClusterFiles } from "../../server/src/cluster/file/cluster-reader.ts";
import type { OnNode, OnNodeReading } from "../../server/src/cluster/on-node.ts";
import { onNodeSteps, questionsFor } from "../../server/src/explorer/reports/on-node-steps.ts";
import type { InvestigationStep } from "../../server/src/explorer/reports/step.ts";
import { stepsMarkdown } from "../../server/src/explorer/reports/steps-markdown.ts";
import { stepsText } from "../../server/src/explorer/reports/steps-text.ts";
import { decodeNodeStats } from "../../server/src/kube/decode/node-stats.ts";
import { paletteFor } from "../../server/src/report/paint.ts";
import { judged } from "./tree.ts";

const NODE = "rdma-1";
const fixture = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8");
const { model } = readClusterFiles(
  [
    {
      path: "cluster.yaml",
      bytes: readFileSync(new URL("../../examples/rdma-incident/cluster.yaml", import.meta.url)),
      named: true,
    },
  ],
  { name: "cluster", now: null },
);
const access = { context: "prod", kubeconfig: null };
const cluster = judged({ ...model, origin: "live" }, { access });

const stats = decodeNodeStats(JSON.parse(fixture("../triage/on-node/fixtures/full-disk.summary.json")));
if (stats === null) throw new Error("the fixture is no summary");
const lines = (name: string) =>
  fixture(`./fixtures/${name}-log.txt`)
    .split("\n")
    .filter((line) => line !== "");
const answered: OnNodeReading = {
  stats: { kind: "answered", value: { stats, clockAhead: -93_000 } },
  kubelet: { kind: "answered", value: { lines: lines("kubelet"), truncated: false } },
  runtime: { kind: "answered", value: { lines: lines("containerd"), truncated: true } },
};
const quiet = { kind: "answered", value: { lines: [], truncated: false } } as const;

const steps = (onNode: OnNode, of = cluster) => onNodeSteps(of, NODE, onNode);
const read = (change: Partial<OnNodeReading>): readonly InvestigationStep[] =>
  steps({ kind: "read", reading: { ...answered, ...change } });
const plain = paletteFor({ isTerminal: false }, "never", {});

describe("a node whose disk is full", () => {
  it("in Markdown", () =>
    expect(stepsMarkdown(cluster, NODE, read({}))).toMatchFileSnapshot("./golden/on-node-markdown.txt"));
  it("in a terminal", () =>
    expect(stepsText(cluster, NODE, read({}), plain, 100)).toMatchFileSnapshot("./golden/on-node-text.txt"));
});

describe("the states", () => {
  const states = (found: readonly InvestigationStep[]) => found.map(({ state, seen }) => [state, seen[0]]);
  it("are ok where the kubelet has nothing to tell, with what was looked at", () => {
    expect(states(read({ kubelet: quiet, runtime: quiet })).slice(1)).toEqual([
      [
        "ok",
        "Nothing of a known kind of trouble, and no error: warnings and worse since 2026-04-14T08:59:26Z, at most since the last boot.",
      ],
      [
        "ok",
        "Nothing of a known kind of trouble, and no error: warnings and worse since 2026-04-14T08:59:26Z, at most since the last boot.",
      ],
    ]);
  });
  it("leave out what is older than the trouble: the query reaches further back, for a node may be in any time zone", () => {
    const line = (time: string) => `Apr 14 ${time} rdma-1 kubelet[1]: read-only file system`;
    const { from = 0, kubelet } = questionsFor(cluster, NODE) ?? {};
    expect(from - (kubelet?.since ?? 0)).toBe(12 * 3_600_000);
    const old = read({ kubelet: { kind: "answered", value: { lines: [line("08:30:00")], truncated: false } } });
    expect(old[1]?.state).toBe("ok");
    const recent = read({ kubelet: { kind: "answered", value: { lines: [line("09:30:00")], truncated: false } } });
    expect(recent[1]?.state).toBe("found");
  });
  it("say where a log that was cut off begins", () => {
    const lines = ["Apr 14 09:40:00 rdma-1 kubelet[1]: something"];
    const cut = read({ kubelet: { kind: "answered", value: { lines, truncated: true } } });
    expect(cut[1]?.seen).toEqual([
      "Nothing of a known kind of trouble, and no error: warnings and worse since 2026-04-14T09:40:00Z: there is more, and only the newest was read.",
    ]);
  });
  it("tell a reason that all steps share once", () => {
    const refused = { kind: "not allowed", reason: "No right." } as const;
    expect(states(read({ stats: refused, kubelet: refused, runtime: refused }))).toEqual([
      ["not allowed", "No right."],
      ["not allowed", "For the same reason."],
      ["not allowed", "For the same reason."],
    ]);
  });
  it("differ by step where the log query is off", () => {
    const off = { kind: "not enabled", reason: "It is off." } as const;
    expect(states(read({ kubelet: off, runtime: off })).map(([state]) => state)).toEqual([
      "found",
      "not enabled on this node",
      "not enabled on this node",
    ]);
  });
  it("say how to turn it on where the setting is off, and that a file has no kubelet", () => {
    expect(states(steps({ kind: "not asked", why: "off" }))[0]).toEqual([
      "not asked",
      "Asking the kubelet through the API server is off: it needs a privileged right. The setting is taintwise.cluster.nodeProxy, on the command line --node-proxy.",
    ]);
    expect(states(steps({ kind: "not asked", why: "file" }))[0]).toEqual([
      "not asked",
      "The cluster was read from a file: there is no kubelet to ask.",
    ]);
  });
  it("are not ok where the kubelet measured nothing", () => {
    const nothing = decodeNodeStats({ node: { nodeName: NODE } });
    if (nothing === null) throw new Error("it is a summary");
    const [measured] = read({ stats: { kind: "answered", value: { stats: nothing, clockAhead: 0 } } });
    expect([measured?.state, measured?.seen[0]]).toEqual([
      "not in what was read",
      "Available memory: not measured, so unknown.",
    ]);
  });
  it("are none for a node that is not there", () => {
    expect(onNodeSteps(cluster, "gone", { kind: "not asked", why: "off" })).toEqual([]);
    expect(questionsFor(cluster, "gone")).toBeNull();
  });
});

describe("where the logs are", () => {
  const of = (kubeletVersion: string, containerRuntimeVersion: string) => {
    const node = model.nodes.get(NODE);
    if (node?.info === undefined || node.info === null) throw new Error("the example says nothing of its node");
    const changed = { ...node, info: { ...node.info, kubeletVersion, containerRuntimeVersion } };
    return judged({ ...model, nodes: new Map([...model.nodes, [NODE, changed]]) }, { access });
  };
  it("on k3s: one journal for all, and a file of the runtime", () => {
    const k3s = of("v1.37.2+k3s1", "containerd://2.1.4-k3s1");
    expect(questionsFor(k3s, NODE)).toMatchObject({ kubelet: { units: ["k3s", "k3s-agent"] }, runtime: null });
    const [, , runtime] = steps({ kind: "read", reading: { ...answered, runtime: null } }, k3s);
    expect(runtime).toMatchObject({
      state: "not asked",
      seen: [
        "The container runtime is part of k3s and logs to /var/lib/rancher/k3s/agent/containerd/containerd.log on the node.",
      ],
      commands: [
        "kubectl --context prod debug node/rdma-1 -it --profile=sysadmin --image=busybox -- chroot /host tail -n 500 /var/lib/rancher/k3s/agent/containerd/containerd.log",
      ],
    });
  });
  it("on RKE2: the kubelet's file, since the journal tells only of the service", () => {
    const quietly: OnNodeReading = { ...answered, kubelet: quiet, runtime: null };
    const [, kubelet] = steps({ kind: "read", reading: quietly }, of("v1.37.2+rke2r1", "containerd://2.1.4-k3s1"));
    expect(kubelet?.state).toBe("not in what was read");
    expect(kubelet?.seen.at(-1)).toBe(
      "The kubelet itself logs to /var/lib/rancher/rke2/agent/logs/kubelet.log on the node: the journal tells only of the service around it.",
    );
    expect(kubelet?.commands.at(-1)).toContain("tail -n 500 /var/lib/rancher/rke2/agent/logs/kubelet.log");
  });
  it("on Windows: no pod of kubectl debug, which is made for Linux", () => {
    const node = model.nodes.get(NODE);
    if (node?.info === undefined || node.info === null) throw new Error("the example says nothing of its node");
    const windows = { ...node, info: { ...node.info, operatingSystem: "windows" } };
    const found = steps(
      { kind: "not asked", why: "off" },
      judged({ ...model, nodes: new Map([...model.nodes, [NODE, windows]]) }, { access }),
    );
    expect(found.flatMap(({ commands }) => commands).join()).not.toContain("debug");
  });
  it("on CRI-O: its own unit", () => {
    const [, , runtime] = steps({ kind: "not asked", why: "off" }, of("v1.37.2", "cri-o://1.37.0"));
    expect(runtime?.commands).toEqual([
      "kubectl --context prod get --raw '/api/v1/nodes/rdma-1/proxy/logs/?query=crio&sinceTime=2026-04-13T21:00:59Z&tailLines=500'",
      "kubectl --context prod debug node/rdma-1 -it --profile=sysadmin --image=busybox -- chroot /host journalctl --no-pager -n 500 -u crio",
    ]);
  });
});
