// Explorer layer, reports: blocks of commands for the shell of a Linux node, each with what to expect.
import type { NodePrograms } from "./node-programs.ts";

export interface Block {
  readonly title: string;
  /** What to expect, in a sentence; empty where the output speaks for itself. */
  readonly expect: string;
  readonly lines: readonly string[];
}

/** The blocks for every Linux node, in the order in which they are looked at. */
export function linuxBlocks({ kubelet, runtime, crictl, store }: NodePrograms): readonly Block[] {
  const units = [...new Set([kubelet, runtime])];
  const folders = `/ /var/lib/kubelet ${store} /var/log`;
  return [
    {
      title: "kubelet and container runtime",
      expect:
        "Both are active (running), without errors that repeat in the last half hour; the kubelet's certificate has not ended.",
      lines: [
        `systemctl status ${units.join(" ")} --no-pager`,
        ...units.map((unit) => `journalctl -u ${unit} --since '-30 min' --no-pager -p warning | tail -n 100`),
        ...(crictl === null
          ? []
          : [
              `${crictl} info | head -n 40`,
              `${crictl} pods --state NotReady`,
              `${crictl} ps -a --state Exited | head -n 20`,
            ]),
        "openssl x509 -noout -enddate -in /var/lib/kubelet/pki/kubelet-client-current.pem",
      ],
    },
    {
      title: "disk space and inodes",
      expect: "Neither is above 85 %: from there on images are removed, then pods are evicted.",
      lines: [`df -h ${folders}`, `df -i ${folders}`],
    },
    {
      title: "memory, kernel and clock",
      expect: "No out-of-memory kills, hung tasks, I/O errors or a read-only file system; the clock is synchronised.",
      lines: [
        "free -m",
        "dmesg -T --level=err,warn | tail -n 60",
        "cat /proc/pressure/cpu /proc/pressure/memory /proc/pressure/io",
        "timedatectl",
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
        "cat /etc/resolv.conf",
      ],
    },
    {
      title: "kernel settings",
      expect: "Each line says what is and what is expected; bridge-nf-call-iptables counts where bridges are used.",
      lines: [
        `for want in ${SYSCTLS.join(" ")}; do`,
        `  key=$\{want%%=*}; printf '%-40s is %-10s expected %s\\n' "$key" "$(sysctl -n "$key" 2>/dev/null || echo absent)" "$\{want#*=}"`,
        "done",
      ],
    },
    {
      title: "limits on files and processes",
      expect: "Open files and processes stay well below their limits.",
      lines: [
        "cat /proc/sys/fs/file-nr",
        "echo processes and threads: $(ps -eL --no-headers | wc -l) of $(cat /proc/sys/kernel/pid_max)",
        "cat /proc/$(pidof -s kubelet)/limits | grep -E 'open files|processes'",
      ],
    },
  ];
}

/**
 * What nodes need, and what the kubelet sets itself or insists on (protectKernelDefaults). Source of the latter:
 * k8s.io/kubernetes/pkg/kubelet/cm setupKernelTunables, pkg/util/sysctl.
 */
const SYSCTLS: readonly string[] = [
  "net.ipv4.ip_forward=1",
  "net.bridge.bridge-nf-call-iptables=1",
  "vm.overcommit_memory=1",
  "vm.panic_on_oom=0",
  "kernel.panic=10",
  "kernel.panic_on_oops=1",
  "fs.inotify.max_user_watches='524288 or more'",
  "fs.inotify.max_user_instances='512 or more'",
  "vm.max_map_count='262144 for search engines and databases'",
];

/** Blocks for accelerators, each for resources whose name it matches. */
export const DEVICE_BLOCKS: readonly (Block & { readonly resources: RegExp })[] = [
  {
    resources: /^nvidia\.com\//,
    title: "GPUs",
    expect: "Every GPU answers, MIG mode is the wanted one on all of them, and no Xid error is in the kernel's log.",
    lines: [
      "nvidia-smi",
      "nvidia-smi -L",
      "nvidia-smi --query-gpu=index,mig.mode.current,mig.mode.pending --format=csv",
      "dmesg -T | grep -i xid | tail -n 20",
    ],
  },
  {
    resources: /^amd\.com\//,
    title: "AMD GPUs",
    expect: "Every card answers, and the kernel's log tells of no reset.",
    lines: ["rocm-smi || amd-smi list", "dmesg -T | grep -i amdgpu | tail -n 20", "ls -l /dev/kfd /dev/dri"],
  },
  {
    resources: /rdma|infiniband|hca/,
    title: "RDMA devices",
    expect: "Every port is ACTIVE and LinkUp, and the device plugin's socket is there.",
    lines: [
      "rdma link show",
      "ibstat 2>/dev/null | grep -E 'CA |State|Physical'",
      "ls -l /dev/infiniband /var/lib/kubelet/device-plugins",
    ],
  },
];

/** The blocks for a Windows node, for PowerShell. */
export const WINDOWS_BLOCKS: readonly Block[] = [
  {
    title: "kubelet and container runtime",
    expect: "All are Running, without errors that repeat.",
    lines: [
      "Get-Service kubelet, containerd, kube-proxy -ErrorAction SilentlyContinue",
      "Get-ChildItem C:\\var\\log\\kubelet, C:\\k -Filter *.log -ErrorAction SilentlyContinue | Get-Content -Tail 60",
      "crictl pods --state NotReady",
      "crictl ps -a --state Exited",
    ],
  },
  {
    title: "disk, memory and clock",
    expect: "At least 15 % of the disk is free; the clock is synchronised.",
    lines: [
      "Get-PSDrive -PSProvider FileSystem",
      "Get-CimInstance Win32_OperatingSystem | Select-Object FreePhysicalMemory, TotalVisibleMemorySize, LastBootUpTime",
      "Get-WinEvent -FilterHashtable @{LogName='System'; Level=1,2} -MaxEvents 40",
      "w32tm /query /status",
    ],
  },
  {
    title: "network",
    expect: "The node has its address and a default route, and the network of the plugin is there.",
    lines: [
      "Get-NetIPAddress -AddressFamily IPv4",
      "Get-NetRoute -DestinationPrefix 0.0.0.0/0",
      "Get-HnsNetwork | Select-Object Name, Type, State",
      "Get-ChildItem C:\\k\\cni\\config, C:\\etc\\cni\\net.d -ErrorAction SilentlyContinue",
    ],
  },
  {
    title: "handles and processes",
    expect: "No single process holds tens of thousands of handles.",
    lines: ["Get-Process | Sort-Object HandleCount -Descending | Select-Object -First 10 Name, Id, HandleCount"],
  },
];
