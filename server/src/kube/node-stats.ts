// Kubernetes data layer: what a kubelet measures of its node (`stats/summary`), reduced to what is judged or told.

/** A file system in bytes and inodes; what the kubelet did not measure is null. */
export interface FileSystemStats {
  readonly availableBytes: number | null;
  readonly capacityBytes: number | null;
  readonly inodesFree: number | null;
  readonly inodes: number | null;
}

/** Memory in bytes; what the kubelet did not measure is null. */
export interface MemoryStats {
  readonly availableBytes: number | null;
  /** What is in use and cannot be given back at once. */
  readonly workingSetBytes: number | null;
}

/** Processes and threads: each takes one process id. */
export interface ProcessStats {
  readonly running: number | null;
  readonly limit: number | null;
}

/** Percent of the last minute in which some tasks waited for a resource; null where the kernel does not tell. */
export interface StallStats {
  readonly cpu: number | null;
  readonly memory: number | null;
  readonly io: number | null;
}

export interface PodUsage {
  readonly namespace: string;
  readonly name: string;
  /** Bytes of its working set. */
  readonly memory: number | null;
  /** Bytes of its writable layers, logs and emptyDir volumes on disk. */
  readonly disk: number | null;
}

export interface NodeStats {
  /** Milliseconds since the epoch, by the node's clock; null when nothing tells. */
  readonly measuredAt: number | null;
  readonly memory: MemoryStats | null;
  /** The file system of the kubelet's own folder. */
  readonly nodeFs: FileSystemStats | null;
  /** The file system of the images. */
  readonly imageFs: FileSystemStats | null;
  readonly processes: ProcessStats | null;
  readonly stalls: StallStats;
  readonly pods: readonly PodUsage[];
}
