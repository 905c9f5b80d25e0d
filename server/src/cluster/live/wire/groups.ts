// Live cluster, wire format: schemas of apps/v1, batch/v1, storage.k8s.io/v1, node.k8s.io/v1, resource.k8s.io/v1 and coordination.k8s.io/v1.
import { NODE_SELECTOR, POD_TEMPLATE_SPEC, TOLERATION } from "./core.ts";
import { LABEL_SELECTOR, OBJECT_META } from "./meta.ts";
import { type FieldRow, type Schema, schema } from "./schema.ts";

const METADATA: FieldRow = [1, "metadata", OBJECT_META];
const ROLLING_UPDATE = schema([1, "maxUnavailable", "intOrString"], [2, "maxSurge", "intOrString"]);

export const DAEMON_SET = schema(METADATA, [
  2,
  "spec",
  schema(
    [1, "selector", LABEL_SELECTOR],
    [2, "template", POD_TEMPLATE_SPEC],
    [3, "updateStrategy", schema([1, "type", "string"], [2, "rollingUpdate", ROLLING_UPDATE])],
  ),
]);

export const DEPLOYMENT = schema(METADATA, [
  2,
  "spec",
  schema(
    [1, "replicas", "int"],
    [2, "selector", LABEL_SELECTOR],
    [3, "template", POD_TEMPLATE_SPEC],
    [4, "strategy", schema([1, "type", "string"], [2, "rollingUpdate", ROLLING_UPDATE])],
  ),
]);

export const REPLICA_SET = schema(METADATA, [
  2,
  "spec",
  schema([1, "replicas", "int"], [2, "selector", LABEL_SELECTOR], [3, "template", POD_TEMPLATE_SPEC]),
]);

export const STATEFUL_SET = schema(METADATA, [
  2,
  "spec",
  schema(
    [1, "replicas", "int"],
    [2, "selector", LABEL_SELECTOR],
    [3, "template", POD_TEMPLATE_SPEC],
    [7, "updateStrategy", schema([1, "type", "string"])],
  ),
]);

const JOB_SPEC = schema(
  [1, "parallelism", "int"],
  [2, "completions", "int"],
  [4, "selector", LABEL_SELECTOR],
  [6, "template", POD_TEMPLATE_SPEC],
  [10, "suspend", "bool"],
);

export const JOB = schema(
  METADATA,
  [2, "spec", JOB_SPEC],
  [
    3,
    "status",
    schema(
      [1, "conditions", schema([1, "type", "string"], [2, "status", "string"]), "repeated"],
      [3, "completionTime", "time"],
    ),
  ],
);

export const CRON_JOB = schema(METADATA, [
  2,
  "spec",
  schema([4, "suspend", "bool"], [5, "jobTemplate", schema([1, "metadata", OBJECT_META], [2, "spec", JOB_SPEC])]),
]);

export const CSI_NODE = schema(METADATA, [
  2,
  "spec",
  schema([
    1,
    "drivers",
    schema([1, "name", "string"], [2, "nodeID", "string"], [4, "allocatable", schema([1, "count", "int"])]),
    "repeated",
  ]),
]);

export const CSI_DRIVER = schema(METADATA, [
  2,
  "spec",
  schema([1, "attachRequired", "bool"], [11, "preventPodSchedulingIfMissing", "bool"]),
]);

export const RUNTIME_CLASS = schema(
  METADATA,
  [2, "handler", "string"],
  [3, "overhead", schema([1, "podFixed", "quantityMap"])],
  [4, "scheduling", schema([1, "nodeSelector", "stringMap"], [2, "tolerations", TOLERATION, "repeated"])],
);

export const DEVICE_CLASS = schema(METADATA, [2, "spec", schema([4, "extendedResourceName", "string"])]);

export const RESOURCE_SLICE = schema(METADATA, [
  2,
  "spec",
  schema(
    [1, "driver", "string"],
    [2, "pool", schema([1, "name", "string"])],
    [3, "nodeName", "string"],
    [4, "nodeSelector", NODE_SELECTOR],
    [5, "allNodes", "bool"],
    [6, "devices", schema([1, "name", "string"]), "repeated"],
  ),
]);

export const LEASE = schema(METADATA, [2, "spec", schema([1, "holderIdentity", "string"], [4, "renewTime", "time"])]);

export type { Schema };
