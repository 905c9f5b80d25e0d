// Kubernetes data layer, decoding: RuntimeClasses.
import type { RuntimeClass } from "../runtime-class.ts";
import { decodeMetadata } from "./metadata.ts";
import { objectOf, textMapOf, textOf } from "./reading.ts";
import { decodeResources } from "./resources.ts";
import { decodeTolerations } from "./toleration.ts";

/** Decodes a RuntimeClass (v1, or v1alpha1 with its handler in spec). Never throws. */
export function decodeRuntimeClass(value: unknown): RuntimeClass {
  const object = objectOf(value);
  const scheduling = objectOf(object.scheduling);
  return {
    name: decodeMetadata(object).name,
    handler: textOf(object.handler ?? objectOf(object.spec).runtimeHandler),
    nodeSelector: textMapOf(scheduling.nodeSelector),
    tolerations: decodeTolerations(scheduling.tolerations),
    overhead: decodeResources(objectOf(object.overhead).podFixed),
  };
}
