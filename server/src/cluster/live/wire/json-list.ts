// Live cluster, wire format: a JSON list as it arrives (servers and gateways without protobuf). Items are parsed one by
// one, so a body of hundreds of megabytes never becomes one string.
import { type PlainObject, WireError } from "./decode.ts";

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const COMMA = 0x2c;
/** Characters of a bad body that the message quotes. */
const QUOTED = 200;

export class JsonListReader {
  readonly #onItem: (item: PlainObject) => void;
  /** Bytes from the start of what is being captured; all of them were looked at. */
  #pending: Buffer = Buffer.alloc(0);
  #capturing = false;
  #depth = 0;
  #inString = false;
  #escaped = false;
  /** Whether the next string of the root object is a key. */
  #keyNext = false;
  #readingKey = false;
  /** The root's key whose value is being read. */
  #key = "";
  #metadata: PlainObject | null = null;
  #sawItems = false;
  #begin = "";

  constructor(onItem: (item: PlainObject) => void) {
    this.#onItem = onItem;
  }

  /** metadata of the list: resourceVersion, continue. */
  get metadata(): PlainObject {
    return this.#metadata ?? {};
  }

  /**
   * Takes the next bytes and hands on every item that is complete.
   * @throws WireError when the bytes are no JSON list.
   */
  push(chunk: Buffer): void {
    if (this.#begin.length < QUOTED) this.#begin += chunk.toString("utf8", 0, QUOTED);
    const bytes = this.#pending.length === 0 ? chunk : Buffer.concat([this.#pending, chunk]);
    let start = this.#capturing ? 0 : -1;
    for (let at = this.#pending.length; at < bytes.length; at += 1) {
      const byte = bytes[at] ?? 0;
      if (this.#inString) {
        if (this.#escaped) this.#escaped = false;
        else if (byte === BACKSLASH) this.#escaped = true;
        else if (byte === QUOTE) {
          this.#inString = false;
          if (this.#readingKey) this.#endKey(bytes.subarray(start, at + 1));
          if (!this.#capturing) start = -1;
        }
        continue;
      }
      if (byte === QUOTE) {
        this.#inString = true;
        if (this.#keyNext) {
          this.#keyNext = false;
          this.#readingKey = true;
          this.#capturing = true;
          start = at;
        }
      } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
        if (this.#opens(byte)) start = at;
      } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
        this.#depth -= 1;
        if (this.#capturing && this.#depth === (this.#key === "items" ? 2 : 1)) {
          this.#take(bytes.subarray(start, at + 1));
          start = -1;
        }
      } else if (byte === COMMA && this.#depth === 1) {
        this.#keyNext = true;
      }
    }
    this.#pending = this.#capturing ? bytes.subarray(start) : Buffer.alloc(0);
  }

  /** @throws WireError when the body ended before the list did, or never was one. */
  end(): void {
    const closed = this.#depth === 0 && !this.#inString && this.#begin !== "";
    if (!closed || !this.#sawItems || this.#metadata === null) {
      throw new WireError(
        closed ? `an answer that is no list: ${this.#begin.slice(0, QUOTED)}` : "the list was cut short",
      );
    }
  }

  /** Steps into an object or array; true when it is to be captured. */
  #opens(byte: number): boolean {
    if (this.#depth === 0) {
      if (byte !== OPEN_BRACE) throw new WireError(`a list that is no JSON: ${this.#begin.slice(0, QUOTED)}`);
      this.#keyNext = true;
    }
    this.#depth += 1;
    const item = this.#key === "items" && this.#depth === 3;
    const metadata = this.#key === "metadata" && this.#depth === 2;
    if (this.#capturing || byte !== OPEN_BRACE || !(item || metadata)) return false;
    this.#capturing = true;
    return true;
  }

  #endKey(bytes: Buffer): void {
    this.#readingKey = false;
    this.#capturing = false;
    const key = parse(bytes);
    this.#key = typeof key === "string" ? key : "";
    if (this.#key === "items") this.#sawItems = true;
  }

  #take(bytes: Buffer): void {
    this.#capturing = false;
    const value = parse(bytes);
    if (typeof value !== "object" || value === null) throw new WireError("a part of a list that is no object");
    if (this.#key === "metadata") this.#metadata = { ...value };
    else this.#onItem({ ...value });
  }
}

function parse(bytes: Buffer): unknown {
  const text = bytes.toString("utf8");
  try {
    return JSON.parse(text);
  } catch {
    throw new WireError(`a list that is no JSON: ${text.slice(0, QUOTED)}`);
  }
}
