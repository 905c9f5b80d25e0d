// Kubernetes data layer, decoding: CSINode and CSIDriver.
import type { CsiDriver, CsiNode } from "../csi.ts";
import { decodeMetadata } from "./metadata.ts";
import { boolOf, integerOf, isObject, listOf, objectOf, textOf } from "./reading.ts";

/** Decodes a CSINode. Never throws. */
export function decodeCsiNode(value: unknown): CsiNode {
  return {
    name: decodeMetadata(value).name,
    drivers: listOf(objectOf(objectOf(value).spec).drivers)
      .filter(isObject)
      .map((driver) => ({
        name: textOf(driver.name),
        nodeID: textOf(driver.nodeID),
        allocatableCount: integerOf(objectOf(driver.allocatable).count),
      })),
  };
}

/** Decodes a CSIDriver. `attachRequired` is true unless the object says false, as the API defaults it. Never throws. */
export function decodeCsiDriver(value: unknown): CsiDriver {
  const spec = objectOf(objectOf(value).spec);
  return {
    name: decodeMetadata(value).name,
    attachRequired: spec.attachRequired === undefined || boolOf(spec.attachRequired),
    preventsScheduling: boolOf(spec.preventPodSchedulingIfMissing),
  };
}
