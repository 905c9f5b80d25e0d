// What lines of kubelet, systemd, containerd and CRI-O mean. Each line must be found by the pattern that the node itself
// searches with, and fall into its kind; ordinary lines must be of no kind.
import { describe, expect, it } from "vitest";
import { foldLog } from "../../../server/src/triage/on-node/fold-log.ts";
import { KUBELET_PATTERN, LOG_KINDS, RUNTIME_PATTERN } from "../../../server/src/triage/on-node/log-kinds.ts";
import { readLogLines } from "../../../server/src/triage/on-node/log-line.ts";

const NOW = Date.parse("2026-04-14T10:00:59Z");
const klog = (level: string, message: string) => `${level}0414 10:00:00.000001     812 file.go:12] ${message}`;
const containerd = (level: string, msg: string, error = "") =>
  `time="2026-04-14T10:00:00.000000001Z" level=${level} msg="${msg}"${error === "" ? "" : ` error="${error}"`}`;

const KUBELET: Readonly<Record<string, readonly string[]>> = {
  "The service ended": [
    "kubelet.service: Main process exited, code=exited, status=1/FAILURE",
    "kubelet.service: Failed with result 'exit-code'.",
    "kubelet.service: Scheduled restart job, restart counter is at 412.",
    "kubelet.service: Start request repeated too quickly.",
    klog("E", '"command failed" err="failed to run Kubelet: running with swap on is not supported"'),
  ],
  "A disk is broken or read-only": [
    klog("E", '"Failed to write status" err="open /var/lib/kubelet/x: read-only file system"'),
    klog("E", '"Could not remove" err="unlinkat /var/lib/kubelet/pods/1: input/output error"'),
  ],
  "No space or no inodes left": [klog("E", '"Failed" err="write /var/lib/kubelet/y: no space left on device"')],
  "Too many open files or watches": [
    klog("E", '"Unable to start file watcher" err="error creating file watcher: too many open files"'),
    klog("W", "inotify_add_watch /sys/fs/cgroup/kubepods: cannot watch"),
  ],
  "No more processes or memory for new ones": [
    klog("E", '"Exec probe" err="fork/exec /usr/bin/runc: resource temporarily unavailable"'),
  ],
  "Out of memory": [klog("I", '"System OOM encountered" node="n1" victim="java" pid=4711')],
  "PLEG is not healthy": [
    klog(
      "E",
      '"Skipping pod synchronization" err="PLEG is not healthy: pleg was last seen active 3m4s ago; threshold is 3m0s"',
    ),
  ],
  "The container runtime does not answer": [
    klog("E", '"Skipping pod synchronization" err="container runtime is down"'),
    klog("E", '"ListPodSandbox failed" err="rpc error: code = DeadlineExceeded desc = context deadline exceeded"'),
    klog(
      "E",
      '"Status from runtime service failed" err="dial unix /run/containerd/containerd.sock: connect: connection refused"',
    ),
  ],
  "cgroup driver or cgroup setup": [
    klog(
      "E",
      'err="failed to run: misconfiguration: kubelet cgroup driver: \\"systemd\\" is different from docker cgroup driver"',
    ),
    klog(
      "E",
      '"Failed to start" err="expected cgroupsPath to be of format \\"slice:prefix:name\\" for systemd cgroups"',
    ),
  ],
  "State that an earlier configuration left": [
    klog(
      "E",
      '"Could not initialize checkpoint manager" err="could not restore state from checkpoint: configured policy \\"static\\" differs from state checkpoint policy \\"none\\""',
    ),
  ],
  "A certificate is expired or not trusted": [
    klog("E", '"Unable to authenticate the request" err="x509: certificate has expired or is not yet valid"'),
    klog("E", '"bootstrap" err="the client certificate is expired"'),
  ],
  "The API server refuses the node": [
    klog("E", '"Failed to update" err="Unauthorized"'),
    klog("E", '"Error getting node" err="node \\"n1\\" not found"'),
    klog("E", 'reflector.go: pods is forbidden: User "system:node:n2" cannot list resource "pods"'),
  ],
  "The API server is not reached": [
    klog("E", '"Unable to update node status" err="update node status exceeds retry count"'),
    klog(
      "E",
      '"Failed to ensure lease exists, will retry" err="Get \\"https://10.0.0.1:6443\\": dial tcp 10.0.0.1:6443: i/o timeout"',
    ),
  ],
  "Pods are evicted to free a resource": [
    klog("I", '"Eviction manager: attempting to reclaim" resourceName="ephemeral-storage"'),
    klog("I", '"Eviction manager: must evict pod(s) to reclaim" resourceName="memory"'),
  ],
  "Images cannot be cleaned up": [
    klog(
      "I",
      '"Disk usage on image filesystem is over the high threshold, trying to free bytes down to the low threshold" usage=91',
    ),
    klog(
      "E",
      '"Image garbage collection failed multiple times in a row" err="wanted to free 9223372036854775807 bytes, but freed 0 bytes"',
    ),
  ],
  "The pod network is not set up": [
    klog(
      "E",
      '"Container runtime network not ready" networkReady="NetworkReady=false reason:NetworkPluginNotReady message:Network plugin returns error: cni plugin not initialized"',
    ),
    klog(
      "E",
      '"CreatePodSandbox for pod failed" err="rpc error: failed to setup network for sandbox \\"ab12\\": plugin type=\\"calico\\" failed (add): no route"',
    ),
  ],
  "A CSI driver is not registered or does not answer": [
    klog("E", '"Mount failed" err="driver name files.csi.example.com not found in the list of registered CSI drivers"'),
    klog("E", "RegisterPlugin error -- plugin registration failed with err: rpc error"),
  ],
  "A device plugin came or went": [
    klog(
      "E",
      '"ListAndWatch ended unexpectedly for device plugin" err="rpc error: code = Unavailable desc = EOF" resource="rdma/hca"',
    ),
    klog("I", '"Mark all resources Unhealthy for resource" resourceName="nvidia.com/gpu"'),
    klog("I", '"Device plugin disconnected" resource="nvidia.com/gpu"'),
  ],
  "Volumes are not mounted or not cleaned up": [
    klog("E", '"Unable to attach or mount volumes for pod; skipping pod" err="timed out waiting"'),
    klog(
      "E",
      '"There were many similar errors" err="orphaned pod \\"1\\" found, but volume paths are still present on disk"',
    ),
  ],
  "Containers or their sandboxes do not start": [
    klog(
      "E",
      '"StartContainer failed" err="failed to create containerd task: OCI runtime create failed: runc create failed"',
    ),
  ],
  "Images are not pulled": [
    klog("E", '"PullImage from image service failed" err="failed to pull and unpack image \\"x\\": not found"'),
  ],
};

const RUNTIME: Readonly<Record<string, readonly string[]>> = {
  "The service ended": ["containerd.service: Main process exited, code=killed, status=9/KILL"],
  "No space or no inodes left": [
    containerd("error", 'PullImage \\"x\\" failed', "write /var/lib/containerd/tmp: no space left on device"),
  ],
  "Too many open files or watches": [containerd("error", "failed to start shim", "too many open files")],
  "Out of memory": [containerd("info", 'TaskOOM event container_id:\\"ab\\"')],
  "The pod network is not set up": [
    containerd(
      "error",
      "failed to load cni during init, please check CRI plugin status",
      "no networks found in /etc/cni/net.d",
    ),
  ],
  "A device plugin came or went": [
    containerd("error", "StartContainer failed", "nvidia-container-cli: initialization error: driver not loaded"),
  ],
  "Containers or their sandboxes do not start": [
    containerd("info", "shim disconnected"),
    containerd("error", "RunPodSandbox for x failed", "failed to create shim task"),
  ],
  "Images are not pulled": [
    containerd("error", 'PullImage \\"registry.example.com/x:1\\" failed', "429: toomanyrequests"),
  ],
};

const ORDINARY = [
  klog("I", '"SyncLoop ADD" source="api" pods=["default/web-1"]'),
  klog("I", '"Probe failed" probeType="Readiness" pod="default/web-1" output="HTTP probe failed with statuscode: 503"'),
  klog("I", '"operationExecutor.VerifyControllerAttachedVolume started for volume \\"config\\""'),
  klog("I", '"Got registration request from device plugin with resource" resourceName="rdma/hca"'),
  klog("I", '"Registered client" name="rdma/hca"'),
  klog("I", '"Deleted state file" path="/var/lib/kubelet/x"'),
  containerd("info", 'StartContainer for \\"ab\\" returns successfully'),
  "Started kubelet.service - kubelet: The Kubernetes Node Agent.",
];

const cases = (table: Readonly<Record<string, readonly string[]>>) =>
  Object.entries(table).flatMap(([kind, lines]) => lines.map((line) => [kind, line] as const));
/** As a node's own search does it: PCRE2 takes the leading (?i), JavaScript a flag. */
const searches = (pattern: string, line: string) => new RegExp(pattern.replace(/^\(\?i\)/, ""), "i").test(line);
const kindsOf = (line: string) =>
  foldLog(readLogLines([`Apr 14 10:00:00.000001 n1 unit[1]: ${line}`], NOW)).groups.map(({ kind }) => kind.title);

describe("the kubelet's log", () => {
  it.each(cases(KUBELET))("%s: %s", (kind, line) => {
    expect(searches(KUBELET_PATTERN, line)).toBe(true);
    expect(kindsOf(line)).toEqual([kind]);
  });
});

describe("the runtime's log", () => {
  it.each(cases(RUNTIME))("%s: %s", (kind, line) => {
    expect(searches(RUNTIME_PATTERN, line)).toBe(true);
    expect(kindsOf(line)).toEqual([kind]);
  });
});

describe("ordinary lines", () => {
  it.each(ORDINARY)("%s", (line) => {
    expect(kindsOf(line)).toEqual([]);
  });
  it("are hardly asked for", () => {
    expect(ORDINARY.filter((line) => searches(KUBELET_PATTERN, line))).toEqual([]);
  });
});

it("every kind has an example but those that only the fold shows", () => {
  const shown = new Set([...Object.keys(KUBELET), ...Object.keys(RUNTIME)]);
  expect(LOG_KINDS.map(({ title }) => title).filter((title) => !shown.has(title))).toEqual([
    "Log rotation or garbage collection of containers fails",
  ]);
});
