// Live cluster, writing: single objects read and patched through the API server. The only place that sends anything but
// a GET.
import { isObject, type JsonObject } from "../../../kube/decode/reading.ts";
import type { JsonPatchStep } from "../../../kube/json-patch.ts";
import type { ObjectAddress, ObjectAnswer, ObjectWriter } from "../../change.ts";
import { CredentialError } from "../credentials/credential.ts";
import { type Limits, readBeginning } from "../node-proxy/first-lines.ts";
import type { ApiClient } from "../transport/api-client.ts";
import { type Answer, ConnectionError } from "../transport/request.ts";
import { objectPath } from "./object-path.ts";
import { type ChangePermit, NOT_PERMITTED } from "./permit.ts";

/** Milliseconds for an answer: an admission webhook alone may take 30 s. */
const DEADLINE = 45_000;
const BODY: Limits = { bytes: 8 * 1024 * 1024, deadline: DEADLINE };
/** Characters of a body that is no Status which are quoted. */
const QUOTED = 300;
/** Whose change it is, in the object's managedFields and in audit logs. */
const FIELD_MANAGER = "taintwise";

export class ApiWriter implements ObjectWriter {
  readonly #client: ApiClient;
  readonly #permit: ChangePermit;

  constructor(client: ApiClient, permit: ChangePermit) {
    this.#client = client;
    this.#permit = permit;
  }

  get server(): string {
    return this.#client.endpoint.server.href;
  }

  read(address: ObjectAddress, signal: AbortSignal): Promise<ObjectAnswer> {
    return this.#answer(signal, () => this.#client.ask(objectPath(address), "application/json", DEADLINE, signal));
  }

  dryRun(address: ObjectAddress, patch: readonly JsonPatchStep[], signal: AbortSignal): Promise<ObjectAnswer> {
    return this.#patch(address, patch, "&dryRun=All", signal);
  }

  apply(address: ObjectAddress, patch: readonly JsonPatchStep[], signal: AbortSignal): Promise<ObjectAnswer> {
    return this.#patch(address, patch, "", signal);
  }

  #patch(
    address: ObjectAddress,
    patch: readonly JsonPatchStep[],
    query: string,
    signal: AbortSignal,
  ): Promise<ObjectAnswer> {
    const path = `${objectPath(address)}?fieldManager=${FIELD_MANAGER}&fieldValidation=Strict${query}`;
    return this.#answer(signal, () => this.#client.patch(path, JSON.stringify(patch), DEADLINE, signal));
  }

  async #answer(signal: AbortSignal, send: () => Promise<Answer>): Promise<ObjectAnswer> {
    // Reading one object serves a change only, so it needs the leave too.
    if (!this.#permit.holds) return { kind: "refused", status: 0, message: NOT_PERMITTED };
    try {
      return await received(await send(), signal);
    } catch (error) {
      signal.throwIfAborted();
      // Without a credential nothing was sent.
      if (error instanceof CredentialError) return { kind: "refused", status: 401, message: error.message };
      if (error instanceof ConnectionError) return { kind: "unreached", message: error.message };
      throw error;
    }
  }
}

async function received({ status, headers, body }: Answer, signal: AbortSignal): Promise<ObjectAnswer> {
  const { text, truncated } = await readBeginning(body, BODY, signal);
  const value = truncated ? null : parsed(text);
  if (status < 200 || status > 299) return { kind: "refused", status, message: messageOf(status, value, text) };
  if (value === null) return { kind: "unreached", message: "the server's answer broke off" };
  return { kind: "object", object: value, warnings: warningsOf(headers.warning) };
}

/** The server's own words; those of a gateway, which writes pages, shortened. */
function messageOf(status: number, value: JsonObject | null, text: string): string {
  const message = value?.message;
  if (typeof message === "string" && message !== "") return message;
  const words = text
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, QUOTED);
  return words === "" ? `HTTP ${status}` : words;
}

/** `299 - "text"`, several joined by commas. Source: k8s.io/apimachinery/pkg/util/net ParseWarningHeaders. */
function warningsOf(header: string | readonly string[] | undefined): readonly string[] {
  const text = typeof header === "string" ? header : (header ?? []).join(", ");
  return [...text.matchAll(/\d{3} \S+ "((?:[^"\\]|\\.)*)"/g)].map(([, words = ""]) => words.replace(/\\(.)/g, "$1"));
}

/** A JSON object; null where the text is none: the caller says so. */
function parsed(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}
