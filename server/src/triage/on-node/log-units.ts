// Triage layer, on the node: under which units of the journal the kubelet and the container runtime log.
import type { NodeInfo } from "../../kube/node.ts";

export interface LogUnits {
  /** The kubelet takes at most four. */
  readonly kubelet: readonly string[];
  /** null: the runtime has no unit of its own, or the node does not say which one it runs. */
  readonly runtime: readonly string[] | null;
  /** Where the runtime's log is, or why it is unknown; empty where it has a unit. */
  readonly elsewhere: string;
}

/** Distributions that hold kubelet and runtime in one process, by the mark in the kubelet's version (`v1.37.2+k3s1`). */
const BUNDLED: readonly {
  readonly mark: string;
  readonly units: readonly string[];
  readonly runtimeLog: string;
}[] = [
  {
    mark: "+k3s",
    units: ["k3s", "k3s-agent"],
    runtimeLog: "/var/lib/rancher/k3s/agent/containerd/containerd.log on the node",
  },
  {
    mark: "+rke2",
    units: ["rke2-server", "rke2-agent"],
    runtimeLog: "/var/lib/rancher/rke2/agent/containerd/containerd.log on the node",
  },
  { mark: "+k0s", units: ["k0scontroller", "k0sworker"], runtimeLog: "the journal of k0s itself" },
];

/** Unit names by the scheme of containerRuntimeVersion (`containerd://2.1.4`). */
const RUNTIMES: Readonly<Record<string, readonly string[]>> = {
  containerd: ["containerd"],
  "cri-o": ["crio"],
  docker: ["docker", "cri-docker"],
};

/** The units of a node. In: its status.nodeInfo, null where it was not read. */
export function logUnits(info: NodeInfo | null): LogUnits {
  const bundled = BUNDLED.find(({ mark }) => info?.kubeletVersion.includes(mark) === true);
  if (bundled !== undefined) {
    return {
      kubelet: bundled.units,
      runtime: null,
      elsewhere: `The container runtime is part of ${bundled.mark.slice(1)} and logs to ${bundled.runtimeLog}.`,
    };
  }
  const [scheme = ""] = (info?.containerRuntimeVersion ?? "").split("://");
  const runtime = RUNTIMES[scheme] ?? null;
  const unsaid = scheme === "" ? "The node does not say which container runtime it has." : "";
  const elsewhere =
    runtime === null ? unsaid || `The journal unit of the container runtime ${scheme} is not known.` : "";
  return { kubelet: ["kubelet"], runtime, elsewhere };
}
