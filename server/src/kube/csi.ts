// Kubernetes data layer: CSI objects as plain data.

export interface CsiNode {
  readonly name: string;
  readonly drivers: readonly {
    readonly name: string;
    readonly nodeID: string;
    readonly allocatableCount: number | null;
  }[];
}

export interface CsiDriver {
  readonly name: string;
  readonly attachRequired: boolean;
  /** spec.preventPodSchedulingIfMissing. */
  readonly preventsScheduling: boolean;
}
