// The oracle's vectors, read and typed: questions that upstream Kubernetes
// answered. README.md describes the format; `npm run oracle` writes the files.
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";

/** A taint as the API spells it. */
export interface VectorTaint {
  readonly key: string;
  readonly value?: string;
  readonly effect: string;
}

/** A toleration as the API spells it; absent means empty. */
export interface VectorToleration {
  readonly key?: string;
  readonly operator?: string;
  readonly value?: string;
  readonly effect?: string;
  readonly tolerationSeconds?: number;
}

/** One node selector requirement. */
export interface VectorRequirement {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[];
}

/** One node selector term. */
export interface VectorTerm {
  readonly matchExpressions?: readonly VectorRequirement[];
  readonly matchFields?: readonly VectorRequirement[];
}

/** What placement reads of a pod spec, as the API spells it. */
export interface VectorPodSpec {
  readonly nodeName?: string;
  readonly nodeSelector?: Readonly<Record<string, string>>;
  readonly affinity?: {
    readonly nodeAffinity?: {
      readonly requiredDuringSchedulingIgnoredDuringExecution?: { readonly nodeSelectorTerms: readonly VectorTerm[] };
      readonly preferredDuringSchedulingIgnoredDuringExecution?: readonly unknown[];
    };
  };
  readonly tolerations?: readonly VectorToleration[];
  readonly hostNetwork?: boolean;
}

/** What placement reads of a node. */
export interface VectorNode {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly taints?: readonly VectorTaint[];
  readonly unschedulable?: boolean;
}

/** The answers for one workload; the strings and lists run parallel to `nodes`. */
export interface PlacementRow {
  /** Index into `workloads`. */
  readonly workload: number;
  /** Whether TaintTolerationComparisonOperators is on (absent: off). */
  readonly comparisonGate?: boolean;
  /** Indices into `nodes`. */
  readonly nodes: readonly number[];
  /** A character per node: r(un), k(eep), e(vict), a(ffinity). */
  readonly daemonSet: string;
  /** A bit set per node over its taints: hard and not tolerated, implied tolerations included. */
  readonly daemonUntolerated: readonly number[];
  /** A character per node: f(its), t(aint), a(ffinity). */
  readonly other: string;
  /** A bit set per node over its taints: hard (with nodeName: NoExecute only) and not tolerated. */
  readonly otherUntolerated: readonly number[];
  /** Positions in `nodes` where spec.unschedulable alone already refuses the pod. */
  readonly cordonUntolerated?: readonly number[];
}

/** placements.json.gz */
export interface PlacementVectors {
  readonly nodes: readonly VectorNode[];
  readonly workloads: readonly VectorPodSpec[];
  readonly rows: readonly PlacementRow[];
}

/** evictions.json.gz: how long a running pod stays on a node. */
export interface EvictionVectors {
  readonly cases: readonly {
    readonly taints: readonly VectorTaint[];
    readonly tolerations?: readonly VectorToleration[];
    readonly comparisonGate?: boolean;
    /** Seconds until the pod is evicted, 0 at once, null never. */
    readonly seconds: number | null;
  }[];
}

/** tolerations.json.gz: toleration lists through the API server's validation. */
export interface TolerationVectors {
  readonly cases: readonly {
    readonly tolerations: readonly VectorToleration[];
    readonly comparisonGate?: boolean;
    /** Field path and message of every complaint, in the API server's order; empty when accepted. */
    readonly errors: readonly (readonly [field: string, message: string])[];
  }[];
}

/** scalars.json.gz: scalars through the Kubernetes YAML reader. */
export interface ScalarVectors {
  readonly cases: readonly {
    /** The scalar's source text, quotes and tags included. */
    readonly text: string;
    /** Where it stands: `v: TEXT`, `- TEXT`, `v: [TEXT]`, `v: {k: TEXT}`, `TEXT: x` or `v: {TEXT: x}`. */
    readonly position: "value" | "item" | "flow" | "flowValue" | "key" | "flowKey";
    /** The whole document as JSON. Absent when the reader refuses it. */
    readonly json?: string;
    /** Why the reader refuses it. */
    readonly error?: string;
  }[];
}

/** fits.json.gz: pod requests and the scheduler's resource filter. */
export interface FitVectors {
  readonly cases: readonly {
    /** A pod spec as a person writes it, before defaulting. */
    readonly spec: Readonly<Record<string, unknown>>;
    /** The effective request in canonical quantities. */
    readonly requests: Readonly<Record<string, string>>;
    /** status.allocatable of an otherwise empty node. */
    readonly allocatable: Readonly<Record<string, string>>;
    /** Resources the node is short of, sorted; empty: the pod fits. */
    readonly insufficient: readonly string[];
  }[];
}

/** quantities.json.gz: texts through the quantity parser. */
export interface QuantityVectors {
  readonly cases: readonly {
    readonly text: string;
    /** Quantity.Value() in decimal: units, rounded up. Absent for negative amounts and beyond an int64. */
    readonly value?: string;
    /** Quantity.MilliValue() in decimal: thousandths, rounded up. */
    readonly milliValue?: string;
    /** Quantity.String(). */
    readonly canonical?: string;
    /** Why the parser refuses it. */
    readonly error?: string;
  }[];
}

/** sentences.json.gz: what the scheduler writes when no node is feasible. */
export interface SentenceVectors {
  readonly nodes: readonly (VectorNode & { readonly allocatable: Readonly<Record<string, string>> })[];
  readonly cases: readonly {
    readonly spec: VectorPodSpec & { readonly containers: readonly unknown[] };
    /** Indices into `nodes`. */
    readonly nodes: readonly number[];
    /** FitError.Error(): "0/N nodes are available: …." */
    readonly sentence: string;
  }[];
}

/** Name of a vectors file → what it holds. */
export interface VectorFiles {
  readonly placements: PlacementVectors;
  readonly evictions: EvictionVectors;
  readonly tolerations: TolerationVectors;
  readonly scalars: ScalarVectors;
  readonly fits: FitVectors;
  readonly quantities: QuantityVectors;
  readonly sentences: SentenceVectors;
}

/** Where a vectors file comes from. */
export interface VectorHeader {
  readonly kind: string;
  readonly upstream: string;
  readonly seed: number;
  readonly generator: string;
}

/**
 * Reads one vectors file. Throws when the file is absent or is not of this
 * kind; the content is trusted, as only the oracle writes it.
 */
export function readVectors<K extends keyof VectorFiles>(
  kind: K,
): { readonly header: VectorHeader; readonly vectors: VectorFiles[K] } {
  const packed = readFileSync(new URL(`vectors/${kind}.json.gz`, import.meta.url));
  const file: { header: VectorHeader; vectors: VectorFiles[K] } = JSON.parse(gunzipSync(packed).toString("utf8"));
  if (file.header.kind !== kind) throw new Error(`vectors/${kind}.json.gz holds ${file.header.kind}`);
  return file;
}
