// Kubernetes data layer, decoding: containers and volumes.
import type { Container, ContainerType, Volume, VolumeMount } from "../pod-spec.ts";
import type { Resources } from "../resources.ts";
import { isObject, type JsonObject, listOf, objectOf, textOf, textsOf } from "./reading.ts";
import { decodeResources } from "./resources.ts";

/** More words than this say nothing about a container's role. */
const MAX_WORDS = 12;
const MAX_WORD_LENGTH = 120;
const SECRET_FLAG = /pass|token|secret|credential|key/i;
/** Admission mounts this into every pod under a random volume name; it would make equal pods unequal. */
const SERVICE_ACCOUNT_MOUNT = "/var/run/secrets/kubernetes.io/serviceaccount";
const SERVICE_ACCOUNT_VOLUME = /^kube-api-access-/;

/** The containers of a pod spec: init containers and sidecars first, each group in its order. */
export function decodeContainers(spec: JsonObject): readonly Container[] {
  return [
    ...listOf(spec.initContainers).filter(isObject).map(decodeInitContainer),
    ...listOf(spec.containers)
      .filter(isObject)
      .map((container) => decodeContainer(container, "container")),
  ];
}

/** The volumes of a pod spec; the service account's token volume, which admission adds, is left out. */
export function decodeVolumes(value: unknown): readonly Volume[] {
  return listOf(value)
    .filter(isObject)
    .filter((volume) => !(isObject(volume.projected) && SERVICE_ACCOUNT_VOLUME.test(textOf(volume.name))))
    .map(decodeVolume);
}

function decodeInitContainer(container: JsonObject): Container {
  return decodeContainer(container, container.restartPolicy === "Always" ? "sidecar" : "init");
}

function decodeContainer(container: JsonObject, type: ContainerType): Container {
  const resources = objectOf(container.resources);
  const limits = decodeResources(resources.limits);
  return {
    name: textOf(container.name),
    image: textOf(container.image),
    type,
    requests: withDefaults(decodeResources(resources.requests), limits),
    limits,
    mounts: decodeMounts(container.volumeMounts),
    command: decodeCommand(container),
  };
}

/** The API server takes a limit without a request as the request. Source: k8s.io/kubernetes pkg/apis/core/v1 SetDefaults_Pod. */
function withDefaults(requests: Resources, limits: Resources): Resources {
  return Object.keys(limits).every((name) => name in requests) ? requests : { ...limits, ...requests };
}

function decodeMounts(value: unknown): readonly VolumeMount[] {
  return listOf(value)
    .filter(isObject)
    .map((mount) => ({ name: textOf(mount.name), mountPath: textOf(mount.mountPath) }))
    .filter((mount) => mount.mountPath !== SERVICE_ACCOUNT_MOUNT);
}

function decodeVolume(volume: JsonObject): Volume {
  return {
    name: textOf(volume.name),
    hostPath: isObject(volume.hostPath) ? textOf(volume.hostPath.path) : null,
    claim: isObject(volume.persistentVolumeClaim) ? textOf(volume.persistentVolumeClaim.claimName) : null,
    csiDriver: isObject(volume.csi) ? textOf(volume.csi.driver) : null,
  };
}

/**
 * The first words of command and args without what could be a secret: of a flag only paths and sockets are kept as
 * value, of a script only its first word, and a word behind a flag that sounds secret is dropped.
 */
function decodeCommand(container: JsonObject): readonly string[] {
  const words: string[] = [];
  let afterSecretFlag = false;
  for (const word of [...textsOf(container.command), ...textsOf(container.args)]) {
    if (words.length === MAX_WORDS) break;
    if (!afterSecretFlag) words.push(harmlessWord(word));
    afterSecretFlag = word.startsWith("-") && !word.includes("=") && SECRET_FLAG.test(word);
  }
  return words;
}

function harmlessWord(word: string): string {
  const first = word.trimStart().split(/\s/, 1)[0] ?? "";
  const equals = first.indexOf("=");
  const value = first.slice(equals + 1);
  const keepsValue = equals < 0 || value.startsWith("/") || value.startsWith("unix:");
  return (keepsValue ? first : first.slice(0, equals)).slice(0, MAX_WORD_LENGTH);
}
