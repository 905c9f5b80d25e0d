// Live cluster, wire format: how a schema of the few fields we read is written down.
// Field numbers are those of the generated.proto files of k8s.io/api and k8s.io/apimachinery v0.37.2.

/** How a field's bytes become a value. `time` yields milliseconds since the epoch (null for the zero time). */
export type FieldType =
  | "string"
  | "int"
  | "bool"
  | "time"
  | "quantity"
  | "intOrString"
  | "stringMap"
  | "quantityMap"
  | Schema
  /** Only that the field is there matters: yields `{}` without reading what is inside. */
  | "presence";

export interface Field {
  /** The JSON name; empty for a message that JSON inlines into its parent (VolumeSource in Volume). */
  readonly name: string;
  readonly type: FieldType;
  readonly repeated: boolean;
  /**
   * Equal bytes give the same object, all entries of a repeated field or map taken together: for what is equal in
   * thousands of objects. Such values must not be changed by whoever gets them.
   */
  readonly shared: boolean;
}

/** Fields by number; numbers that are absent are skipped while reading. */
export interface Schema {
  readonly fields: readonly (Field | undefined)[];
}

/** Shorthand of one field: `[number, name, type]`, followed by "repeated" and "shared" where they hold. */
export type FieldRow = readonly [number, string, FieldType, ...("repeated" | "shared")[]];

/** Builds a schema from rows; numbers are field numbers of the protobuf message. */
export function schema(...rows: readonly FieldRow[]): Schema {
  const fields: (Field | undefined)[] = [];
  for (const [number, name, type, ...flags] of rows) {
    while (fields.length <= number) fields.push(undefined);
    fields[number] = { name, type, repeated: flags.includes("repeated"), shared: flags.includes("shared") };
  }
  return { fields };
}
