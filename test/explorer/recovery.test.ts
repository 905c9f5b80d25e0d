// Ordered recovery: what the cluster shows is ticked, and nothing that was well all along.
import { describe, expect, it } from "vitest";
import { recoverySteps } from "../../server/src/explorer/reports/recovery.ts";
import type { ClusterEvent } from "../../server/src/kube/event.ts";
import type { NodeInfo } from "../../server/src/kube/node.ts";
import type { Taint } from "../../server/src/kube/taint.ts";
import { cluster, NO_INFO, now, sick } from "./example.ts";
import { judged } from "./tree.ts";

describe("recovery", () => {
  const minute = 60_000;
  // On the full minute, so that times are easy to read.
  const at = Math.floor((now.observedAt ?? 0) / minute) * minute;
  const home = now.nodes.get(sick);
  if (home === undefined) throw new Error("it is gone");
  const event = (reason: string, message: string, lastSeen: number): ClusterEvent => ({
    namespace: "default",
    name: `${sick}.${reason}`,
    involved: { apiVersion: "v1", kind: "Node", namespace: "", name: sick, uid: "", fieldPath: "" },
    type: "Normal",
    reason,
    message,
    count: 1,
    firstSeen: lastSeen,
    lastSeen,
    component: "kubelet",
    host: sick,
  });
  const cordon: Taint = {
    key: "node.kubernetes.io/unschedulable",
    value: "",
    effect: "NoSchedule",
    timeAdded: at - 20 * minute,
  };
  /** The example's sick node, cordoned twenty minutes ago and drained, with what the story adds. */
  const drained = (story: {
    readonly events?: readonly ClusterEvent[];
    readonly pluginStart?: number;
    readonly lifted?: true;
  }) =>
    judged({
      ...now,
      parts: { ...now.parts, events: "known" },
      events: story.events ?? [],
      nodes: new Map([
        ...now.nodes,
        [
          sick,
          story.lifted === true
            ? { ...home, unschedulable: false }
            : { ...home, unschedulable: true, taints: [...home.taints, cordon] },
        ],
      ]),
      pods: now.pods
        .filter((pod) => pod.spec.nodeName !== sick || pod.controller?.kind === "DaemonSet")
        .map((pod) =>
          pod.spec.nodeName === sick && story.pluginStart !== undefined
            ? { ...pod, startTime: story.pluginStart }
            : pod,
        ),
    });
  const steps = (of: typeof cluster) => recoverySteps(of, sick).map(({ tick, seen }) => `${tick}: ${seen}`);
  const restarted = event("Starting", "Starting kubelet.", at - 10 * minute);

  it("ticks nothing behind a step that is open", () => {
    expect(recoverySteps(cluster, sick).map(({ tick }) => tick)).toEqual([
      "open",
      "by hand",
      "by hand",
      "by hand",
      "open",
    ]);
  });
  it("does not take what was well all along for restarted", () => {
    expect(steps(drained({}))).toEqual([
      "seen: cordoned since 2026-04-14T09:40:00Z; no pods but those of DaemonSets",
      "by hand: only the node knows",
      "open: Ready, and not started again since the cordon at 2026-04-14T09:40:00Z",
      "open: kube-system/pod-network-s924d is ready, and older than the cordon",
      "open: cordoned",
    ]);
  });
  it("ticks each step as the cluster shows it", () => {
    expect(steps(drained({ events: [restarted] }))).toMatchObject({
      2: "seen: started at 2026-04-14T09:50:00Z, and Ready",
      3: "open: kube-system/pod-network-s924d is ready, and older than the cordon",
    });
    expect(steps(drained({ events: [restarted], pluginStart: at - 5 * minute }))).toMatchObject({
      3: "seen: kube-system/pod-network-s924d is new and ready",
      4: "open: cordoned",
    });
  });
  it("keeps its ticks when the node is uncordoned", () => {
    const events = [
      event("NodeNotSchedulable", "", at - 20 * minute),
      restarted,
      event("NodeSchedulable", "", at - minute),
    ];
    const ticks = recoverySteps(drained({ events, pluginStart: at - 5 * minute, lifted: true }), sick);
    expect(ticks.map(({ tick }) => tick)).toEqual(["seen", "by hand", "seen", "seen", "seen"]);
    expect(ticks[0]?.seen).toBe(
      "was cordoned from 2026-04-14T09:40:00Z to 2026-04-14T09:59:00Z; no pod is older than that",
    );
  });
  it("deletes no network plugin that would not come back", () => {
    const taint: Taint = { key: "dedicated", value: "nobody", effect: "NoSchedule", timeAdded: null };
    const plugin = now.workloads.find(({ name }) => name === "pod-network");
    if (plugin === undefined) throw new Error("the example has no network plugin");
    const strict = { ...plugin, template: { ...plugin.template, tolerations: [] } };
    const model = {
      ...now,
      workloads: now.workloads.map((one) => (one === plugin ? strict : one)),
      nodes: new Map([...now.nodes, [sick, { ...home, taints: [taint] }]]),
    };
    const [, , , renew] = recoverySteps(judged(model), sick);
    expect(renew?.seen).toBe(
      "do not delete kube-system/pod-network-s924d: it would not come back, for it does not tolerate dedicated=nobody:NoSchedule",
    );
    expect(renew?.commands).toEqual([]);
  });
  it("names the services that the node really has", () => {
    const on = (info: Partial<NodeInfo>) => {
      const told = { ...NO_INFO, ...info };
      const model = { ...now, nodes: new Map([...now.nodes, [sick, { ...home, info: told }]]) };
      return recoverySteps(judged(model), sick).flatMap(({ commands, onNode }) => (onNode ? commands.slice(0, 1) : []));
    };
    expect(on({ containerRuntimeVersion: "cri-o://1.36.0" })).toEqual([
      "systemctl restart crio",
      "systemctl restart kubelet",
    ]);
    expect(on({ kubeletVersion: "v1.36.1+k3s1" })).toEqual([
      "systemctl restart k3s-agent",
      "systemctl restart k3s-agent",
    ]);
    expect(on({ operatingSystem: "windows" })).toEqual(["Restart-Service containerd", "Restart-Service kubelet"]);
  });
  it("of a node that is not there has no step", () => {
    expect(recoverySteps(cluster, "gone")).toEqual([]);
  });
});
