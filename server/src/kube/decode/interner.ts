// Kubernetes data layer, decoding: equal parts of many objects kept once, so that 150,000 pods of few templates stay small.
import type { NodeSelector } from "../node-selector.ts";
import type { Container, PodSpec, Volume } from "../pod-spec.ts";
import type { Resources } from "../resources.ts";
import type { Toleration } from "../toleration.ts";
import type { OwnerRef } from "../workload.ts";

/** Keeps the first of equal values; equality is that of their JSON text. */
export interface Pool<T> {
  /** Returns an equal value seen before, else this one. */
  share(value: T): T;
  /**
   * The value that `decode` makes of `sources`. Where a reader gives equal parts as the same objects (`bySource`),
   * sources seen before are not decoded again; undecoded values are none of our business, so they may be anything.
   */
  from(sources: readonly unknown[], decode: () => T): T;
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
  readonly owners: Pool<OwnerRef | null>;
  readonly affinities: Pool<NodeSelector | null>;
}

export interface InternerOptions {
  /** Values that a pool remembers, up to twice as many; absent: all. */
  readonly most?: number;
  /** The reader gives equal parts as the same objects, which nobody changes. */
  readonly bySource?: boolean;
}

/**
 * A new interner. Each pool remembers up to twice `most` values, the lately used ones: without a bound for one reading,
 * with one for a watch, which would otherwise remember every name that ever was.
 */
export function createInterner(options: InternerOptions = {}): Interner {
  return {
    texts: textPool(options.most ?? Number.POSITIVE_INFINITY),
    textMaps: pool(options),
    resources: pool(options),
    tolerations: pool(options),
    containers: pool(options),
    volumes: pool(options),
    podSpecs: pool(options),
    owners: pool(options),
    affinities: pool(options),
  };
}

/** Shares nothing: for single objects. */
export const NO_SHARING: Interner = {
  texts: notShared(),
  textMaps: notShared(),
  resources: notShared(),
  tolerations: notShared(),
  containers: notShared(),
  volumes: notShared(),
  podSpecs: notShared(),
  owners: notShared(),
  affinities: notShared(),
};

function notShared<T>(): Pool<T> {
  return { share: (value) => value, from: (_sources, decode) => decode() };
}

function pool<T>({ most = Number.POSITIVE_INFINITY, bySource = false }: InternerOptions): Pool<T> {
  const seen = new Recent<T>(most);
  const share = (value: T): T => seen.firstOf(JSON.stringify(value), value);
  if (!bySource) return { share, from: (_sources, decode) => share(decode()) };
  const known = new SourceMap<T>();
  return { share, from: (sources, decode) => known.get(sources, () => share(decode())) };
}

function textPool(most: number): Pool<string> {
  const seen = new Recent<string>(most);
  const share = (value: string): string => seen.firstOf(value, value);
  return { share, from: (_sources, decode) => share(decode()) };
}

/** Values by the identity of what they were decoded from; it lasts as long as that. */
class SourceMap<T> {
  readonly #values = new WeakMap<object, SourceMap<T>>();
  #value: { readonly is: T } | null = null;

  get(sources: readonly unknown[], decode: () => T): T {
    let place: SourceMap<T> = this;
    for (const source of sources) {
      if (typeof source === "object" && source !== null) place = place.#under(source);
      else if (source !== undefined) return decode();
      else place = place.#under(ABSENT);
    }
    place.#value ??= { is: decode() };
    return place.#value.is;
  }

  #under(source: object): SourceMap<T> {
    const known = this.#values.get(source);
    if (known !== undefined) return known;
    const fresh = new SourceMap<T>();
    this.#values.set(source, fresh);
    return fresh;
  }
}

/** Stands for a part that is not there. */
const ABSENT: object = Object.freeze({});

/** The lately used values by key, in two generations: what is not asked for during one of them is forgotten. */
class Recent<T> {
  readonly #most: number;
  #young = new Map<string, T>();
  #old = new Map<string, T>();

  constructor(most: number) {
    this.#most = most;
  }

  firstOf(key: string, value: T): T {
    const known = this.#young.get(key);
    if (known !== undefined) return known;
    const kept = this.#old.get(key) ?? value;
    if (this.#young.size >= this.#most) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(key, kept);
    return kept;
  }
}
