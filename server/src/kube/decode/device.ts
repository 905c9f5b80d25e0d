// Kubernetes data layer, decoding: DeviceClass and ResourceSlice (dynamic resource allocation).
import type { DeviceClass, ResourceSlice } from "../device.ts";
import { decodeMetadata } from "./metadata.ts";
import { listOf, objectOf, textOf } from "./reading.ts";

/** Decodes a DeviceClass. Never throws. */
export function decodeDeviceClass(value: unknown): DeviceClass {
  return {
    name: decodeMetadata(value).name,
    extendedResourceName: textOf(objectOf(objectOf(value).spec).extendedResourceName),
  };
}

/** Decodes a ResourceSlice. Never throws. */
export function decodeResourceSlice(value: unknown): ResourceSlice {
  const spec = objectOf(objectOf(value).spec);
  return {
    name: decodeMetadata(value).name,
    driver: textOf(spec.driver),
    nodeName: textOf(spec.nodeName),
    pool: textOf(objectOf(spec.pool).name),
    devices: listOf(spec.devices).length,
  };
}
