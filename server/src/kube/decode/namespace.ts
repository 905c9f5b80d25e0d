// Kubernetes data layer, decoding: Namespaces.
import type { Namespace } from "../namespace.ts";
import { type Interner, NO_SHARING } from "./interner.ts";
import { decodeMetadata, pickTexts } from "./metadata.ts";

/** The only annotations of a namespace that are kept: those by which admission changes its pods. */
export const NAMESPACE_ANNOTATIONS: readonly string[] = [
  "openshift.io/node-selector",
  "scheduler.alpha.kubernetes.io/defaultTolerations",
  "scheduler.alpha.kubernetes.io/node-selector",
  "scheduler.alpha.kubernetes.io/tolerationsWhitelist",
];

/** Decodes a Namespace. Never throws. */
export function decodeNamespace(value: unknown, interner: Interner = NO_SHARING): Namespace {
  const metadata = decodeMetadata(value, interner);
  return {
    name: metadata.name,
    annotations: pickTexts(metadata.annotations, NAMESPACE_ANNOTATIONS),
    labels: metadata.labels,
  };
}
