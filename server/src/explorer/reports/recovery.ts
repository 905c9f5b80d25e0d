// Explorer layer, reports: "Ordered recovery" of a node whose network or runtime is confused, ticked as far as the cluster
// shows it. Nothing is run from here.
import { code, escapeMarkdown } from "../../report/markdown.ts";
import { listSome } from "../../report/text-layout.ts";
import { hasEnded, podKey } from "../../triage/facts/pod-state.ts";
import type { JudgedCluster } from "../judged-cluster.ts";
import { kubectl } from "./kubectl.ts";

/** `seen`: the cluster shows that it is done; `open`: that it is not; `by hand`: only the node knows. */
export type Tick = "seen" | "open" | "by hand";

export interface RecoveryStep {
  readonly title: string;
  readonly tick: Tick;
  /** What the cluster shows. */
  readonly seen: string;
  readonly commands: readonly string[];
  /** Whether the commands are for the node itself. */
  readonly onNode: boolean;
}

const BOX: Readonly<Record<Tick, string>> = { seen: "[x]", open: "[ ]", "by hand": "[ ]" };

/**
 * The steps in their order: drain, runtime, kubelet, network plugin, uncordon. Empty for a node that is not there. What
 * the cluster shows ticks a step only when those before it are ticked: a kubelet that was Ready all along was not restarted.
 */
export function recoverySteps(cluster: JudgedCluster, name: string): readonly RecoveryStep[] {
  let open = false;
  return draftSteps(cluster, name).map((step) => {
    const tick = open && step.tick === "seen" ? "open" : step.tick;
    open ||= tick === "open";
    return { ...step, tick };
  });
}

function draftSteps(cluster: JudgedCluster, name: string): readonly RecoveryStep[] {
  const node = cluster.facts.nodes.get(name);
  if (node === undefined) return [];
  const { access } = cluster;
  const podsKnown = cluster.model.parts.pods === "known";
  const left = node.pods.filter(
    (pod) => pod.spec.nodeName !== "" && !hasEnded(pod) && !pod.mirror && pod.controller?.kind !== "DaemonSet",
  );
  const drained = podsKnown && node.node.unschedulable && left.length === 0;
  const networks = cluster.facts.platform.filter((daemonSet) => daemonSet.role === "network plugin");
  const plugin = networks.flatMap((daemonSet) => daemonSet.podsOn(name).living);
  const working = plugin.length > 0 && plugin.every((pod) => pod.containers.every((one) => one.init || one.ready));
  const [network] = networks;
  return [
    {
      title: "Drain the node",
      tick: drained ? "seen" : "open",
      seen: [
        node.node.unschedulable ? "cordoned" : "not cordoned",
        podsKnown
          ? left.length === 0
            ? "no pods but those of DaemonSets"
            : `still there: ${listSome(left.map(podKey), 6)}`
          : "pods are unknown",
      ].join("; "),
      commands: [kubectl(access, "drain", name, "--ignore-daemonsets", "--delete-emptydir-data", "--timeout=5m")],
      onNode: false,
    },
    {
      title: "Restart the container runtime",
      tick: "by hand",
      seen: "only the node knows",
      commands: [
        "systemctl restart containerd",
        "systemctl is-active containerd",
        "crictl info >/dev/null && echo runtime answers",
      ],
      onNode: true,
    },
    {
      title: "Restart the kubelet",
      tick: node.ready === "True" ? "seen" : node.ready === "unstated" ? "by hand" : "open",
      seen:
        node.ready === "unstated"
          ? "the node says no Ready condition"
          : `Ready is ${node.ready}${words(node.readyCondition?.message)}`,
      commands: [
        "systemctl restart kubelet",
        "systemctl is-active kubelet",
        "journalctl -u kubelet --since '-2 min' --no-pager | tail -n 40",
      ],
      onNode: true,
    },
    {
      title: "Renew the network plugin's pod",
      tick: !podsKnown || networks.length === 0 ? "by hand" : working ? "seen" : "open",
      seen:
        networks.length === 0
          ? "no DaemonSet is known as network plugin"
          : plugin.length === 0
            ? `${network?.key ?? ""} has no pod here`
            : `${listSome(plugin.map(podKey), 3)} ${working ? "is ready" : "is not ready"}`,
      commands: plugin.map((pod) => kubectl(access, "delete", "pod", pod.name, "--namespace", pod.namespace)),
      onNode: false,
    },
    {
      title: "Uncordon the node",
      tick: node.node.unschedulable ? "open" : drained ? "seen" : "open",
      seen: node.node.unschedulable ? "cordoned" : "schedulable: either never cordoned or uncordoned already",
      commands: [kubectl(access, "uncordon", name)],
      onNode: false,
    },
  ];
}

/** The checklist as a report; made again when the cluster changes, its ticks follow. */
export function recoveryReport(cluster: JudgedCluster, name: string): string {
  const steps = recoverySteps(cluster, name).flatMap((step, index) => [
    `${index + 1}. ${BOX[step.tick]} **${step.title}** (${step.tick === "by hand" ? "look on the node" : step.tick}): ${escapeMarkdown(step.seen)}`,
    ...(step.commands.length === 0
      ? []
      : [
          "",
          `   ${step.onNode ? "On the node" : "From here"}:`,
          "",
          "   ```sh",
          ...step.commands.map((line) => `   ${line}`),
          "   ```",
        ]),
    "",
  ]);
  return `${[
    `## Ordered recovery of ${code(name)}`,
    "",
    "In this order: a runtime that restarts under running pods, or a kubelet that comes back before its runtime, makes it worse. Taintwise runs none of this.",
    "",
    ...steps,
    `See it come back: ${code(kubectl(cluster.access, "get", "node", name, "--watch"))}`,
  ].join("\n")}\n`;
}

function words(message: string | undefined): string {
  return message === undefined || message === "" ? "" : `: ${message}`;
}
