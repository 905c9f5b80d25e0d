// Live cluster, wire format: protobuf bytes to the plain objects that the JSON API would give, only fewer fields.
// Everything the schema does not name is stepped over without being read.
import type { Field, Schema } from "./schema.ts";
import { SharedBytes } from "./shared-bytes.ts";
import type { StringReader } from "./strings.ts";

/** A plain object in the shape of the Kubernetes JSON API; times are milliseconds. */
export type PlainObject = Record<string, unknown>;

/** The bytes are not what the format says; the stream they came from is broken. */
export class WireError extends Error {
  override readonly name = "WireError";
}

/** Reads one message of known schemas. Holds a read position, so one instance serves one reader at a time. */
export class WireDecoder {
  readonly #strings: StringReader;
  readonly #shared = new Map<Field, SharedBytes>();
  #bytes: Buffer = Buffer.alloc(0);
  #at = 0;

  constructor(strings: StringReader) {
    this.#strings = strings;
  }

  /**
   * Decodes `bytes[start, end)` as a message of `schema`.
   * @throws WireError when the bytes end early or hold an unknown wire type.
   */
  message(bytes: Buffer, start: number, end: number, schema: Schema): PlainObject {
    this.#bytes = bytes;
    this.#at = start;
    if (end > bytes.length) throw new WireError("message ends behind its bytes");
    return this.#message(end, schema);
  }

  #message(end: number, schema: Schema): PlainObject {
    const object: PlainObject = {};
    while (this.#at < end) {
      const tag = this.#varint();
      const wireType = tag & 7;
      const field = schema.fields[tag >>> 3];
      if (field === undefined) {
        this.#skip(wireType, end);
      } else if (wireType === 0) {
        const value = this.#varint();
        object[field.name] = field.type === "bool" ? value !== 0 : value;
      } else if (wireType === 2 && field.shared && object[field.name] === undefined) {
        object[field.name] = this.#sharedRun(field, tag, end);
      } else if (wireType === 2) {
        const stop = this.#stop(end);
        if (field.type === "string" && !field.repeated) object[field.name] = this.#text(stop);
        else if (!this.#isLeftOut(field, stop)) this.#lengthDelimited(object, field, stop);
        this.#at = stop;
      } else {
        this.#skip(wireType, end);
      }
    }
    if (this.#at !== end) throw new WireError("a field ends behind its message");
    return object;
  }

  #isLeftOut({ leftOut }: Field, stop: number): boolean {
    for (const beginning of leftOut) {
      let index = stop - this.#at < beginning.length ? -1 : 0;
      while (index >= 0 && index < beginning.length && this.#bytes[this.#at + index] === beginning[index]) index += 1;
      if (index === beginning.length) return true;
    }
    return false;
  }

  /** The value of a shared field: every entry that follows directly with the same tag, known by its bytes. */
  #sharedRun(field: Field, tag: number, end: number): object {
    const start = this.#at;
    let stop = this.#stop(end);
    this.#at = stop;
    while (this.#at < end && this.#varint() === tag) {
      stop = this.#stop(end);
      this.#at = stop;
    }
    this.#at = start;
    const bytes = this.#bytes;
    const value = this.#sharedBytes(field).value(bytes, start, stop, () => {
      const holder: PlainObject = {};
      while (this.#at < stop) {
        if (this.#at !== start) this.#varint();
        const entryEnd = this.#stop(stop);
        this.#lengthDelimited(holder, field, entryEnd);
        this.#at = entryEnd;
      }
      return objectIn(holder[field.name]);
    });
    this.#at = stop;
    return value;
  }

  #sharedBytes(field: Field): SharedBytes {
    const known = this.#shared.get(field);
    if (known !== undefined) return known;
    const fresh = new SharedBytes();
    this.#shared.set(field, fresh);
    return fresh;
  }

  #lengthDelimited(object: PlainObject, field: Field, stop: number): void {
    const { name, type } = field;
    if (type === "stringMap" || type === "quantityMap") {
      const held = object[name];
      // Entries that stand apart from the first ones: what is shared is not added to.
      const map: PlainObject = isPlain(held) ? (field.shared ? { ...held } : held) : {};
      object[name] = map;
      this.#mapEntry(map, field, stop);
      return;
    }
    const value = this.#value(field, stop);
    if (name === "") {
      Object.assign(object, value);
      return;
    }
    if (!field.repeated) {
      object[name] = value;
      return;
    }
    const list = object[name];
    if (!Array.isArray(list)) object[name] = [value];
    else if (field.shared) object[name] = [...list, value];
    else list.push(value);
  }

  #value(field: Field, stop: number): unknown {
    const { type } = field;
    switch (type) {
      case "string":
        return this.#text(stop);
      case "time":
        return this.#time(stop);
      case "quantity":
        return this.#quantity(stop);
      case "intOrString":
        return this.#intOrString(stop);
      case "presence":
        return {};
      case "int":
      case "bool":
        throw new WireError(`field ${field.name} is no number on the wire`);
      case "stringMap":
      case "quantityMap":
        throw new WireError(`field ${field.name} is a map`);
      default:
        return this.#message(stop, type);
    }
  }

  /** One entry of a map field: key 1, value 2 (a string, or a Quantity message whose field 1 is its text). */
  #mapEntry(map: PlainObject, { type, keys }: Field, stop: number): void {
    let key = "";
    let value = "";
    while (this.#at < stop) {
      const tag = this.#varint();
      if ((tag & 7) !== 2) {
        this.#skip(tag & 7, stop);
        continue;
      }
      const end = this.#stop(stop);
      if (tag >>> 3 === 1) key = this.#text(end);
      else if (tag >>> 3 === 2) {
        // The key comes first on the wire; where it does not, a value is read for nothing.
        if (keys !== null && key !== "" && !keys.has(key)) {
          this.#at = stop;
          return;
        }
        value = type === "quantityMap" ? this.#quantity(end) : this.#text(end);
      }
      this.#at = end;
    }
    if (keys === null || keys.has(key)) map[key] = value;
  }

  #text(stop: number): string {
    return this.#strings.read(this.#bytes, this.#at, stop);
  }

  #quantity(stop: number): string {
    let text = "";
    while (this.#at < stop) {
      const tag = this.#varint();
      if (tag === 10) {
        const end = this.#stop(stop);
        text = this.#text(end);
        this.#at = end;
      } else this.#skip(tag & 7, stop);
    }
    return text;
  }

  /** metav1.Time and MicroTime: seconds 1, nanos 2; the zero time is an empty message. */
  #time(stop: number): number | null {
    if (this.#at === stop) return null;
    let seconds = 0;
    let nanos = 0;
    while (this.#at < stop) {
      const tag = this.#varint();
      if (tag === 8) seconds = this.#varint();
      else if (tag === 16) nanos = this.#varint();
      else this.#skip(tag & 7, stop);
    }
    return seconds * 1000 + Math.floor(nanos / 1e6);
  }

  /** intstr.IntOrString: type 1 (0 int, 1 string), intVal 2, strVal 3. */
  #intOrString(stop: number): number | string {
    let isText = false;
    let int = 0;
    let text = "";
    while (this.#at < stop) {
      const tag = this.#varint();
      if (tag === 8) isText = this.#varint() === 1;
      else if (tag === 16) int = this.#varint();
      else if (tag === 26) {
        const end = this.#stop(stop);
        text = this.#text(end);
        this.#at = end;
      } else this.#skip(tag & 7, stop);
    }
    return isText ? text : int;
  }

  #skip(wireType: number, end: number): void {
    if (wireType === 0) this.#varint();
    else if (wireType === 1) this.#at += 8;
    else if (wireType === 2) this.#at = this.#stop(end);
    else if (wireType === 5) this.#at += 4;
    else throw new WireError(`wire type ${wireType} at byte ${this.#at}`);
    if (this.#at > end) throw new WireError("field ends behind its message");
  }

  /** Reads a length and yields the offset where the field ends. */
  #stop(end: number): number {
    const length = this.#varint();
    const stop = this.#at + length;
    if (length < 0 || stop > end) throw new WireError("length runs behind the message");
    return stop;
  }

  /** A varint as a double; 64-bit two's complement negatives come out negative. */
  #varint(): number {
    const bytes = this.#bytes;
    const start = this.#at;
    let byte = bytes[this.#at++];
    if (byte === undefined) throw new WireError("bytes end inside a number");
    if (byte < 0x80) return byte;
    let low = byte & 0x7f;
    let factor = 0x80;
    let value = low;
    for (let count = 1; count < 10; count += 1) {
      byte = bytes[this.#at++];
      if (byte === undefined) throw new WireError("bytes end inside a number");
      low = byte & 0x7f;
      // The tenth byte carries bit 63: the number is negative.
      if (count === 9) return low === 0 ? value : negative(bytes, start);
      value += low * factor;
      if (byte < 0x80) return value;
      factor *= 0x80;
    }
    throw new WireError("number longer than ten bytes");
  }
}

/** A negative number of ten bytes; summed by what its bits lack, as a sum of the bits themselves would be rounded. */
function negative(bytes: Buffer, start: number): number {
  let lacking = 0;
  for (let index = 8; index >= 0; index -= 1) lacking = lacking * 0x80 + (~(bytes[start + index] ?? 0) & 0x7f);
  return -1 - lacking;
}

function objectIn(value: unknown): object {
  return typeof value === "object" && value !== null ? value : {};
}

function isPlain(value: unknown): value is PlainObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
