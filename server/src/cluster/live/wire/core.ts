// Live cluster, wire format: schemas of core/v1. No environment variables and no secrets are named here, so none are read.
import { NAMESPACE_ANNOTATIONS } from "../../../kube/decode/namespace.ts";
import { NODE_ANNOTATIONS } from "../../../kube/decode/node.ts";
import { EXPECTED_CONDITIONS, POD_ANNOTATIONS } from "../../../kube/decode/pod.ts";
import { LABEL_SELECTOR, metadataWith, OBJECT_META } from "./meta.ts";
import { type FieldRow, schema } from "./schema.ts";

const TAINT = schema([1, "key", "string"], [2, "value", "string"], [3, "effect", "string"], [4, "timeAdded", "time"]);

/** The rows that NodeCondition and PodCondition share by name, not by number. */
const NODE_CONDITION = schema(
  [1, "type", "string"],
  [2, "status", "string"],
  [3, "lastHeartbeatTime", "time"],
  [4, "lastTransitionTime", "time"],
  [5, "reason", "string"],
  [6, "message", "string"],
);
const POD_CONDITION = schema(
  [1, "type", "string"],
  [2, "status", "string"],
  [4, "lastTransitionTime", "time"],
  [5, "reason", "string"],
  [6, "message", "string"],
);

export const NODE = schema(
  [1, "metadata", metadataWith(NODE_ANNOTATIONS)],
  [2, "spec", schema([3, "providerID", "string"], [4, "unschedulable", "bool"], [5, "taints", TAINT, "repeated"])],
  [
    3,
    "status",
    schema(
      [1, "capacity", "quantityMap"],
      [2, "allocatable", "quantityMap"],
      [4, "conditions", NODE_CONDITION, "repeated"],
      [
        7,
        "nodeInfo",
        schema(
          [3, "bootID", "string"],
          [4, "kernelVersion", "string"],
          [5, "osImage", "string"],
          [6, "containerRuntimeVersion", "string"],
          [7, "kubeletVersion", "string"],
          [9, "operatingSystem", "string"],
          [10, "architecture", "string"],
        ),
      ],
      [10, "volumesAttached", schema([1, "name", "string"]), "repeated"],
    ),
  ],
);

export const TOLERATION = schema(
  [1, "key", "string"],
  [2, "operator", "string"],
  [3, "value", "string"],
  [4, "effect", "string"],
  [5, "tolerationSeconds", "int"],
);

const REQUIREMENT = schema([1, "key", "string"], [2, "operator", "string"], [3, "values", "string", "repeated"]);
const NODE_SELECTOR = schema([
  1,
  "nodeSelectorTerms",
  schema([1, "matchExpressions", REQUIREMENT, "repeated"], [2, "matchFields", REQUIREMENT, "repeated"]),
  "repeated",
]);

const POD_TERMS = schema([1, "requiredDuringSchedulingIgnoredDuringExecution", "presence", "repeated"]);
const AFFINITY = schema(
  [1, "nodeAffinity", schema([1, "requiredDuringSchedulingIgnoredDuringExecution", NODE_SELECTOR])],
  [2, "podAffinity", POD_TERMS],
  [3, "podAntiAffinity", POD_TERMS],
);

const RESOURCES = schema([1, "limits", "quantityMap"], [2, "requests", "quantityMap"]);

const CONTAINER = schema(
  [1, "name", "string"],
  [2, "image", "string"],
  [3, "command", "string", "repeated"],
  [4, "args", "string", "repeated"],
  [8, "resources", RESOURCES],
  [9, "volumeMounts", schema([1, "name", "string"], [3, "mountPath", "string"]), "repeated"],
  [24, "restartPolicy", "string"],
);

const VOLUME = schema(
  [1, "name", "string"],
  [
    2,
    "",
    schema(
      [1, "hostPath", schema([1, "path", "string"])],
      [10, "persistentVolumeClaim", schema([1, "claimName", "string"])],
      [26, "projected", "presence"],
      [28, "csi", schema([1, "driver", "string"])],
      [29, "ephemeral", "presence"],
    ),
  ],
);

const POD_SPEC_ROWS: readonly FieldRow[] = [
  [1, "volumes", VOLUME, "repeated", "shared"],
  [2, "containers", CONTAINER, "repeated", "shared"],
  [7, "nodeSelector", "stringMap", "shared"],
  [10, "nodeName", "string"],
  [11, "hostNetwork", "bool"],
  [12, "hostPID", "bool"],
  [18, "affinity", AFFINITY, "shared"],
  [19, "schedulerName", "string"],
  [20, "initContainers", CONTAINER, "repeated", "shared"],
  [22, "tolerations", TOLERATION, "repeated", "shared"],
  [24, "priorityClassName", "string"],
  [25, "priority", "int"],
  [29, "runtimeClassName", "string"],
  [32, "overhead", "quantityMap"],
  [33, "topologySpreadConstraints", schema([3, "whenUnsatisfiable", "string"]), "repeated"],
  [36, "os", schema([1, "name", "string"])],
  [38, "schedulingGates", schema([1, "name", "string"]), "repeated"],
  [39, "resourceClaims", schema([1, "name", "string"]), "repeated"],
  [40, "resources", RESOURCES],
];
const POD_SPEC = schema(...POD_SPEC_ROWS);

const CONTAINER_END = schema(
  [1, "exitCode", "int"],
  [3, "reason", "string"],
  [4, "message", "string"],
  [5, "startedAt", "time"],
  [6, "finishedAt", "time"],
);
const CONTAINER_STATE = schema(
  [1, "waiting", schema([1, "reason", "string"], [2, "message", "string"])],
  [2, "running", schema([1, "startedAt", "time"])],
  [3, "terminated", CONTAINER_END],
);
const CONTAINER_STATUS = schema(
  [1, "name", "string"],
  [2, "state", CONTAINER_STATE],
  [3, "lastState", CONTAINER_STATE],
  [4, "ready", "bool"],
  [5, "restartCount", "int"],
  [6, "image", "string"],
);

/** How a condition begins that is true: type 1, status 2. */
function trueCondition(type: string): Buffer {
  return Buffer.from(`\x0a${String.fromCharCode(type.length)}${type}\x12\x04True`, "latin1");
}

export const POD = schema(
  [1, "metadata", metadataWith(POD_ANNOTATIONS)],
  [2, "spec", POD_SPEC],
  [
    3,
    "status",
    schema(
      [1, "phase", "string"],
      [2, "conditions", POD_CONDITION, "repeated", { leftOut: EXPECTED_CONDITIONS.map(trueCondition) }],
      [3, "message", "string"],
      [4, "reason", "string"],
      [7, "startTime", "time"],
      [8, "containerStatuses", CONTAINER_STATUS, "repeated"],
      [10, "initContainerStatuses", CONTAINER_STATUS, "repeated"],
      [11, "nominatedNodeName", "string"],
    ),
  ],
);

export const POD_TEMPLATE_SPEC = schema([1, "metadata", OBJECT_META], [2, "spec", POD_SPEC]);

export const REPLICATION_CONTROLLER = schema(
  [1, "metadata", OBJECT_META],
  [2, "spec", schema([1, "replicas", "int"], [2, "selector", "stringMap"], [3, "template", POD_TEMPLATE_SPEC])],
);

export const NAMESPACE = schema([1, "metadata", metadataWith(NAMESPACE_ANNOTATIONS)]);

export const EVENT = schema(
  [1, "metadata", OBJECT_META],
  [
    2,
    "involvedObject",
    schema(
      [1, "kind", "string"],
      [2, "namespace", "string"],
      [3, "name", "string"],
      [4, "uid", "string"],
      [5, "apiVersion", "string"],
      [7, "fieldPath", "string"],
    ),
  ],
  [3, "reason", "string"],
  [4, "message", "string"],
  [5, "source", schema([1, "component", "string"], [2, "host", "string"])],
  [6, "firstTimestamp", "time"],
  [7, "lastTimestamp", "time"],
  [8, "count", "int"],
  [9, "type", "string"],
  [10, "eventTime", "time"],
  [11, "series", schema([1, "count", "int"], [2, "lastObservedTime", "time"])],
  [14, "reportingComponent", "string"],
  [15, "reportingInstance", "string"],
);

export { LABEL_SELECTOR, NODE_SELECTOR };
