// Cluster layer, snapshot: small codecs from which the format is put together. Writing leaves out what is blank;
// reading checks every type, so that a damaged snapshot is refused and never half believed.

/** What a stored value is not; caught by `readSnapshot` and told to people. */
export class SnapshotFault extends Error {}

/** Writes values of a type as JSON and reads them back. */
export interface Codec<T> {
  write(value: T): unknown;
  /** Throws SnapshotFault with the place `at` when the stored value is of another type. */
  read(stored: unknown, at: string): T;
  /** The value that a record leaves out; null where the value is always written. */
  readonly blank: { readonly value: T } | null;
  isBlank(value: T): boolean;
}

/** The codecs of a record's fields. */
export type FieldCodecs<T> = { readonly [K in keyof T]: Codec<T[K]> };

/** Text; empty text is blank. `share` may return an equal text seen before. */
export function text(share: (value: string) => string): Codec<string> {
  return scalar("", (stored) => (typeof stored === "string" ? share(stored) : null), "text");
}

/** A number; 0 is blank. */
export const NUMBER: Codec<number> = scalar(0, (stored) => (typeof stored === "number" ? stored : null), "a number");

/** true or false; false is blank. */
export const FLAG: Codec<boolean> = scalar(
  false,
  (stored) => (typeof stored === "boolean" ? stored : null),
  "true or false",
);

/** One of a few words; none is blank. */
export function oneOf<T extends string>(words: readonly T[]): Codec<T> {
  return {
    ...always<T>(),
    write: (value) => value,
    read: (stored, at) => words.find((word) => word === stored) ?? refuse(at, `one of ${words.join(", ")}`),
  };
}

/** A value or null; null is blank. */
export function nullable<T>(codec: Codec<T>): Codec<T | null> {
  return {
    blank: { value: null },
    isBlank: (value) => value === null,
    write: (value) => (value === null ? null : codec.write(value)),
    read: (stored, at) => (stored === null ? null : codec.read(stored, at)),
  };
}

/** A list; the empty one is blank. */
export function list<T>(codec: Codec<T>): Codec<readonly T[]> {
  const empty: readonly T[] = [];
  return {
    blank: { value: empty },
    isBlank: (value) => value.length === 0,
    write: (value) => value.map((item) => codec.write(item)),
    read: (stored, at) => {
      if (!Array.isArray(stored)) return refuse(at, "a list");
      return stored.map((item: unknown, index) => codec.read(item, `${at}[${index}]`));
    },
  };
}

/** A map from text to values; the empty one is blank. */
export function dictionary<T>(codec: Codec<T>): Codec<Readonly<Record<string, T>>> {
  const empty: Readonly<Record<string, T>> = {};
  return {
    blank: { value: empty },
    isBlank: (value) => Object.keys(value).length === 0,
    write: (value) => Object.fromEntries(Object.entries(value).map(([key, item]) => [key, codec.write(item)])),
    read: (stored, at) =>
      Object.fromEntries(
        Object.entries(storedObject(stored, at)).map(([key, item]) => [key, codec.read(item, `${at}.${key}`)]),
      ),
  };
}

/** A record with a codec for each field; blank fields are left out. It is never blank itself. */
export function record<T extends object>(fields: FieldCodecs<T>): Codec<T> {
  const keys = Object.keys(fields) as (keyof T & string)[];
  const readField = <K extends keyof T & string>(value: Partial<T>, key: K, stored: unknown, at: string): void => {
    const codec: Codec<T[K]> = fields[key];
    if (stored !== undefined) value[key] = codec.read(stored, `${at}.${key}`);
    else if (codec.blank !== null) value[key] = codec.blank.value;
    else refuse(`${at}.${key}`, "a value");
  };
  return {
    ...always<T>(),
    write: (value) => {
      const stored: Record<string, unknown> = {};
      for (const key of keys) {
        if (!fields[key].isBlank(value[key])) stored[key] = fields[key].write(value[key]);
      }
      return stored;
    },
    read: (stored, at) => {
      const source = storedObject(stored, at);
      const value: Partial<T> = {};
      for (const key of keys) readField(value, key, source[key], at);
      // Every field has been read or filled in.
      return value as T;
    },
  };
}

/** Never blank. */
function always<T>(): Pick<Codec<T>, "blank" | "isBlank"> {
  return { blank: null, isBlank: () => false };
}

function scalar<T>(blank: T, accept: (stored: unknown) => T | null, expected: string): Codec<T> {
  return {
    blank: { value: blank },
    isBlank: (value) => value === blank,
    write: (value) => value,
    read: (stored, at) => accept(stored) ?? refuse(at, expected),
  };
}

function storedObject(stored: unknown, at: string): Readonly<Record<string, unknown>> {
  const isObject = typeof stored === "object" && stored !== null && !Array.isArray(stored);
  return isObject ? (stored as Readonly<Record<string, unknown>>) : refuse(at, "an object");
}

/** Refuses a stored value. */
export function refuse(at: string, expected: string): never {
  throw new SnapshotFault(`${at} should be ${expected}`);
}
