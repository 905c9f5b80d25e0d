// Workload layer: the JSON types of the fields that we read, as the Kubernetes API declares them (k8s.io/api core/v1).

/** The type of one field; `struct` lists only the fields of interest, what else it holds is not looked at. */
export type FieldType =
  | { readonly type: "string" | "boolean" | "integer" | "quantity" | "object" }
  | { readonly type: "list" | "map"; readonly of: FieldType }
  | { readonly type: "struct"; readonly fields: Readonly<Record<string, FieldType>> };

const STRING: FieldType = { type: "string" };
const BOOLEAN: FieldType = { type: "boolean" };
const INTEGER: FieldType = { type: "integer" };
const OBJECT: FieldType = { type: "object" };
const STRINGS: FieldType = { type: "map", of: STRING };
const QUANTITIES: FieldType = { type: "map", of: { type: "quantity" } };

const REQUIREMENTS = list(struct({ key: STRING, operator: STRING, values: list(STRING) }));
const TERM = struct({ matchExpressions: REQUIREMENTS, matchFields: REQUIREMENTS });
const SELECTOR = struct({ matchLabels: STRINGS, matchExpressions: REQUIREMENTS });
const CONTAINERS = list(
  struct({
    name: STRING,
    image: STRING,
    restartPolicy: STRING,
    resources: struct({ limits: QUANTITIES, requests: QUANTITIES }),
    volumeMounts: list(struct({ name: STRING, mountPath: STRING })),
  }),
);

/** Labels and annotations; of any object and of a pod template. */
export const METADATA_TYPE = struct({ name: STRING, namespace: STRING, labels: STRINGS, annotations: STRINGS });

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
    podAffinity: OBJECT,
    podAntiAffinity: OBJECT,
  }),
  hostNetwork: BOOLEAN,
  hostPID: BOOLEAN,
  schedulerName: STRING,
  runtimeClassName: STRING,
  priorityClassName: STRING,
  os: struct({ name: STRING }),
  overhead: QUANTITIES,
  containers: CONTAINERS,
  initContainers: CONTAINERS,
  volumes: list(OBJECT),
  topologySpreadConstraints: list(OBJECT),
});

/** The type of `spec.selector`: a plain map for a ReplicationController, a LabelSelector for the other kinds. */
export function selectorType(kind: string): FieldType {
  return kind === "ReplicationController" ? STRINGS : SELECTOR;
}

function list(of: FieldType): FieldType {
  return { type: "list", of };
}

function struct(fields: Readonly<Record<string, FieldType>>): FieldType {
  return { type: "struct", fields };
}
