// Roles by structure first and by name last, on the shapes that platform DaemonSets have in the wild.
import { describe, expect, test } from "vitest";
import { isDeliberateTaint } from "../../server/src/coverage/deliberate-taints.ts";
import { findRole } from "../../server/src/coverage/find-role.ts";
import { clearsTaint, isTransientTaint } from "../../server/src/coverage/transient-taints.ts";
import { workloadOf } from "./objects.ts";

function daemonSet(name: string, podSpec: string): string {
  return `
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: ${name}, namespace: kube-system}
spec:
  selector: {matchLabels: {app: ${name}}}
  template:
    metadata: {labels: {app: ${name}}}
    spec: ${podSpec}
`;
}

function withPaths(name: string, ...paths: readonly string[]): string {
  const volumes = paths.map((path, index) => `{name: v${index}, hostPath: {path: '${path}'}}`).join(", ");
  return daemonSet(name, `{containers: [{name: main, image: registry.example.com/thing:1}], volumes: [${volumes}]}`);
}

function withContainer(name: string, container: string): string {
  return daemonSet(name, `{containers: [${container}]}`);
}

describe("a role is told by structure", () => {
  test.each([
    ["device plugin", "/var/lib/kubelet/device-plugins"],
    ["device plugin", "/var/lib/k0s/kubelet/device-plugins/"],
    ["device plugin", "/var/snap/microk8s/common/var/lib/kubelet/device-plugins"],
    ["device plugin", "/opt/rke/var/lib/kubelet/device-plugins"],
    ["network plugin", "/etc/cni/net.d"],
    ["network plugin", "/opt/cni/bin/"],
    ["network plugin", "/var/lib/rancher/k3s/agent/etc/cni/net.d"],
    ["network plugin", "/var/snap/microk8s/current/args/cni-network"],
    ["log agent", "/var/log/pods"],
    ["log agent", "/var/log/containers"],
    ["log agent", "/var/lib/docker/containers"],
    ["local-storage provisioner", "/mnt/disks"],
    ["local-storage provisioner", "/mnt/fast-disks"],
    ["node agent", "/var/run/docker.sock"],
  ])("%s: mounts %s", (role, path) => {
    expect(findRole(workloadOf(withPaths("thing", path)))).toMatchObject({ role });
  });

  test("a CSI node driver: a registrar beside it, the kubelet's folders, or both", () => {
    const registrar = "{name: node-driver-registrar, image: registry.example.com/csi-node-driver-registrar:v2}";
    expect(findRole(workloadOf(withContainer("storage", registrar))).role).toBe("CSI node driver");
    const root = "/var/lib/k0s/kubelet";
    const folders = withPaths("x", `${root}/plugins_registry/`, `${root}/plugins/x.example.com/`, `${root}/pods`);
    expect(findRole(workloadOf(folders)).role).toBe("CSI node driver");
    const windows = withPaths(
      "x",
      "C:\\var\\lib\\kubelet\\plugins_registry\\",
      "C:\\var\\lib\\kubelet\\",
      "C:\\var\\lib\\kubelet\\plugins\\x.example.com\\",
    );
    expect(findRole(workloadOf(windows)).role).toBe("CSI node driver");
  });

  test("what only registers itself serves devices, unless its name speaks of CSI", () => {
    const registry = "/var/lib/kubelet/plugins_registry";
    expect(findRole(workloadOf(withPaths("rdma-shared", registry))).role).toBe("device plugin");
    expect(findRole(workloadOf(withPaths("nfs-csi", registry))).role).toBe("CSI node driver");
    // A DRA driver has its own folder below plugins, but mounts no volumes into pods.
    const dra = withPaths("gpu", registry, "/var/lib/kubelet/plugins/gpu.example.com");
    expect(findRole(workloadOf(dra)).role).toBe("device plugin");
  });

  test("an exporter reads /proc and /sys and nothing that a driver or a security agent reads", () => {
    expect(findRole(workloadOf(withPaths("metrics", "/proc", "/sys", "/"))).role).toBe("exporter");
    expect(findRole(workloadOf(withPaths("metrics", "/sys", "/"))).role).toBe("exporter");
    expect(findRole(workloadOf(withPaths("security", "/proc", "/sys", "/lib/modules", "/dev"))).role).toBe(
      "node agent",
    );
    expect(findRole(workloadOf(withPaths("driver", "/sys", "/", "/run/gpu/driver"))).role).toBe("node agent");
  });

  test("kube-proxy by what it runs", () => {
    const proxy = "{name: p, image: 'registry.k8s.io/kube-proxy:v1.37.2', command: [/usr/local/bin/kube-proxy]}";
    expect(findRole(workloadOf(withContainer("net", proxy))).role).toBe("kube-proxy");
  });

  test("structure wins over names", () => {
    expect(findRole(workloadOf(withPaths("node-exporter", "/var/lib/kubelet/device-plugins"))).role).toBe(
      "device plugin",
    );
    expect(findRole(workloadOf(withPaths("kube-proxy", "/etc/cni/net.d"))).role).toBe("network plugin");
    expect(findRole(workloadOf(withPaths("csi-metrics", "/proc", "/sys"))).role).toBe("exporter");
  });
});

describe("a role is told by name where structure is silent", () => {
  test.each([
    ["CSI node driver", "csi-node"],
    ["CSI node driver", "ebs-csi-node"],
    ["device plugin", "nvidia-device-plugin-daemonset"],
    ["network plugin", "calico-node"],
    ["network plugin", "kube-flannel-ds"],
    ["exporter", "dcgm-exporter"],
    ["log agent", "fluent-bit"],
    ["local-storage provisioner", "local-volume-provisioner"],
    ["kube-proxy", "kube-proxy"],
    ["application", "web"],
  ])("%s: is called %s", (role, name) => {
    expect(findRole(workloadOf(withContainer(name, "{name: c, image: i}")))).toMatchObject({ role });
  });

  test("a shared image does not make a labeller a device plugin", () => {
    const labeller = daemonSet(
      "gpu-labeller",
      "{containers: [{name: c, image: rocm/k8s-device-plugin:labeller}], volumes: [{name: s, hostPath: {path: /sys}}]}",
    );
    expect(findRole(workloadOf(labeller)).role).toBe("node agent");
  });

  test("the node's logs make a log agent only of what is called one", () => {
    expect(findRole(workloadOf(withPaths("fluentd", "/var/log"))).role).toBe("log agent");
    expect(findRole(workloadOf(withPaths("gpu-driver", "/var/log", "/dev"))).role).toBe("node agent");
  });
});

test("the workspace file has the first word, and other kinds are applications", () => {
  const workload = workloadOf(withPaths("thing", "/etc/cni/net.d"));
  const workloadPattern = { kind: null, namespace: null, name: "th*" };
  expect(findRole(workload, [{ workload: workloadPattern, role: "node agent" }]).role).toBe("node agent");
  expect(findRole({ ...workload, kind: "Deployment" }).role).toBe("application");
});

describe("taints that never ask for a toleration", () => {
  const taint = (key: string, effect: "NoSchedule" | "NoExecute" = "NoSchedule") => ({ key, value: "", effect });

  test.each([
    "node.kubernetes.io/not-ready",
    "node.cilium.io/agent-not-ready",
    "ebs.csi.aws.com/agent-not-ready",
    "ToBeDeletedByClusterAutoscaler",
    "startup-taint.cluster-autoscaler.kubernetes.io/gpu",
    "readiness.k8s.io/network",
  ])("%s is transient", (key) => {
    expect(isTransientTaint(taint(key))).toBe(true);
  });

  test("a pool's taint is not, unless the workspace file says so", () => {
    expect(isTransientTaint(taint("dedicated"))).toBe(false);
    expect(isTransientTaint(taint("boot/x"), [{ key: "boot/*", value: null, effect: null }])).toBe(true);
  });

  test("the component that clears a taint must tolerate it", () => {
    expect(clearsTaint("network plugin", taint("node.kubernetes.io/not-ready"), ["router"])).toBe(true);
    expect(clearsTaint("log agent", taint("node.kubernetes.io/not-ready"), ["logs"])).toBe(false);
    expect(clearsTaint("network plugin", taint("node.cilium.io/agent-not-ready", "NoExecute"), ["cilium"])).toBe(true);
    expect(clearsTaint("network plugin", taint("node.cilium.io/agent-not-ready", "NoExecute"), ["multus"])).toBe(false);
  });

  test("control-plane taints are deliberate for all but what every node needs", () => {
    expect(isDeliberateTaint(taint("node-role.kubernetes.io/control-plane"), "log agent")).toBe(true);
    expect(isDeliberateTaint(taint("node-role.kubernetes.io/etcd", "NoExecute"), "exporter")).toBe(true);
    expect(isDeliberateTaint(taint("node-role.kubernetes.io/control-plane"), "CSI node driver")).toBe(false);
    expect(isDeliberateTaint(taint("node-role.kubernetes.io/infra"), "log agent")).toBe(false);
  });
});
