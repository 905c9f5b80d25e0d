// Workload layer: the JSON types of the fields that we read, as the Kubernetes API declares them (k8s.io/api core/v1).

/** The type of one field; `struct` lists only the fields of interest, what else it holds is not looked at. */
export type FieldType =
  | { readonly type: "string" | "boolean" | "integer" | "quantity" | "integer or text" | "object" }
  | { readonly type: "list" | "map"; readonly of: FieldType }
  | { readonly type: "struct"; readonly fields: Readonly<Record<string, FieldType>> };

const STRING: FieldType = { type: "string" };
const BOOLEAN: FieldType = { type: "boolean" };
const INTEGER: FieldType = { type: "integer" };
const OBJECT: FieldType = { type: "object" };
const EITHER: FieldType = { type: "integer or text" };
const STRINGS: FieldType = { type: "map", of: STRING };
const QUANTITIES: FieldType = { type: "map", of: { type: "quantity" } };

const REQUIREMENTS = list(struct({ key: STRING, operator: STRING, values: list(STRING) }));
const STRATEGY = struct({ type: STRING, rollingUpdate: struct({ maxSurge: EITHER, maxUnavailable: EITHER }) });
const POD_TERMS = struct({
  requiredDuringSchedulingIgnoredDuringExecution: list(OBJECT),
  preferredDuringSchedulingIgnoredDuringExecution: list(OBJECT),
});
const TERM = struct({ matchExpressions: REQUIREMENTS, matchFields: REQUIREMENTS });
const SELECTOR = struct({ matchLabels: STRINGS, matchExpressions: REQUIREMENTS });
const RESOURCES = struct({ limits: QUANTITIES, requests: QUANTITIES });
const CONTAINERS = list(
  struct({
    name: STRING,
    image: STRING,
    restartPolicy: STRING,
    command: list(STRING),
    args: list(STRING),
    resources: RESOURCES,
    volumeMounts: list(struct({ name: STRING, mountPath: STRING })),
  }),
);

/** Of any object and of a pod template. */
export const METADATA_TYPE = struct({
  name: STRING,
  generateName: STRING,
  namespace: STRING,
  labels: STRINGS,
  annotations: STRINGS,
  ownerReferences: list(struct({ apiVersion: STRING, kind: STRING, name: STRING, uid: STRING, controller: BOOLEAN })),
});

export const POD_SPEC_TYPE = struct({
  tolerations: list(
    struct({ key: STRING, operator: STRING, value: STRING, effect: STRING, tolerationSeconds: INTEGER }),
  ),
  nodeSelector: STRINGS,
  nodeName: STRING,
  affinity: struct({
    nodeAffinity: struct({
      requiredDuringSchedulingIgnoredDuringExecution: struct({ nodeSelectorTerms: list(TERM) }),
      preferredDuringSchedulingIgnoredDuringExecution: list(struct({ weight: INTEGER, preference: TERM })),
    }),
    podAffinity: POD_TERMS,
    podAntiAffinity: POD_TERMS,
  }),
  hostNetwork: BOOLEAN,
  hostPID: BOOLEAN,
  schedulerName: STRING,
  schedulingGates: list(struct({ name: STRING })),
  runtimeClassName: STRING,
  priorityClassName: STRING,
  os: struct({ name: STRING }),
  overhead: QUANTITIES,
  resources: RESOURCES,
  resourceClaims: list(OBJECT),
  containers: CONTAINERS,
  initContainers: CONTAINERS,
  volumes: list(
    struct({
      name: STRING,
      hostPath: struct({ path: STRING }),
      persistentVolumeClaim: struct({ claimName: STRING }),
      csi: struct({ driver: STRING }),
      projected: OBJECT,
      ephemeral: OBJECT,
    }),
  ),
  topologySpreadConstraints: list(struct({ whenUnsatisfiable: STRING })),
});

const REPLICATED = { replicas: INTEGER, selector: SELECTOR } as const;

/** What a kind's `spec` has beside its pod spec; null for kinds whose `spec` is the pod spec, or that have none. */
export function specType(kind: string): FieldType | null {
  switch (kind) {
    case "ReplicationController":
      return struct({ replicas: INTEGER, selector: STRINGS });
    case "ReplicaSet":
      return struct(REPLICATED);
    case "Deployment":
      return struct({ ...REPLICATED, strategy: STRATEGY });
    case "StatefulSet":
      return struct({ ...REPLICATED, updateStrategy: STRATEGY });
    case "DaemonSet":
      return struct({ selector: SELECTOR, updateStrategy: STRATEGY });
    case "Job":
      return struct({ selector: SELECTOR, suspend: BOOLEAN });
    case "CronJob":
      return struct({ suspend: BOOLEAN });
    default:
      return null;
  }
}

function list(of: FieldType): FieldType {
  return { type: "list", of };
}

function struct(fields: Readonly<Record<string, FieldType>>): FieldType {
  return { type: "struct", fields };
}
