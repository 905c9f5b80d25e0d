// Triage layer, on the node: under which units of the journal the kubelet and the container runtime log.
import type { NodeInfo } from "../../kube/node.ts";

export interface LogUnits {
  /** The kubelet takes at most four. */
  readonly kubelet: readonly string[];
  /** null: the runtime has no unit of its own, or the node does not say which one it runs. */
  readonly runtime: readonly string[] | null;
  /** Where the runtime's log is, or why it is unknown; empty where it has a unit. */
  readonly elsewhere: string;
  /** The file on the node that the runtime logs to; empty where that is not known. */
  readonly runtimeFile: string;
  /** The file on the node that the kubelet itself logs to, where its unit's journal tells only of the service; else empty. */
  readonly kubeletFile: string;
}

/** Distributions that hold kubelet and runtime in one process, by the mark in the kubelet's version (`v1.37.2+k3s1`). */
const BUNDLED: readonly {
  readonly mark: string;
  readonly units: readonly string[];
  /** Empty: the unit's own journal holds the runtime's lines too. */
  readonly runtimeFile: string;
  /** Empty: the kubelet's lines are in the unit's journal. */
  readonly kubeletFile: string;
}[] = [
  {
    mark: "+k3s",
    units: ["k3s", "k3s-agent"],
    runtimeFile: "/var/lib/rancher/k3s/agent/containerd/containerd.log",
    kubeletFile: "",
  },
  {
    mark: "+rke2",
    units: ["rke2-server", "rke2-agent"],
    runtimeFile: "/var/lib/rancher/rke2/agent/containerd/containerd.log",
    kubeletFile: "/var/lib/rancher/rke2/agent/logs/kubelet.log",
  },
  { mark: "+k0s", units: ["k0scontroller", "k0sworker"], runtimeFile: "", kubeletFile: "" },
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
      elsewhere: `The container runtime is part of ${bundled.mark.slice(1)} and logs to ${bundled.runtimeFile === "" ? "the same journal" : `${bundled.runtimeFile} on the node`}.`,
      runtimeFile: bundled.runtimeFile,
      kubeletFile: bundled.kubeletFile,
    };
  }
  const [scheme = ""] = (info?.containerRuntimeVersion ?? "").split("://");
  const runtime = RUNTIMES[scheme] ?? null;
  const unsaid = scheme === "" ? "The node does not say which container runtime it has." : "";
  const elsewhere =
    runtime === null ? unsaid || `The journal unit of the container runtime ${scheme} is not known.` : "";
  return { kubelet: ["kubelet"], runtime, elsewhere, runtimeFile: "", kubeletFile: "" };
}
