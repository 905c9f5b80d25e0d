// Live cluster, wire format: the frames of a JSON watch (servers and kinds without protobuf). One object a line;
// lines end at \n only (U+2028 inside a string is no line end), and a character may be split between chunks.
import { StringDecoder } from "node:string_decoder";
import { WireError } from "./decode.ts";
import type { WatchFrame } from "./watch-reader.ts";

/** Characters of a bad line that the message quotes. */
const QUOTED = 200;

export class JsonWatchReader {
  readonly #utf8 = new StringDecoder("utf8");
  #pending = "";

  /**
   * Takes the next bytes and yields the frames that are complete.
   * @throws WireError when a complete line is no watch event (a gateway's page, a damaged stream): list again.
   */
  push(chunk: Buffer): WatchFrame[] {
    const text = this.#pending + this.#utf8.write(chunk);
    const lines = text.split("\n");
    this.#pending = lines.pop() ?? "";
    return lines.filter((line) => line.trim() !== "").map(frame);
  }

  /** Whether the stream ended inside a line: what it held is lost and the watch resumes before it. */
  get cut(): boolean {
    return this.#pending.trim() !== "";
  }
}

function frame(line: string): WatchFrame {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw new WireError(`a watch line that is no JSON: ${line.slice(0, QUOTED)}`);
  }
  if (typeof value !== "object" || value === null || !("type" in value) || !("object" in value)) {
    throw new WireError(`a watch line without type and object: ${line.slice(0, QUOTED)}`);
  }
  const { type, object } = value;
  if (typeof type !== "string" || typeof object !== "object" || object === null) {
    throw new WireError(`a watch line without type and object: ${line.slice(0, QUOTED)}`);
  }
  return { type, object: { ...object } };
}
