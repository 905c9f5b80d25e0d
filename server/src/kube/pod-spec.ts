// Kubernetes data layer: the part of a PodSpec that scheduling, roles and triage read.
import type { NodeSelector } from "./node-selector.ts";
import type { Resources } from "./resources.ts";
import type { Toleration } from "./toleration.ts";

export type ContainerType = "container" | "init" | "sidecar";

export interface VolumeMount {
  readonly name: string;
  readonly mountPath: string;
}

export interface Container {
  readonly name: string;
  readonly image: string;
  /** `sidecar` is an init container with restartPolicy Always. */
  readonly type: ContainerType;
  /** Requests as the API server defaults them (a limit without a request is the request). */
  readonly requests: Resources;
  readonly limits: Resources;
  readonly mounts: readonly VolumeMount[];
  /** The first words of command and args, for roles; never environment variables. */
  readonly command: readonly string[];
}

export interface Volume {
  readonly name: string;
  /** Path on the node when the volume is a hostPath, else null. */
  readonly hostPath: string | null;
  /** Name of the claim, else null. Generic ephemeral volumes have none here. */
  readonly claim: string | null;
  /** Driver of an inline CSI volume, else null. */
  readonly csiDriver: string | null;
}

export interface PodSpec {
  /** Empty when unset. */
  readonly nodeName: string;
  readonly nodeSelector: Readonly<Record<string, string>>;
  /** requiredDuringSchedulingIgnoredDuringExecution; null when unset. */
  readonly requiredAffinity: NodeSelector | null;
  readonly tolerations: readonly Toleration[];
  readonly hostNetwork: boolean;
  readonly hostPID: boolean;
  /** spec.os.name; empty when unset. */
  readonly os: string;
  /** Empty or `default-scheduler`: the default one. */
  readonly schedulerName: string;
  readonly schedulingGates: readonly string[];
  readonly runtimeClassName: string;
  readonly priorityClassName: string;
  /** What the scheduler asks of a node. Source: k8s.io/component-helpers/resource PodRequests. */
  readonly requests: Resources;
  readonly containers: readonly Container[];
  readonly volumes: readonly Volume[];
  /** Whether the spec has resourceClaims (DRA). */
  readonly usesResourceClaims: boolean;
  /** Whether pod affinity or anti-affinity, or topology spread, takes part: not modelled, and said so. */
  readonly notModelled: readonly ("podAffinity" | "topologySpread" | "volumes" | "resourceClaims")[];
}
