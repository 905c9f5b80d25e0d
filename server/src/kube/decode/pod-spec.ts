// Kubernetes data layer, decoding: the PodSpec of a pod or a template.
import type { Container, PodSpec, Volume } from "../pod-spec.ts";
import { decodeContainers, decodeVolumes } from "./container.ts";
import { type Interner, NO_SHARING } from "./interner.ts";
import { decodeRequiredAffinity } from "./node-selector.ts";
import { podRequests } from "./pod-requests.ts";
import { boolOf, type JsonObject, listOf, objectOf, textMapOf, textOf, textsOf } from "./reading.ts";
import { decodeResources } from "./resources.ts";
import { decodeTolerations } from "./toleration.ts";

/**
 * Decodes a PodSpec from parsed YAML or JSON. Never throws: what has the wrong type counts as absent, a number or
 * boolean where a string belongs as its text. Equal parts are shared through `interner`.
 */
export function decodePodSpec(value: unknown, interner: Interner = NO_SHARING): PodSpec {
  const spec = objectOf(value);
  const containers = interner.containers.from([spec.containers, spec.initContainers], () => decodeContainers(spec));
  const volumes = interner.volumes.from([spec.volumes], () => decodeVolumes(spec.volumes));
  const usesResourceClaims = listOf(spec.resourceClaims).length > 0;
  const decoded: PodSpec = {
    nodeName: interner.texts.share(textOf(spec.nodeName)),
    nodeSelector: interner.textMaps.from([spec.nodeSelector], () => textMapOf(spec.nodeSelector)),
    requiredAffinity: interner.affinities.from([spec.affinity], () => decodeRequiredAffinity(spec.affinity)),
    tolerations: interner.tolerations.from([spec.tolerations], () => decodeTolerations(spec.tolerations)),
    hostNetwork: boolOf(spec.hostNetwork),
    hostPID: boolOf(spec.hostPID),
    os: textOf(objectOf(spec.os).name),
    schedulerName: interner.texts.share(textOf(spec.schedulerName)),
    schedulingGates: textsOf(listOf(spec.schedulingGates).map((gate) => textOf(objectOf(gate).name))),
    runtimeClassName: textOf(spec.runtimeClassName),
    priorityClassName: interner.texts.share(textOf(spec.priorityClassName)),
    requests: interner.resources.from([containers, spec.resources, spec.overhead], () =>
      decodeRequests(spec, containers),
    ),
    containers,
    volumes,
    usesResourceClaims,
    notModelled: notModelledIn(spec, volumes, usesResourceClaims),
  };
  // A pod that has its node shares its parts with others, hardly ever the whole.
  return decoded.nodeName === "" ? interner.podSpecs.share(decoded) : decoded;
}

function decodeRequests(spec: JsonObject, containers: readonly Container[]): PodSpec["requests"] {
  const resources = objectOf(spec.resources);
  return podRequests(containers, {
    requests: decodeResources(resources.requests),
    limits: decodeResources(resources.limits),
    overhead: decodeResources(spec.overhead),
  });
}

const ALL_MODELLED: PodSpec["notModelled"] = [];

/** The hard constraints that Taintwise does not judge; preferences never make a pod unschedulable. */
function notModelledIn(
  spec: JsonObject,
  volumes: readonly Volume[],
  usesResourceClaims: boolean,
): PodSpec["notModelled"] {
  const found: PodSpec["notModelled"][number][] = [];
  const affinity = objectOf(spec.affinity);
  const requiresPods = [affinity.podAffinity, affinity.podAntiAffinity].some(
    (terms) => listOf(objectOf(terms).requiredDuringSchedulingIgnoredDuringExecution).length > 0,
  );
  if (requiresPods) found.push("podAffinity");
  const spreads = listOf(spec.topologySpreadConstraints).some(
    (constraint) => objectOf(constraint).whenUnsatisfiable !== "ScheduleAnyway",
  );
  if (spreads) found.push("topologySpread");
  const hasEphemeral = listOf(spec.volumes).some((volume) => "ephemeral" in objectOf(volume));
  if (hasEphemeral || volumes.some((volume) => volume.claim !== null)) found.push("volumes");
  if (usesResourceClaims) found.push("resourceClaims");
  return found.length === 0 ? ALL_MODELLED : found;
}
