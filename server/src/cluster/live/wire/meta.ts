// Live cluster, wire format: schemas of apimachinery's meta/v1 and runtime messages.
import { type Schema, schema } from "./schema.ts";

const OWNER_REFERENCE = schema(
  [1, "kind", "string"],
  [3, "name", "string"],
  [4, "uid", "string"],
  [5, "apiVersion", "string"],
  [6, "controller", "bool"],
);

/** ObjectMeta with the annotations that are read of a kind; network plugins write kilobytes of them on every pod. */
export function metadataWith(annotations: readonly string[] | null): Schema {
  return schema(
    [1, "name", "string"],
    [2, "generateName", "string"],
    [3, "namespace", "string"],
    [5, "uid", "string"],
    [6, "resourceVersion", "string"],
    [8, "creationTimestamp", "time"],
    [9, "deletionTimestamp", "time"],
    [10, "deletionGracePeriodSeconds", "int"],
    [11, "labels", "stringMap", "shared"],
    [12, "annotations", "stringMap", { keys: annotations === null ? null : new Set(annotations) }],
    [13, "ownerReferences", OWNER_REFERENCE, "repeated", "shared"],
    [14, "finalizers", "string", "repeated"],
  );
}

/** ObjectMeta with every annotation. */
export const OBJECT_META = metadataWith(null);

export const LIST_META = schema(
  [2, "resourceVersion", "string"],
  [3, "continue", "string"],
  [4, "remainingItemCount", "int"],
);

export const LABEL_SELECTOR = schema(
  [1, "matchLabels", "stringMap"],
  [
    2,
    "matchExpressions",
    schema([1, "key", "string"], [2, "operator", "string"], [3, "values", "string", "repeated"]),
    "repeated",
  ],
);

/** metav1.Status: what an error answer and an ERROR watch frame hold. */
export const STATUS = schema(
  [2, "status", "string"],
  [3, "message", "string"],
  [4, "reason", "string"],
  [5, "details", schema([5, "retryAfterSeconds", "int"])],
  [6, "code", "int"],
);
