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
  /**
   * Entries of a repeated message that begin with one of these bytes are left out undecoded: for what nearly every
   * object holds and nobody reads. Only a saving: the same entries written otherwise are decoded.
   */
  readonly leftOut: readonly Buffer[];
  /** Of a string map only these entries are read; null: all. */
  readonly keys: ReadonlySet<string> | null;
}

/** Fields by number; numbers that are absent are skipped while reading. */
export interface Schema {
  readonly fields: readonly (Field | undefined)[];
}

type FieldOption = "repeated" | "shared" | Partial<Pick<Field, "leftOut" | "keys">>;

/** Shorthand of one field: `[number, name, type]`, followed by what holds of it besides. */
export type FieldRow = readonly [number, string, FieldType, ...FieldOption[]];

/** Builds a schema from rows; numbers are field numbers of the protobuf message. */
export function schema(...rows: readonly FieldRow[]): Schema {
  const fields: (Field | undefined)[] = [];
  for (const [number, name, type, ...options] of rows) {
    while (fields.length <= number) fields.push(undefined);
    const more = options.find((option) => typeof option === "object");
    fields[number] = {
      name,
      type,
      repeated: options.includes("repeated"),
      shared: options.includes("shared"),
      leftOut: more?.leftOut ?? [],
      keys: more?.keys ?? null,
    };
  }
  return { fields };
}
