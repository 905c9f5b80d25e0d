// Triage layer, chain: which symptom of a node causes which other, as a table of rules.
import type { FindingCode } from "../../../../shared/src/codes.ts";
import { tellingWords } from "../facts/words.ts";
import { isPressure } from "../read/condition.ts";
import type { Symptom } from "../symptom.ts";
import { failsBy, share, shareFamily, textOf } from "./about.ts";
import { explainsPlatform, installs, isNamedIn, killedForTheNode, tookNetworkDown } from "./by-platform-pod.ts";
import { holdsBackOwner } from "./preparation.ts";

/** `cause` brings about `effect` where `when` holds; both are symptoms of one node. */
export interface Link {
  readonly causes: readonly FindingCode[];
  readonly effects: readonly FindingCode[];
  readonly when: (cause: Symptom, effect: Symptom) => boolean;
}

const PLATFORM: readonly FindingCode[] = ["platform-pod-missing", "platform-pod-not-ready"];
const PODS: readonly FindingCode[] = ["pod-stuck-creating", "platform-pod-not-ready"];
const RESOURCES: readonly FindingCode[] = [
  "extended-resource-gone",
  "extended-resource-degraded",
  "extended-resource-overcommitted",
];

export const LINKS: readonly Link[] = [
  // The node itself.
  { causes: ["node-not-ready", "node-unknown"], effects: ["pod-stuck-terminating"], when: () => true },
  {
    causes: ["node-not-ready"],
    effects: ["pod-stuck-creating", "platform-pod-not-ready"],
    when: explainsByNotReady,
  },
  {
    causes: ["node-not-ready"],
    effects: ["pod-rejected"],
    when: (cause, effect) => failsBy(cause, ["shutdown"]) && failsBy(effect, ["shutdown"]),
  },
  {
    causes: ["node-condition"],
    effects: ["pod-rejected"],
    when: (cause, effect) => failsBy(effect, ["read-only", "no-space"]) && explainsByCondition(cause, effect),
  },
  {
    causes: ["node-not-ready", "node-unknown", "node-condition"],
    effects: ["node-flapping"],
    when: (cause) => cause.about.condition === "Ready" || !isPressure(cause.about.condition),
  },
  {
    causes: ["node-not-ready", "node-unknown", "node-condition", ...PLATFORM],
    effects: ["node-not-initialized"],
    when: holdsBackOwner,
  },
  // Conditions: pressure, a hung kernel, a missing route.
  { causes: ["node-condition"], effects: ["pods-evicted"], when: (cause) => isPressure(cause.about.condition) },
  {
    causes: ["node-condition"],
    effects: [...PODS, "image-pull-failing", "node-not-ready", "node-unknown"],
    when: explainsByCondition,
  },
  { causes: ["node-condition"], effects: RESOURCES, when: (cause, effect) => speaksOfDevice(cause, effect) },
  {
    causes: ["node-warning"],
    effects: ["image-pull-failing", "pods-evicted"],
    when: (cause) => /disk|ImageGC|imagefs/i.test(textOf(cause)),
  },
  {
    causes: ["node-warning"],
    effects: PODS,
    when: (cause, effect) =>
      /hung|deadlock|blocked for more than|DeadlineExceeded|containerd|runtime/i.test(textOf(cause)) &&
      failsBy(effect, ["runtime"]),
  },
  { causes: ["node-warning"], effects: ["platform-pod-not-ready"], when: killedForTheNode },
  {
    causes: ["node-warning"],
    effects: ["node-not-ready", ...PODS],
    when: (cause, effect) => /CIDR/.test(textOf(cause)) && failsBy(effect, ["network"]),
  },
  {
    causes: ["node-clock-skew"],
    effects: ["image-pull-failing", ...PODS],
    when: (_cause, effect) =>
      /certificate has expired|not yet valid|token.*(expired|used before)/i.test(textOf(effect)),
  },
  // Pods that pressure or the kubelet takes away, and taints that come with a fault.
  {
    causes: ["pods-evicted", "pod-rejected", "pod-stuck-terminating"],
    effects: ["platform-pod-missing"],
    when: (cause, effect) => share(cause.about.pods, effect.about.pods),
  },
  {
    causes: [
      "node-not-ready",
      "node-unknown",
      "node-condition",
      "node-not-initialized",
      "taint-left-behind",
      "node-unschedulable",
    ],
    effects: ["platform-pod-missing", "pod-pending"],
    when: (cause, effect) => share(cause.about.taintKeys, effect.about.taintKeys),
  },
  // Platform pods.
  {
    causes: PLATFORM,
    effects: ["node-not-ready"],
    when: (cause, effect) => cause.about.role === "network plugin" && failsBy(effect, ["network"]),
  },
  { causes: PLATFORM, effects: PLATFORM, when: explainsPlatform },
  {
    causes: ["image-pull-failing"],
    effects: ["platform-pod-not-ready", "pod-stuck-creating"],
    when: (cause, effect) =>
      share(cause.about.pods, effect.about.pods) ||
      (failsBy(cause, ["sandbox-image"]) && failsBy(effect, ["sandbox-image"])),
  },
  { causes: PLATFORM, effects: ["pod-stuck-creating"], when: isNamedIn },
  // Storage.
  {
    causes: PLATFORM,
    effects: ["csi-driver-missing"],
    when: (cause, effect) =>
      cause.about.role === "CSI node driver" &&
      (share(cause.about.drivers, effect.about.drivers) || cause.about.daemonSet === effect.about.daemonSet),
  },
  {
    causes: ["csi-driver-missing", ...PLATFORM],
    effects: ["pod-stuck-creating", "pod-stuck-terminating"],
    when: explainsMount,
  },
  {
    causes: ["csi-driver-missing"],
    effects: ["pod-pending"],
    when: (cause, effect) => share(cause.about.drivers, effect.about.drivers),
  },
  // Network.
  { causes: PLATFORM, effects: ["node-condition"], when: tookNetworkDown },
  {
    causes: PLATFORM,
    effects: [...PODS, "pod-stuck-terminating"],
    when: (cause, effect) =>
      cause.about.role === "network plugin" &&
      cause.about.daemonSet !== effect.about.daemonSet &&
      failsBy(effect, ["network"]),
  },
  // Devices.
  {
    causes: PLATFORM,
    effects: ["extended-resource-gone"],
    when: (cause, effect) => cause.about.role === "device plugin" && shareFamily(cause, effect),
  },
  { causes: ["platform-pod-not-ready", "platform-pod-missing"], effects: ["extended-resource-gone"], when: installs },
  {
    causes: ["extended-resource-gone", "extended-resource-degraded"],
    effects: ["extended-resource-overcommitted"],
    when: shareFamily,
  },
  {
    causes: ["extended-resource-gone"],
    effects: ["node-not-initialized"],
    when: (_cause, effect) => effect.about.condition === "karpenter.sh/initialized",
  },
  {
    causes: RESOURCES,
    effects: ["pod-pending", "pod-rejected"],
    when: (cause, effect) =>
      shareFamily(cause, effect) && (effect.code === "pod-pending" || failsBy(effect, ["devices", "unknown"])),
  },
  {
    causes: PLATFORM,
    effects: ["pod-rejected", "pod-stuck-creating"],
    when: (cause, effect) => cause.about.role === "device plugin" && failsBy(effect, ["devices", "dra-driver"]),
  },
  {
    causes: PLATFORM,
    effects: ["pod-pending"],
    when: (cause, effect) => effect.about.waitsFor.includes(cause.about.daemonSet),
  },
];

/** A NotReady node's own complaint in a pod's events; the network plugin's pod is no effect of a network that is down. */
function explainsByNotReady(cause: Symptom, effect: Symptom): boolean {
  if (effect.about.role === "network plugin") return false;
  if (effect.code === "pod-stuck-creating" && failsBy(effect, ["unknown"])) return true;
  return failsBy(effect, failsBy(cause, ["network"]) ? ["network"] : ["runtime", "network"]);
}

const HUNG = /deadlock|hung|kernel|runtime|containerd|docker|blocked for more than|process/i;
const DISK = /disk|file.?system|storage|inode/i;

/** What a condition at fault brings about: by the resource it is about, against the words of the effect. */
function explainsByCondition(cause: Symptom, effect: Symptom): boolean {
  const type = cause.about.condition;
  const said = textOf(effect);
  const subject = `${type} ${textOf(cause)}`;
  if (type === "NetworkUnavailable") return failsBy(effect, ["network"]) && effect.code !== "node-not-ready";
  if (type === "MemoryPressure") return /cannot allocate memory|out of memory|OOM/i.test(said);
  if (type === "PIDPressure")
    return /resource temporarily unavailable|fork\/exec|pthread_create|can't start new thread/i.test(said);
  if (/read-?only/i.test(subject) && /read-only file system/i.test(said)) return true;
  if (type === "DiskPressure" || DISK.test(type))
    return failsBy(effect, ["no-space"]) || /no space left|quota exceeded/i.test(said);
  if (!HUNG.test(subject)) return false;
  return failsBy(effect, ["runtime", "unknown"]) || effect.code === "node-unknown";
}

const DEVICE = /xid|gpu|nvidia|accelerat|nvlink|infiniband|\bib\b|rdma|\bnic\b|neuron|tpu|device/i;

/** A condition of hardware and the resource of that hardware; a maker or kind that both name must not differ. */
function speaksOfDevice(cause: Symptom, effect: Symptom): boolean {
  const said = `${cause.about.condition} ${textOf(cause)}`;
  if (!DEVICE.test(said)) return false;
  const words = effect.about.resources.flatMap((name) => tellingWords(name));
  const gpu =
    /xid|gpu|nvidia|accelerat|nvlink|device/i.test(said) &&
    words.some((word) => /gpu|nvidia|amd|mig|neuron|tpu|gaudi|habana/.test(word));
  return (
    gpu ||
    words.some((word) => said.toLowerCase().includes(word)) ||
    (/infiniband|rdma|\bib\b|nic/i.test(said) && words.some((word) => /rdma|hca|ib|sriov|mlnx/.test(word)))
  );
}

/** A mount that waits for its driver, or for the driver's pod. */
function explainsMount(cause: Symptom, effect: Symptom): boolean {
  if (cause.code !== "csi-driver-missing" && cause.about.role !== "CSI node driver") return false;
  if (effect.code === "pod-stuck-terminating") {
    // The kubelet writes no event of an unmount that it cannot even ask for.
    if (effect.about.texts.length === 0) return failsBy(effect, ["mount"]);
    return (
      /unmount|TearDown|UnmountVolume|NodeUnpublish|csi/i.test(textOf(effect)) &&
      failsBy(effect, ["csi-driver", "csi-socket", "mount", "runtime", "unknown"])
    );
  }
  if (!failsBy(effect, ["csi-driver", "csi-socket", "mount", "attach"])) return false;
  const [driver] = effect.about.drivers;
  if (driver !== undefined && cause.about.drivers.length > 0) return cause.about.drivers.includes(driver);
  if (failsBy(effect, ["csi-driver", "csi-socket"])) return true;
  // A mount that only times out: the broken driver explains it, a failed attach by a cloud does not.
  return failsBy(effect, ["mount"]) && /deadline|timed out|csi/i.test(textOf(effect));
}
