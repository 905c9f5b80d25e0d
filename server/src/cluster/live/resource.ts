// Live cluster: the table of what is read from an API server. docs/rbac.yaml grants exactly this.
import { decodeDeviceClass, decodeResourceSlice } from "../../kube/decode/device.ts";
import { decodeEvent } from "../../kube/decode/event.ts";
import type { Interner } from "../../kube/decode/interner.ts";
import { decodeNodeLease } from "../../kube/decode/lease.ts";
import { decodeNamespace } from "../../kube/decode/namespace.ts";
import { decodeNode } from "../../kube/decode/node.ts";
import { decodePod } from "../../kube/decode/pod.ts";
import { decodeRuntimeClass } from "../../kube/decode/runtime-class.ts";
import { decodeCsiDriver, decodeCsiNode } from "../../kube/decode/storage.ts";
import { decodeWorkload } from "../../kube/decode/workload.ts";
import type { ClusterEvent } from "../../kube/event.ts";
import { workloadKind } from "../../kube/kinds.ts";
import type { ClusterNode } from "../../kube/node.ts";
import type { ClusterPod } from "../../kube/pod.ts";
import type { Workload } from "../../kube/workload.ts";
import type { CsiDriver, CsiNode, DeviceClass, Namespace, NodeLease, ResourceSlice, RuntimeClass } from "../model.ts";
import { EVENT, NAMESPACE, NODE, POD, REPLICATION_CONTROLLER } from "./wire/core.ts";
import {
  CRON_JOB,
  CSI_DRIVER,
  CSI_NODE,
  DAEMON_SET,
  DEPLOYMENT,
  DEVICE_CLASS,
  JOB,
  LEASE,
  REPLICA_SET,
  RESOURCE_SLICE,
  RUNTIME_CLASS,
  STATEFUL_SET,
} from "./wire/groups.ts";
import type { Schema } from "./wire/schema.ts";

/** What a decoded object is, by the part it belongs to. */
export interface LiveValues {
  readonly nodes: ClusterNode;
  readonly pods: ClusterPod;
  readonly daemonsets: Workload;
  readonly owners: Workload;
  readonly namespaces: Namespace;
  readonly events: ClusterEvent;
  readonly csinodes: CsiNode;
  readonly csidrivers: CsiDriver;
  readonly runtimeclasses: RuntimeClass;
  readonly deviceclasses: DeviceClass;
  readonly resourceslices: ResourceSlice;
  readonly leases: NodeLease;
}

export type LivePart = keyof LiveValues;

/** A decoded object with its part as the tag. */
export type LiveObject = { [Part in LivePart]: { readonly part: Part; readonly value: LiveValues[Part] } }[LivePart];

export interface LiveResource {
  /** Unique; the plural name, with a suffix where one kind is read twice. */
  readonly id: string;
  readonly part: LivePart;
  /** API group, empty for core. */
  readonly group: string;
  /** Plural name, as RBAC names it. */
  readonly plural: string;
  /** Path of the collection, without a query. */
  readonly path: string;
  readonly fieldSelector: string;
  readonly schema: Schema;
  /** Whether a cluster may well not serve it: a 404 then means "none here", not a fault. */
  readonly optional: boolean;
  /** Whether its objects lie in namespaces that one may be allowed to read alone. */
  readonly namespaced: boolean;
  /** The namespace that is read; null: all of the cluster. */
  readonly namespace: string | null;
  /** At most so many objects are held, those last seen; null: all. */
  readonly newest: number | null;
  /** Decodes an object of the API's JSON shape; null when it is none of ours. */
  readonly decode: (object: unknown, interner: Interner) => LiveObject | null;
}

type Row = Pick<LiveResource, "part" | "path" | "schema" | "decode"> &
  Partial<Pick<LiveResource, "fieldSelector" | "optional" | "newest" | "id" | "namespaced">>;

function resource(row: Row): LiveResource {
  const segments = row.path.split("/");
  const plural = segments.at(-1) ?? "";
  return {
    id: row.id ?? plural,
    part: row.part,
    group: row.path.startsWith("/apis/") ? (segments[2] ?? "") : "",
    plural,
    path: row.path,
    fieldSelector: row.fieldSelector ?? "",
    schema: row.schema,
    optional: row.optional ?? false,
    newest: row.newest ?? null,
    namespaced: row.namespaced ?? false,
    namespace: null,
    decode: row.decode,
  };
}

/** The same kind in one namespace alone; the resource must be `namespaced`. */
export function inNamespace(resource: LiveResource, namespace: string): LiveResource {
  const collection = `/${resource.plural}`;
  const path = `${resource.path.slice(0, -collection.length)}/namespaces/${encodeURIComponent(namespace)}${collection}`;
  return { ...resource, id: `${resource.id} in ${namespace}`, path, namespace };
}

/** A kind with a pod template. */
function workload(path: string, kind: string, schema: Schema): LiveResource {
  const group = path.startsWith("/apis/") ? (path.split("/")[2] ?? "") : "";
  const entry = workloadKind(group === "" ? "v1" : `${group}/v1`, kind);
  const part = kind === "DaemonSet" ? "daemonsets" : "owners";
  return resource({
    part,
    path,
    schema,
    namespaced: true,
    decode: (object, interner) => (entry === null ? null : { part, value: decodeWorkload(object, entry, interner) }),
  });
}

/** Events of each sort that are held; a storm writes tens of thousands that say the same. */
const NEWEST_EVENTS = 5_000;

const event = (object: unknown, interner: Interner): LiveObject => ({
  part: "events",
  value: decodeEvent(object, interner),
});

/** In the order in which they are listed first: what the first answers need comes first. */
export const LIVE_RESOURCES: readonly LiveResource[] = [
  resource({
    part: "nodes",
    path: "/api/v1/nodes",
    schema: NODE,
    decode: (object, interner) => ({ part: "nodes", value: decodeNode(object, null, interner) }),
  }),
  workload("/apis/apps/v1/daemonsets", "DaemonSet", DAEMON_SET),
  resource({
    part: "pods",
    path: "/api/v1/pods",
    schema: POD,
    namespaced: true,
    decode: (object, interner) => ({ part: "pods", value: decodePod(object, interner) }),
  }),
  workload("/apis/apps/v1/deployments", "Deployment", DEPLOYMENT),
  workload("/apis/apps/v1/replicasets", "ReplicaSet", REPLICA_SET),
  workload("/apis/apps/v1/statefulsets", "StatefulSet", STATEFUL_SET),
  workload("/apis/batch/v1/jobs", "Job", JOB),
  workload("/apis/batch/v1/cronjobs", "CronJob", CRON_JOB),
  workload("/api/v1/replicationcontrollers", "ReplicationController", REPLICATION_CONTROLLER),
  resource({
    part: "namespaces",
    path: "/api/v1/namespaces",
    schema: NAMESPACE,
    decode: (object, interner) => ({ part: "namespaces", value: decodeNamespace(object, interner) }),
  }),
  resource({
    part: "csinodes",
    path: "/apis/storage.k8s.io/v1/csinodes",
    schema: CSI_NODE,
    decode: (object) => ({ part: "csinodes", value: decodeCsiNode(object) }),
  }),
  resource({
    part: "csidrivers",
    path: "/apis/storage.k8s.io/v1/csidrivers",
    schema: CSI_DRIVER,
    decode: (object) => ({ part: "csidrivers", value: decodeCsiDriver(object) }),
  }),
  resource({
    part: "runtimeclasses",
    path: "/apis/node.k8s.io/v1/runtimeclasses",
    schema: RUNTIME_CLASS,
    optional: true,
    decode: (object) => ({ part: "runtimeclasses", value: decodeRuntimeClass(object) }),
  }),
  // Warnings, and what is said of nodes: a flapping node reports itself in events of type Normal.
  resource({
    id: "events-warning",
    part: "events",
    path: "/api/v1/events",
    fieldSelector: "type=Warning",
    newest: NEWEST_EVENTS,
    schema: EVENT,
    namespaced: true,
    decode: event,
  }),
  resource({
    id: "events-node",
    part: "events",
    path: "/api/v1/events",
    fieldSelector: "involvedObject.kind=Node,type=Normal",
    newest: NEWEST_EVENTS,
    schema: EVENT,
    namespaced: true,
    decode: event,
  }),
  resource({
    part: "leases",
    path: "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases",
    schema: LEASE,
    decode: (object) => {
      const value = decodeNodeLease(object);
      return value === null ? null : { part: "leases", value };
    },
  }),
  resource({
    part: "deviceclasses",
    path: "/apis/resource.k8s.io/v1/deviceclasses",
    schema: DEVICE_CLASS,
    optional: true,
    decode: (object) => ({ part: "deviceclasses", value: decodeDeviceClass(object) }),
  }),
  resource({
    part: "resourceslices",
    path: "/apis/resource.k8s.io/v1/resourceslices",
    schema: RESOURCE_SLICE,
    optional: true,
    decode: (object) => ({ part: "resourceslices", value: decodeResourceSlice(object) }),
  }),
];
