// Explorer layer, reports: what to look at on the node itself, as blocks to copy. Nothing of it is run from here.
import { code } from "../../report/markdown.ts";
import { namedOn } from "../../triage/facts/resources.ts";
import type { JudgedCluster } from "../judged-cluster.ts";
import { debugNode } from "./kubectl.ts";

interface Block {
  readonly title: string;
  /** What to expect, in a sentence; empty where the output speaks for itself. */
  readonly expect: string;
  readonly lines: readonly string[];
}

const BLOCKS: readonly Block[] = [
  {
    title: "kubelet and container runtime",
    expect: "Both are active (running), without errors that repeat in the last half hour.",
    lines: [
      "systemctl status kubelet containerd --no-pager",
      "journalctl -u kubelet --since '-30 min' --no-pager -p warning | tail -n 100",
      "journalctl -u containerd --since '-30 min' --no-pager -p warning | tail -n 100",
      "crictl info | head -n 40",
      "crictl pods --state NotReady",
      "crictl ps -a --state Exited | head -n 20",
    ],
  },
  {
    title: "disk space and inodes",
    expect: "Neither is above 85 %: from there on images are removed, then pods are evicted.",
    lines: [
      "df -h / /var/lib/kubelet /var/lib/containerd /var/log",
      "df -i / /var/lib/kubelet /var/lib/containerd /var/log",
    ],
  },
  {
    title: "memory and kernel",
    expect: "No out-of-memory kills, hung tasks, I/O errors or a read-only file system.",
    lines: [
      "free -m",
      "dmesg -T --level=err,warn | tail -n 60",
      "cat /proc/pressure/cpu /proc/pressure/memory /proc/pressure/io",
    ],
  },
  {
    title: "network",
    expect: "The node has its address and a default route, and a CNI configuration is there.",
    lines: [
      "ip -br address",
      "ip route",
      "ls -l /etc/cni/net.d /opt/cni/bin",
      "iptables-save 2>/dev/null | grep -c KUBE",
      "nft list ruleset 2>/dev/null | grep -c kube",
    ],
  },
  {
    title: "kernel settings",
    expect:
      "net.ipv4.ip_forward = 1, net.bridge.bridge-nf-call-iptables = 1 (where bridges are used), fs.inotify.max_user_watches at least 524288, fs.inotify.max_user_instances at least 512.",
    lines: [
      "sysctl net.ipv4.ip_forward net.bridge.bridge-nf-call-iptables fs.inotify.max_user_watches fs.inotify.max_user_instances fs.file-max kernel.pid_max vm.max_map_count",
    ],
  },
  {
    title: "limits on files and processes",
    expect: "Open files and processes stay well below their limits.",
    lines: [
      "cat /proc/sys/fs/file-nr",
      "ls -d /proc/[0-9]* | wc -l",
      "cat /proc/$(pidof kubelet)/limits | grep -E 'open files|processes'",
    ],
  },
];

const GPU: Block = {
  title: "GPUs",
  expect: "Every GPU answers, MIG mode is the wanted one on all of them, and no Xid error is in the kernel's log.",
  lines: [
    "nvidia-smi",
    "nvidia-smi -L",
    "nvidia-smi --query-gpu=index,mig.mode.current,mig.mode.pending --format=csv",
    "dmesg -T | grep -i xid | tail -n 20",
  ],
};

const RDMA: Block = {
  title: "RDMA devices",
  expect: "Every port is ACTIVE and LinkUp, and the device plugin's socket is there.",
  lines: [
    "rdma link show",
    "ibstat 2>/dev/null | grep -E 'CA |State|Physical'",
    "ls -l /dev/infiniband /var/lib/kubelet/device-plugins",
  ],
};

/** The checklist for a node; blocks for accelerators only where the node has, had or announces them. */
export function onNodeChecklist(cluster: JudgedCluster, node: string): string {
  const facts = cluster.facts.nodes.get(node);
  const names =
    facts === undefined
      ? []
      : [...namedOn(facts.node), ...cluster.facts.index.lacks(facts).map((lack) => lack.resource)];
  const windows = facts?.node.info?.operatingSystem === "windows";
  const blocks = [
    ...BLOCKS,
    ...(names.some((name) => name.startsWith("nvidia.com/")) ? [GPU] : []),
    ...(names.some((name) => /rdma|infiniband|hca/.test(name)) ? [RDMA] : []),
  ];
  return `${[
    `## On the node ${code(node)}`,
    "",
    "The way in, where there is no other. The node's file system is under `/host`:",
    "",
    "```sh",
    debugNode(cluster.access, node),
    "chroot /host",
    "```",
    ...(windows ? ["", "This is a Windows node: the commands below are for Linux."] : []),
    ...blocks.flatMap((block) => ["", `### ${block.title}`, "", block.expect, "", "```sh", ...block.lines, "```"]),
  ].join("\n")}\n`;
}
