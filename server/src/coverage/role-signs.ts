// Coverage layer: the signs by which a workload's role is told. Structure comes first, names are the last resort.
import type { PodSpec } from "../kube/pod-spec.ts";
import type { Role } from "./role.ts";

/** A sign of a role: what of the spec shows it, in words; null when it does not. */
export interface RoleSign {
  readonly role: Role;
  readonly find: (spec: PodSpec) => string | null;
}

/** Host paths of a spec, without a trailing slash, with `/` for the Windows separator. */
function hostPaths(spec: Pick<PodSpec, "volumes">): readonly string[] {
  const paths = spec.volumes.flatMap((volume) => (volume.hostPath === null ? [] : [volume.hostPath]));
  return paths.map((path) => path.replaceAll("\\", "/").replace(/(?<=.)\/+$/, ""));
}

function pathSign(spec: PodSpec, pattern: RegExp): string | null {
  const path = hostPaths(spec).find((candidate) => pattern.test(candidate));
  return path === undefined ? null : `mounts ${path} of the node`;
}

/** The kubelet's folder for device plugins, whatever its root (k0s, microk8s and rke move it). */
const DEVICE_PLUGINS = /\/device-plugins$/;
const PLUGINS_REGISTRY = /\/plugins_registry$/;
/** A driver's own folder below the kubelet's `plugins`. */
const DRIVER_FOLDER = /\/plugins(\/[^/]+)+$/;
/** The kubelet's root or its pods folder, where a CSI driver mounts volumes. */
const KUBELET_PODS = /kubelet(\/pods)?$/;
const SECRETS_STORE = /\/secrets-store-csi-providers$/;
const CNI = /(^|\/)cni(\/|$)|\/cni-network$/;
const CONTAINER_LOGS = /^\/var\/log\/(pods|containers)(\/|$)|\/docker\/containers(\/|$)/;
const LOCAL_DISKS =
  /^\/mnt\/(disks|[a-z-]*local[a-z-]*|[a-z-]*disks)(\/|$)|\/local-path-provisioner|^\/mnt\/local-(storage|volumes)/;
/** What a driver installer or a security agent mounts beside /proc and /sys, and an exporter does not. */
const MORE_THAN_METRICS = /^\/(dev|boot|lib\/modules|usr|usr\/src)$/;
const METRICS_ONLY = /^\/(proc|sys|$)|^\/$|udev|dbus|systemd|textfile|node[-_]exporter/;

function registrar(spec: PodSpec): string | null {
  const container = spec.containers.find(
    ({ name, image, command }) =>
      /registrar/.test(name) || /driver-registrar/.test(image) || command.some((word) => /driver-registrar/.test(word)),
  );
  return container === undefined ? null : `container ${container.name} registers a driver with the kubelet`;
}

function csiDriver(spec: PodSpec): string | null {
  const registers = registrar(spec);
  if (registers !== null) return registers;
  if (pathSign(spec, PLUGINS_REGISTRY) === null) return pathSign(spec, SECRETS_STORE);
  // A DRA driver and a device plugin register there too, but mount no volumes into pods.
  return pathSign(spec, DRIVER_FOLDER) === null ? null : pathSign(spec, KUBELET_PODS);
}

function exporter(spec: PodSpec): string | null {
  const paths = hostPaths(spec);
  if (!paths.includes("/sys")) return null;
  const reads = paths.includes("/proc") && !paths.some((path) => MORE_THAN_METRICS.test(path));
  const readsRoot = paths.includes("/") && paths.every((path) => METRICS_ONLY.test(path));
  return reads || readsRoot ? `mounts /sys and ${paths.includes("/proc") ? "/proc" : "/"} of the node` : null;
}

function kubeProxy(spec: PodSpec): string | null {
  const container = spec.containers.find(({ image, command }) =>
    [image, ...command].some((word) => /(^|\/)kube-proxy(-[a-z0-9]+)?([:@]|$)/.test(word)),
  );
  return container === undefined ? null : `container ${container.name} runs kube-proxy`;
}

/** In this order: the first that is found decides. */
export const STRUCTURE_SIGNS: readonly RoleSign[] = [
  { role: "device plugin", find: (spec) => pathSign(spec, DEVICE_PLUGINS) },
  { role: "CSI node driver", find: csiDriver },
  { role: "network plugin", find: (spec) => pathSign(spec, CNI) },
  { role: "local-storage provisioner", find: (spec) => pathSign(spec, LOCAL_DISKS) },
  { role: "log agent", find: (spec) => pathSign(spec, CONTAINER_LOGS) },
  { role: "exporter", find: exporter },
  { role: "kube-proxy", find: kubeProxy },
];

/** What a name says, where the structure says nothing; tried on the workload's name, containers and images. */
export const NAME_SIGNS: readonly (readonly [role: Role, pattern: RegExp])[] = [
  ["kube-proxy", /^kube-proxy/],
  ["CSI node driver", /(^|-)csi(-|$)|csi-?(driver|plugin|node)/],
  [
    "device plugin",
    /device-?plugin|shared-dev(ice)?-plugin|(^|-)dra-(driver|plugin)|kubelet-plugin|^(gpu|rdma|sriov|efa|fpga|tpu|npu|qat|sgx|infiniband)-plugin/,
  ],
  [
    "network plugin",
    /(^|-)cni(-|$)|^(calico-node|canal|cilium|cilium-agent|antrea-agent|aws-node|azure-cns|kindnet|weave-net|(kube-)?router|netd)$|^(kube-)?(flannel|ovn|multus)|^ovnkube-node/,
  ],
  ["exporter", /(^|-)exporter(-|$)|node-?exporter|cadvisor/],
  [
    "log agent",
    /fluent-?(d|bit)|filebeat|promtail|logstash|(^|-)logs?(-(agent|collector|forwarder|shipper|router))?$|^(vector|alloy-logs)(-|$)/,
  ],
  [
    "local-storage provisioner",
    /local-(volume|static|storage|path|disk)s?-(provisioner|manager)|(^|-)local-provisioner/,
  ],
];

/** Whether the pods reach into their node at all. */
export function reachesIntoNode(spec: PodSpec): string | null {
  const [path] = hostPaths(spec);
  if (path !== undefined) return `mounts ${path} of the node`;
  if (spec.hostNetwork) return "uses the node's network";
  return spec.hostPID ? "sees the node's processes" : null;
}

/** Whether the plugin registers with the kubelet in the folder for all kinds of plugins. */
export function registersSomething(spec: PodSpec): string | null {
  return pathSign(spec, PLUGINS_REGISTRY);
}

/** Whether all of the node's logs are mounted; only the name tells a log agent from a driver that writes there. */
export function mountsLogs(spec: PodSpec): boolean {
  return hostPaths(spec).includes("/var/log");
}
