// Cluster layer, snapshot: the header line.

import { isObject, listOf, textOf } from "../../kube/decode/reading.ts";
import { allParts } from "../empty.ts";
import { CLUSTER_PARTS, type ClusterModel, type ClusterPart, type PartState } from "../model.ts";
import { refuse } from "./codec.ts";
import { SNAPSHOT_FORMAT, SNAPSHOT_VERSION } from "./sections.ts";

/** What a header says of its model. */
export type HeaderFacts = Pick<
  ClusterModel,
  "name" | "observedAt" | "observedAtLeast" | "parts" | "autoscaler" | "serverVersion"
>;

/** The header of a model's snapshot; the format comes first, as readers tell a snapshot by it. */
export function writeHeader(model: ClusterModel): unknown {
  return {
    format: SNAPSHOT_FORMAT,
    version: SNAPSHOT_VERSION,
    name: model.name,
    observedAt: model.observedAt,
    observedAtLeast: model.observedAtLeast,
    serverVersion: model.serverVersion,
    parts: model.parts,
    autoscaler: model.autoscaler.signs,
  };
}

/** Reads a header. Throws SnapshotFault with a message for people when the version is not ours. */
export function readHeader(stored: unknown): HeaderFacts {
  if (!isObject(stored) || stored.format !== SNAPSHOT_FORMAT) return refuse("the first line", "the header");
  if (typeof stored.version !== "number") return refuse("version", "a number");
  if (stored.version > SNAPSHOT_VERSION) throw new NewerSnapshot(stored.version);
  return {
    name: textOf(stored.name),
    observedAt: typeof stored.observedAt === "number" ? stored.observedAt : null,
    ...(typeof stored.observedAtLeast === "boolean" ? { observedAtLeast: stored.observedAtLeast } : {}),
    serverVersion: textOf(stored.serverVersion),
    parts: readParts(stored.parts),
    autoscaler: { signs: listOf(stored.autoscaler).map(textOf) },
  };
}

/** The snapshot was written by a newer Taintwise. */
export class NewerSnapshot extends Error {
  constructor(version: number) {
    super(
      `the snapshot was written by a newer Taintwise (format ${version}, this one reads up to ${SNAPSHOT_VERSION}): update Taintwise or write the snapshot again`,
    );
  }
}

function readParts(stored: unknown): Readonly<Record<ClusterPart, PartState>> {
  const parts = allParts("missing");
  if (!isObject(stored)) return refuse("parts", "an object");
  for (const part of CLUSTER_PARTS) {
    const state = stored[part];
    if (state === "known" || state === "forbidden" || state === "failed") parts[part] = state;
  }
  return parts;
}
