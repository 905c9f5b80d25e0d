// Triage layer, on the node: what a kubelet begins to evict at when nobody configured it. What this node has set is in
// its configuration, which is not read. Source: k8s.io/kubernetes/pkg/kubelet/eviction DefaultEvictionHard (Linux and
// Windows), and imageGCHighThresholdPercent (85), which is the same as 15 % of the images' file system.

export interface EvictionThresholds {
  /** Bytes of memory. */
  readonly memory: number;
  /** Shares of the whole, 0 to 1; null: no default. */
  readonly nodeFs: number;
  readonly nodeFsInodes: number | null;
  readonly imageFs: number;
  readonly imageFsInodes: number | null;
}

const MEBIBYTE = 1024 * 1024;

const LINUX: EvictionThresholds = {
  memory: 100 * MEBIBYTE,
  nodeFs: 0.1,
  nodeFsInodes: 0.05,
  imageFs: 0.15,
  imageFsInodes: 0.05,
};
const WINDOWS: EvictionThresholds = {
  memory: 500 * MEBIBYTE,
  nodeFs: 0.1,
  nodeFsInodes: null,
  imageFs: 0.15,
  imageFsInodes: null,
};

/** The default thresholds by `status.nodeInfo.operatingSystem`. */
export function defaultThresholds(operatingSystem: string): EvictionThresholds {
  return operatingSystem === "windows" ? WINDOWS : LINUX;
}
