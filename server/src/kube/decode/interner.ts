// Kubernetes data layer, decoding: equal parts of many objects kept once, so that 150,000 pods of few templates stay small.
import type { Container, PodSpec, Volume } from "../pod-spec.ts";
import type { Resources } from "../resources.ts";
import type { Toleration } from "../toleration.ts";
import type { OwnerRef } from "../workload.ts";

/** Keeps the first of equal values; equality is that of their JSON text. */
export interface Pool<T> {
  /** Returns an equal value seen before, else this one. */
  share(value: T): T;
}

/** The pools of one reading; made by `createInterner` and handed to the decoders. */
export interface Interner {
  readonly texts: Pool<string>;
  readonly textMaps: Pool<Readonly<Record<string, string>>>;
  readonly resources: Pool<Resources>;
  readonly tolerations: Pool<readonly Toleration[]>;
  readonly containers: Pool<readonly Container[]>;
  readonly volumes: Pool<readonly Volume[]>;
  readonly podSpecs: Pool<PodSpec>;
  readonly owners: Pool<OwnerRef>;
}

/** A new interner. It holds on to what it has seen: drop it when the reading is done, or keep it for a watch. */
export function createInterner(): Interner {
  return {
    texts: textPool(),
    textMaps: pool(),
    resources: pool(),
    tolerations: pool(),
    containers: pool(),
    volumes: pool(),
    podSpecs: pool(),
    owners: pool(),
  };
}

/** Shares nothing: for single objects. */
export const NO_SHARING: Interner = {
  texts: { share: (value) => value },
  textMaps: { share: (value) => value },
  resources: { share: (value) => value },
  tolerations: { share: (value) => value },
  containers: { share: (value) => value },
  volumes: { share: (value) => value },
  podSpecs: { share: (value) => value },
  owners: { share: (value) => value },
};

function pool<T>(): Pool<T> {
  const seen = new Map<string, T>();
  return {
    share(value: T): T {
      const key = JSON.stringify(value);
      const known = seen.get(key);
      if (known !== undefined) return known;
      seen.set(key, value);
      return value;
    },
  };
}

function textPool(): Pool<string> {
  const seen = new Map<string, string>();
  return {
    share(value: string): string {
      const known = seen.get(value);
      if (known !== undefined) return known;
      seen.set(value, value);
      return value;
    },
  };
}
