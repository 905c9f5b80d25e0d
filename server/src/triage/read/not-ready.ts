// Triage layer, reading: what the kubelet complains of in Ready False.

export type Complaint = "network" | "runtime" | "shutdown" | "storage" | "starting" | "other";

interface ComplaintRule {
  readonly complaint: Complaint;
  readonly words: RegExp;
  readonly advice: string;
}

const RULES: readonly ComplaintRule[] = [
  {
    complaint: "shutdown",
    words: /node is shutting down/i,
    advice: "Wait for the shutdown to end; if nobody asked for it, look at who powers the machine off.",
  },
  {
    complaint: "network",
    words: /NetworkPluginNotReady|NetworkReady=false|network plugin|\bcni\b|podCIDR|network is not ready/i,
    advice:
      "On the node look at the CNI configuration directory (/etc/cni/net.d) and the runtime's log; if the network plugin's pod runs and its file is there, restart the container runtime.",
  },
  {
    complaint: "runtime",
    words:
      /PLEG|container runtime (is down|status check)|runtime is down|CRI|RuntimeReady=false|rpc error|containerd|cri-?o|docker/i,
    advice:
      "On the node look at the container runtime (systemctl status containerd or crio, journalctl -u kubelet); restart it, and reboot the machine if it hangs again.",
  },
  {
    complaint: "storage",
    words:
      /CSINode is not yet initialized|Failed to initialize CSINode|ephemeral-storage|no space left|read-only file system/i,
    advice: "On the node read the kubelet's log (journalctl -u kubelet): it cannot set up its storage.",
  },
  {
    complaint: "starting",
    words: /has not reported|not yet (initialized|synced)|starting|nodes have not yet been read|services have not yet/i,
    advice: "Wait a minute: the kubelet is starting.",
  },
];

/** The complaint, and the next thing to do about it. The first kind of the message counts; its other parts are echoes. */
export function readComplaint(message: string): { readonly complaint: Complaint; readonly advice: string } {
  const rule = RULES.find((entry) => entry.words.test(message));
  if (rule !== undefined) return rule;
  return { complaint: "other", advice: "On the node read the kubelet's log: journalctl -u kubelet --since -30min." };
}
