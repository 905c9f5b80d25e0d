// What the words of kubelets, runtimes, clouds and plugins are read as.
import { describe, expect, it } from "vitest";
import { faultSeverity, isGoodWhenTrue, networkWriter, reportsFault } from "../../server/src/triage/read/condition.ts";
import { isPressureEnd, isRejection, lowOn } from "../../server/src/triage/read/ended-pod.ts";
import { isEcho, readPull, readStart } from "../../server/src/triage/read/failure.ts";
import { readComplaint } from "../../server/src/triage/read/not-ready.ts";

const STARTS: readonly (readonly [reason: string, text: string, kind: string])[] = [
  [
    "FailedCreatePodSandBox",
    'failed to get sandbox image "registry.k8s.io/pause:3.10": failed to pull image',
    "sandbox-image",
  ],
  [
    "FailedCreatePodSandBox",
    'Failed to create pod sandbox: rpc error: code = Unknown desc = failed pulling image "k8s.gcr.io/pause:3.2": Error response from daemon',
    "sandbox-image",
  ],
  [
    "FailedCreatePodSandBox",
    'failed to setup network for sandbox "1": plugin type="calico" failed (add): error getting ClusterInformation: connection is unauthorized',
    "network",
  ],
  [
    "FailedCreatePodSandBox",
    'NetworkPlugin cni failed to set up pod "a_b" network: failed to find plugin "bridge" in path [/opt/cni/bin]',
    "network",
  ],
  [
    "FailedCreatePodSandBox",
    "failed to create pod network sandbox k8s_a_b: error adding pod to CNI network: ADD failed",
    "network",
  ],
  [
    "FailedCreatePodSandBox",
    "error: failed to allocate for range 0: no IP addresses available in range set: 10.0.0.1-10.0.0.254",
    "network",
  ],
  ["NetworkNotReady", "network is not ready: container runtime network not ready: NetworkReady=false", "network"],
  ["FailedCreatePodSandBox", 'failed to get sandbox runtime: no runtime for "kata" is configured', "runtime-handler"],
  ["FailedCreatePodSandBox", "rpc error: code = DeadlineExceeded desc = context deadline exceeded", "runtime"],
  ["FailedCreatePodSandBox", 'failed to reserve sandbox name "a": name "a" is reserved for "b"', "runtime"],
  ["FailedCreatePodSandBox", "dial unix /run/containerd/containerd.sock: connect: connection refused", "runtime"],
  ["FailedCreatePodSandBox", "failed to start shim: fork/exec: resource temporarily unavailable", "runtime"],
  ["FailedCreatePodSandBox", "mkdir /var/lib/containerd/x: read-only file system", "read-only"],
  ["FailedCreatePodSandBox", "write /var/lib/containerd/x: no space left on device", "no-space"],
  [
    "FailedMount",
    'MountVolume.MountDevice failed for volume "pv" : kubernetes.io/csi: attacher.MountDevice failed to create newCsiDriverClient: driver name d.example.com not found in the list of registered CSI drivers',
    "csi-driver",
  ],
  [
    "FailedAttachVolume",
    'AttachVolume.Attach failed for volume "pv" : CSINode n1 does not contain driver d.example.com',
    "csi-driver",
  ],
  [
    "FailedMount",
    'MountVolume.SetUp failed for volume "pv" : rpc error: code = Unavailable desc = connection error: desc = "transport: Error while dialing: dial unix /var/lib/kubelet/plugins/d.example.com/csi.sock: connect: no such file or directory"',
    "csi-socket",
  ],
  [
    "FailedMount",
    'MountVolume.MountDevice failed for volume "pv" : rpc error: code = DeadlineExceeded desc = context deadline exceeded',
    "mount",
  ],
  ["FailedMount", 'MountVolume.SetUp failed for volume "pv" : mount failed: exit status 32', "mount"],
  ["FailedMount", 'MountVolume.SetUp failed for volume "cfg" : configmap "app" not found', "config"],
  ["FailedMount", 'MountVolume.SetUp failed for volume "s" : references non-existent secret key: tls.crt', "config"],
  [
    "FailedAttachVolume",
    'Multi-Attach error for volume "pvc-1" Volume is already used by pod(s) a-0, a-1',
    "volume-in-use",
  ],
  ["FailedAttachVolume", 'Waiting for detach for volume "pvc-1" Volume is already used by pod(s) a-0', "volume-in-use"],
  [
    "FailedAttachVolume",
    'AttachVolume.Attach failed for volume "pv" : timed out waiting for external-attacher of d.example.com CSI driver to attach volume',
    "attacher",
  ],
  [
    "FailedAttachVolume",
    'AttachVolume.Attach failed for volume "pv" : rpc error: code = ResourceExhausted desc = Maximum number of data disks reached',
    "attach-limit",
  ],
  [
    "FailedAttachVolume",
    'AttachVolume.Attach failed for volume "pv" : rpc error: code = NotFound desc = volume vol-1 not found',
    "volume-gone",
  ],
  [
    "FailedAttachVolume",
    'AttachVolume.Attach failed for volume "pv" : rpc error: code = Internal desc = instance is busy',
    "attach",
  ],
  [
    "FailedPrepareDynamicResources",
    "prepare dynamic resources: plugin name gpu.example.com not found in the list of registered plugins",
    "dra-driver",
  ],
  [
    "FailedPrepareDynamicResources",
    "Failed to prepare dynamic resources: DRA driver gpu.example.com is not registered",
    "dra-driver",
  ],
  [
    "Failed",
    "Error: failed to create containerd task: failed to create shim task: hcs::CreateComputeSystem x: The container operating system does not match the host operating system.",
    "platform",
  ],
  ["Failed", "Error: failed to inject CDI devices: unresolvable CDI devices nvidia.com/gpu=0", "devices"],
];

describe("why a pod does not start", () => {
  for (const [reason, text, kind] of STARTS) {
    it(`${kind}: ${text.slice(0, 90)}`, () => {
      expect(readStart(reason, text).kind).toBe(kind);
    });
  }

  it("names drivers, volumes and holders", () => {
    const driver = readStart(
      "FailedMount",
      'volume "pvc-1" : driver name disk.csi.example.com not found in the list of registered CSI drivers',
    );
    expect([driver.driver, driver.volume]).toEqual(["disk.csi.example.com", "pvc-1"]);
    const held = readStart(
      "FailedAttachVolume",
      'Multi-Attach error for volume "pvc-1" Volume is already used by pod(s) db-0, db-1',
    );
    expect(held.holders).toEqual(["db-0", "db-1"]);
  });

  it("tells an echo from a cause", () => {
    expect(isEcho('name "x" is reserved for "y"')).toBe(true);
    expect(
      isEcho("Unable to attach or mount volumes: unmounted volumes=[data]: timed out waiting for the condition"),
    ).toBe(true);
    expect(isEcho("context deadline exceeded")).toBe(false);
  });
});

const PULLS: readonly (readonly [text: string, kind: string])[] = [
  ["429 Too Many Requests - Server message: toomanyrequests: You have reached your pull rate limit.", "rate-limit"],
  ["pull QPS exceeded", "rate-limit"],
  ["failed to extract layer: write /x: no space left on device", "no-space"],
  ["no match for platform in manifest: not found", "platform"],
  ["no matching manifest for linux/arm64/v8 in the manifest list entries", "platform"],
  ["rpc error: code = NotFound desc = failed to resolve reference: registry.example/a:1: not found", "not-found"],
  ["manifest for a:1 not found: manifest unknown: manifest unknown", "not-found"],
  ["unexpected status from HEAD request: 401 Unauthorized", "denied"],
  ["pull access denied, repository does not exist or may require authorization", "denied"],
  ["tls: failed to verify certificate: x509: certificate signed by unknown authority", "certificate"],
  ["dial tcp: lookup registry.example: no such host", "registry-unreachable"],
  ["net/http: TLS handshake timeout", "registry-unreachable"],
  ["something nobody has seen", "pull"],
];

describe("why an image cannot be pulled", () => {
  for (const [text, kind] of PULLS) {
    it(`${kind}: ${text.slice(0, 80)}`, () => {
      expect(readPull(text).kind).toBe(kind);
    });
  }
});

describe("conditions", () => {
  it("are read by the polarity of their names", () => {
    const fault = (type: string, status: string) => reportsFault({ type, status });
    expect(["KernelReady", "StorageReady", "GPUHealthy"].every(isGoodWhenTrue)).toBe(true);
    expect(["KernelDeadlock", "KubeletUnhealthy", "CniNotReady"].some(isGoodWhenTrue)).toBe(false);
    expect(fault("KernelDeadlock", "True")).toBe(true);
    expect(fault("KernelReady", "True")).toBe(false);
    expect(fault("KernelReady", "False")).toBe(true);
    expect(fault("NetworkUnavailable", "False")).toBe(false);
    expect(fault("XIDError", "Unknown")).toBe(false);
    expect(fault("AcceleratedHardwareReady", "Unknown")).toBe(false);
  });

  it("weigh by what they stop", () => {
    expect(faultSeverity("DiskPressure")).toBe("error");
    expect(faultSeverity("ReadonlyFilesystem")).toBe("error");
    expect(faultSeverity("ContainerRuntimeUnhealthy")).toBe("error");
    expect(faultSeverity("FrequentContainerdRestart")).toBe("warning");
    expect(faultSeverity("VMEventScheduled")).toBe("warning");
    expect(faultSeverity("TemperatureHigh")).toBe("warning");
  });

  it("name who wrote them", () => {
    expect(networkWriter("CalicoIsDown")).toBe("calico");
    expect(networkWriter("FlannelIsUp")).toBe("flannel");
    expect(networkWriter("NoRouteCreated")).toBe("cloud");
    expect(networkWriter("Whatever")).toBe("");
  });
});

describe("the kubelet's complaint", () => {
  it("is told by its first kind", () => {
    const kind = (message: string) => readComplaint(message).complaint;
    expect(kind("[container runtime is down, PLEG is not healthy: pleg was last seen active 7m ago]")).toBe("runtime");
    expect(
      kind(
        "runtime network not ready: NetworkReady=false reason:NetworkPluginNotReady message:docker: network plugin is not ready: cni config uninitialized",
      ),
    ).toBe("network");
    expect(kind("container runtime network not ready: cni plugin not initialized")).toBe("network");
    expect(kind("node is shutting down")).toBe("shutdown");
    expect(kind("CSINode is not yet initialized")).toBe("storage");
    expect(kind("kubelet nodes sync")).toBe("other");
  });
});

describe("ended pods", () => {
  const failed = (reason: string, message: string) => ({ phase: "Failed", reason, message });

  it("tell refusal from eviction, and both from an end of their own", () => {
    const refused = failed("UnexpectedAdmissionError", "Pod was rejected: Allocate failed");
    const older = failed("OutOfmemory", "Pod Node didn't have enough resource: memory");
    const pressed = failed("Evicted", "Pod was rejected: The node had condition: [MemoryPressure]. ");
    const evicted = failed(
      "Evicted",
      "The node was low on resource: ephemeral-storage. Threshold quantity: 1, available: 0. ",
    );
    const limit = failed("Evicted", 'Usage of EmptyDir volume "x" exceeds the limit "1Gi". ');
    const own = failed("DeadlineExceeded", "Job was active longer than specified deadline");
    expect([refused, older, pressed, evicted, limit, own].map(isRejection)).toEqual([
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
    expect([refused, older, pressed, evicted, limit, own].map(isPressureEnd)).toEqual([
      false,
      false,
      true,
      true,
      false,
      false,
    ]);
    expect([lowOn(pressed.message), lowOn(evicted.message)]).toEqual(["MemoryPressure", "ephemeral-storage"]);
  });
});
