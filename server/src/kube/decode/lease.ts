// Kubernetes data layer, decoding: node leases.
import type { NodeLease } from "../lease.ts";
import { decodeMetadata } from "./metadata.ts";
import { objectOf, timeOf } from "./reading.ts";

/** The namespace that holds the leases of nodes. */
const NODE_LEASE_NAMESPACE = "kube-node-lease";

/** Decodes a Lease; null when it is not a node's. Never throws. */
export function decodeNodeLease(value: unknown): NodeLease | null {
  const metadata = decodeMetadata(value);
  if (metadata.namespace !== NODE_LEASE_NAMESPACE || metadata.name === "") return null;
  return { nodeName: metadata.name, renewTime: timeOf(objectOf(objectOf(value).spec).renewTime) };
}
