// Explorer layer, reports: which programs a node runs as kubelet and container runtime, and how they are asked.
import type { NodeFacts } from "../../triage/facts/node.ts";

export interface NodePrograms {
  readonly windows: boolean;
  /** The service that is the kubelet. */
  readonly kubelet: string;
  /** The service that is the container runtime; the kubelet's where both are one. */
  readonly runtime: string;
  /** How crictl is called; null where the distribution has none. */
  readonly crictl: string | null;
  /** Where the runtime keeps images and containers. */
  readonly store: string;
  /** What is particular of this kind of node, in a sentence; empty for none. */
  readonly note: string;
}

const USUAL: NodePrograms = {
  windows: false,
  kubelet: "kubelet",
  runtime: "containerd",
  crictl: "crictl",
  store: "/var/lib/containerd",
  note: "",
};

/** The programs of a node, told by what it says of its kubelet, runtime and system; the usual ones where it says nothing. */
export function programsOf(node: NodeFacts | undefined): NodePrograms {
  const info = node?.node.info ?? null;
  const server = Object.keys(node?.node.labels ?? {}).some((label) =>
    /^node-role\.kubernetes\.io\/(control-plane|etcd)$/.test(label),
  );
  if (info?.operatingSystem === "windows" || node?.node.labels["kubernetes.io/os"] === "windows") {
    return { ...USUAL, windows: true, store: "C:\\ProgramData\\containerd" };
  }
  return { ...byRuntime(info?.containerRuntimeVersion ?? ""), ...byDistribution(info, server) };
}

function byRuntime(version: string): NodePrograms {
  if (version.startsWith("cri-o:")) return { ...USUAL, runtime: "crio", store: "/var/lib/containers" };
  if (version.startsWith("docker:")) return { ...USUAL, runtime: "docker", store: "/var/lib/docker" };
  return USUAL;
}

/** Distributions that bring kubelet and runtime in services of their own. */
function byDistribution(
  info: { readonly kubeletVersion: string; readonly osImage: string } | null,
  server: boolean,
): Partial<NodePrograms> {
  const version = info?.kubeletVersion ?? "";
  const image = info?.osImage ?? "";
  if (version.includes("+k3s")) {
    const unit = server ? "k3s" : "k3s-agent";
    return {
      kubelet: unit,
      runtime: unit,
      crictl: "k3s crictl",
      store: "/var/lib/rancher/k3s/agent/containerd",
      note: "k3s runs kubelet and containerd in one service.",
    };
  }
  if (version.includes("+rke2")) {
    const unit = server ? "rke2-server" : "rke2-agent";
    return {
      kubelet: unit,
      runtime: unit,
      crictl: "/var/lib/rancher/rke2/bin/crictl --config /var/lib/rancher/rke2/agent/etc/crictl.yaml",
      store: "/var/lib/rancher/rke2/agent/containerd",
      note: "RKE2 runs kubelet and containerd below one service; their logs are /var/lib/rancher/rke2/agent/logs/kubelet.log and /var/lib/rancher/rke2/agent/containerd/containerd.log.",
    };
  }
  if (version.includes("+k0s")) {
    const unit = server ? "k0scontroller" : "k0sworker";
    return {
      kubelet: unit,
      runtime: unit,
      crictl: null,
      store: "/var/lib/k0s/containerd",
      note: "k0s runs kubelet and containerd below one service; containers are listed by `k0s ctr -n k8s.io containers list`.",
    };
  }
  if (/^talos/i.test(image)) {
    return {
      note: "Talos has no shell. From a machine with talosctl: `talosctl -n NODE services`, `logs kubelet`, `logs cri`, `dmesg`, `df`, `memory` say the same.",
    };
  }
  if (/^bottlerocket/i.test(image)) {
    return {
      note: "Bottlerocket has no shell of its own: the commands run in the admin container, behind `sudo sheltie`.",
    };
  }
  return {};
}
