// Bench, the feed: Kubernetes protobuf as an API server writes it, by hand.

/** A length-delimited field of a string or message, or a varint field of a number. */
export type FieldRow = readonly [number, string | Buffer | number];

/** A message of these fields, in their order; empty strings and messages are written too, as Go does. */
export function message(...fields: readonly FieldRow[]): Buffer {
  return Buffer.concat(
    fields.flatMap(([field, value]) => {
      if (typeof value === "number") return [varint(field << 3), varint(value)];
      const body = typeof value === "string" ? Buffer.from(value, "utf8") : value;
      return [varint((field << 3) | 2), varint(body.length), body];
    }),
  );
}

/** An entry of a map field. */
export function entry(key: string, value: string | Buffer): Buffer {
  return message([1, key], [2, value]);
}

/** A Quantity. */
export function quantity(text: string): Buffer {
  return message([1, text]);
}

/** A Time; `seconds` since the epoch. */
export function time(seconds: number): Buffer {
  return message([1, seconds]);
}

export function varint(value: number): Buffer {
  const bytes: number[] = [];
  let left = value;
  while (left >= 0x80) {
    bytes.push((left % 0x80) | 0x80);
    left = Math.floor(left / 0x80);
  }
  return Buffer.from([...bytes, left]);
}

const MAGIC = Buffer.from("k8s\0", "latin1");
const LIST_META = (version: string): Buffer => message([1, message([2, version])]);

/** What comes before the items of a list whose items take `itemBytes` with tags and lengths. */
export function listHead(apiVersion: string, kind: string, version: string, itemBytes: number): Buffer {
  const meta = LIST_META(version);
  const type = message([1, message([1, apiVersion], [2, kind])]);
  return Buffer.concat([MAGIC, type, varint((2 << 3) | 2), varint(meta.length + itemBytes), meta]);
}

/** Tag and length before an item of `length` bytes. */
export function itemHead(length: number): Buffer {
  return Buffer.concat([varint((2 << 3) | 2), varint(length)]);
}

/** One frame of a watch. */
export function watchFrame(type: string, apiVersion: string, kind: string, object: Buffer): Buffer {
  const envelope = Buffer.concat([MAGIC, message([1, message([1, apiVersion], [2, kind])], [2, object])]);
  const event = message([1, type], [2, message([1, envelope])]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(event.length);
  return Buffer.concat([length, event]);
}
