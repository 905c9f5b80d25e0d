// Live cluster, watching: one answer of a list, read item by item.
import type { LiveResource } from "../resource.ts";
import type { Answer } from "../transport/request.ts";
import { type PlainObject, WireDecoder, WireError } from "../wire/decode.ts";
import { JsonListReader } from "../wire/json-list.ts";
import { ListReader } from "../wire/list-reader.ts";
import type { StringReader } from "../wire/strings.ts";
import { readChunks } from "./body.ts";

export const PROTOBUF = "application/vnd.kubernetes.protobuf";
export const JSON_TYPE = "application/json";

export interface ListPage {
  readonly version: string;
  /** The `continue` of the next page; empty on the last. */
  readonly next: string;
}

export interface PageReading {
  readonly resource: LiveResource;
  readonly strings: StringReader;
  /** Milliseconds without a byte after which the body is given up. */
  readonly silence: number;
  readonly signal: AbortSignal;
  readonly listed: (object: PlainObject) => void;
}

/**
 * Hands on the items of a page. `from` is the `continue` that was asked for.
 * @throws WireError when the page is damaged, cut short, or the one that was asked for before.
 */
export async function readPage(answer: Answer, from: string, reading: PageReading): Promise<ListPage> {
  const { resource, strings, silence, signal, listed } = reading;
  const reader = isProtobuf(answer.headers["content-type"])
    ? new ListReader(new WireDecoder(strings), resource.schema, listed)
    : new JsonListReader(listed);
  const whole = await readChunks(answer.body, silence, signal, (chunk) => reader.push(chunk));
  if (!whole) throw new WireError(`no byte of the list came for ${silence / 1000} s`);
  reader.end();
  const version = textOf(reader.metadata.resourceVersion);
  const next = textOf(reader.metadata.continue);
  if (version === "") throw new WireError("a list without a resourceVersion");
  if (next !== "" && next === from) throw new WireError("a list whose next page is the same page");
  return { version, next };
}

/** Whether an answer is Kubernetes protobuf, list or watch. */
export function isProtobuf(contentType: string | undefined): boolean {
  return contentType?.startsWith(PROTOBUF) ?? false;
}

/** A string as it is; empty for anything else. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
