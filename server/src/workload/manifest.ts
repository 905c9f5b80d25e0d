// Workload layer: what a manifest file holds, each workload with the tree that gives every field its span.

import type { WorkloadKind } from "../kube/kinds.ts";
import type { Workload } from "../kube/workload.ts";
import type { Span } from "../text/span.ts";
import type { YamlDocument, YamlMapping, YamlPath } from "../yaml/tree.ts";

/** A workload in a file. Spans of fields are looked up in `object` by path (see yaml/locate.ts). */
export interface ManifestWorkload {
  readonly workload: Workload;
  readonly kind: WorkloadKind;
  /** The mapping that holds apiVersion, kind, spec (an item of a List, or the document's root). */
  readonly object: YamlMapping;
  /** Path from `object` to the mapping that is the PodSpec. */
  readonly podSpecPath: YamlPath;
  /** The span to underline when the workload as a whole is meant: the value of metadata.name, else of kind. */
  readonly nameSpan: Span;
  /**
   * Fields whose type the API server cannot decode (a boolean where a string stands, a mapping where a list …):
   * the object is refused whole, so placement verdicts are for the intended reading only.
   */
  readonly undecodable: readonly {
    readonly path: YamlPath;
    readonly span: Span;
    readonly expected: string;
    readonly found: string;
  }[];
  /** Whether the pod spec or its containers are of another type altogether: nothing is known of where the pods go. */
  readonly misshapen: boolean;
  /** Index of its document in the file. */
  readonly document: number;
}

/**
 * What a document is, where it holds no workload. A `record` is what an API server returned of some cluster, as dumps
 * keep it: nobody's source.
 */
export type OtherDocument =
  | "patch"
  | "json6902"
  | "kustomization"
  | "helm-values"
  | "template"
  | "cluster-object"
  | "record"
  | "not-kubernetes";

export interface ManifestDocument {
  readonly yaml: YamlDocument;
  readonly workloads: readonly ManifestWorkload[];
  /** null when it holds workloads. */
  readonly other: OtherDocument | null;
}

export interface ManifestFile {
  readonly text: string;
  /** Only the documents that can matter; the scan leaves the rest unparsed. */
  readonly documents: readonly ManifestDocument[];
  /** Whether the file is a Helm (Go) template: left alone until rendering exists. */
  readonly template: boolean;
}
