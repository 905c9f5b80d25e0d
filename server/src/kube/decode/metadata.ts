// Kubernetes data layer, decoding: ObjectMeta.
import type { OwnerRef } from "../workload.ts";
import { type Interner, NO_SHARING } from "./interner.ts";
import { boolOf, isObject, listOf, objectOf, textMapOf, textOf, timeOf } from "./reading.ts";

/** The parts of ObjectMeta that the model reads. */
export interface Metadata {
  /** Empty when unset. */
  readonly name: string;
  readonly generateName: string;
  readonly namespace: string;
  readonly uid: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number | null;
  readonly deletedAt: number | null;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly controller: OwnerRef | null;
}

/** Decodes the `metadata` of an object. */
export function decodeMetadata(object: unknown, interner: Interner = NO_SHARING): Metadata {
  const metadata = objectOf(objectOf(object).metadata);
  return {
    name: textOf(metadata.name),
    generateName: textOf(metadata.generateName),
    namespace: interner.texts.share(textOf(metadata.namespace)),
    uid: textOf(metadata.uid),
    createdAt: timeOf(metadata.creationTimestamp),
    deletedAt: timeOf(metadata.deletionTimestamp),
    labels: interner.textMaps.from([metadata.labels], () => textMapOf(metadata.labels)),
    annotations: textMapOf(metadata.annotations),
    controller: decodeController(metadata.ownerReferences, interner),
  };
}

/** The owner reference with `controller: true`; null when there is none. Source: metav1.GetControllerOf. */
function decodeController(ownerReferences: unknown, interner: Interner = NO_SHARING): OwnerRef | null {
  return interner.owners.from([ownerReferences], () => controllerIn(ownerReferences));
}

function controllerIn(ownerReferences: unknown): OwnerRef | null {
  const owner = listOf(ownerReferences).find((item) => isObject(item) && boolOf(item.controller));
  if (!isObject(owner)) return null;
  return {
    apiVersion: textOf(owner.apiVersion),
    kind: textOf(owner.kind),
    name: textOf(owner.name),
    uid: textOf(owner.uid),
  };
}

/** The annotations whose keys are listed. */
export function pickTexts(
  texts: Readonly<Record<string, string>>,
  keys: readonly string[],
): Readonly<Record<string, string>> {
  return Object.fromEntries(keys.flatMap((key) => (texts[key] === undefined ? [] : [[key, texts[key]]])));
}
