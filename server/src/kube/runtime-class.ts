// Kubernetes data layer: a RuntimeClass as plain data.
import type { Resources } from "./resources.ts";
import type { Toleration } from "./toleration.ts";

export interface RuntimeClass {
  readonly name: string;
  readonly handler: string;
  readonly nodeSelector: Readonly<Record<string, string>>;
  readonly tolerations: readonly Toleration[];
  readonly overhead: Resources;
}
