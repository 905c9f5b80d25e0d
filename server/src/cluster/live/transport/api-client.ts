// Live cluster, transport: requests to one API server with its credentials. One connection pool for all of them.
import type { Agent } from "node:http";
import type { Readable } from "node:stream";
import type { Credential, CredentialSource } from "../credentials/credential.ts";
import { CredentialError } from "../credentials/credential.ts";
import { retryAfter } from "../watch/backoff.ts";
import { WireDecoder } from "../wire/decode.ts";
import { readStatus } from "../wire/list-reader.ts";
import { StringReader } from "../wire/strings.ts";
import { agentFor } from "./agent.ts";
import { ApiError } from "./api-error.ts";
import type { Endpoint } from "./endpoint.ts";
import { type Answer, connectionError, get, patch } from "./request.ts";

/** An error body is read up to this many bytes. */
const LONGEST_ERROR = 64 * 1024;
/** Characters of an unexpected body that a message quotes. */
const QUOTED = 200;

interface Question {
  /** With its query, starting with a slash. */
  readonly path: string;
  readonly accept: string;
  /** Milliseconds until the status line must be there. */
  readonly deadline: number;
  readonly signal: AbortSignal;
  /** A JSON patch to send; absent: the question is a GET. */
  readonly patch?: string;
}

export class ApiClient {
  readonly endpoint: Endpoint;
  readonly #credentials: CredentialSource;
  readonly #now: () => number;
  #agent: Agent | null = null;
  #certificate = "";
  #skew = 0;
  /** Why no credential can be had; from then on nothing is asked until a person does. */
  #refused: CredentialError | null = null;

  /** `now` is the wall clock in milliseconds (for Retry-After dates). */
  constructor(endpoint: Endpoint, credentials: CredentialSource, now: () => number) {
    this.endpoint = endpoint;
    this.#credentials = credentials;
    this.#now = now;
  }

  /**
   * GETs `path` (query included). On 401 the credential is renewed once and the request sent once more.
   * @throws ApiError for any status but 200; ConnectionError; CredentialError.
   */
  async get(path: string, accept: string, deadline: number, signal: AbortSignal): Promise<Answer> {
    // One failed sign-in speaks for every resource: eighteen of them must not open eighteen login windows.
    if (this.#refused !== null) throw this.#refused;
    try {
      return await this.#getRenewing({ path, accept, deadline, signal });
    } catch (error) {
      if (error instanceof CredentialError && !signal.aborted) this.#refused ??= error;
      throw error;
    }
  }

  /**
   * GETs `path` and hands on the answer of whatever status: it may come from somebody behind the server, whose refusal
   * says nothing of our credentials and whose Date nothing of the server's clock. Only a 401 of the server itself (it
   * writes JSON) renews the credential, once.
   * @throws ConnectionError; CredentialError.
   */
  ask(path: string, accept: string, deadline: number, signal: AbortSignal): Promise<Answer> {
    return this.#askRenewing({ path, accept, deadline, signal });
  }

  /**
   * Sends a JSON patch for `path` (query included), for cluster/live/write alone, and hands on the answer of whatever
   * status. It is sent once; a second time only where the server refused the first for its credential (401).
   * @throws ConnectionError: then nobody knows whether it arrived; CredentialError: then it was not sent.
   */
  patch(path: string, body: string, deadline: number, signal: AbortSignal): Promise<Answer> {
    return this.#askRenewing({ path, accept: "application/json", deadline, signal, patch: body });
  }

  async #askRenewing(question: Question): Promise<Answer> {
    if (this.#refused !== null) throw this.#refused;
    const { signal } = question;
    const credential = await this.#credentials.current(signal);
    const first = await this.#sendAs(question, credential);
    const ours = first.status === 401 && (first.headers["content-type"] ?? "").includes("json");
    if (!ours || !this.#credentials.renewable()) return first;
    first.body.destroy();
    this.#credentials.drop(credential);
    return this.#sendAs(question, await this.#credentials.current(signal));
  }

  /** A person asks to try again: credentials that were refused, or could not be had, may be asked for once more. */
  forgive(): void {
    this.#refused = null;
  }

  async #getRenewing(question: Question): Promise<Answer> {
    const credential = await this.#credentials.current(question.signal);
    const first = await this.#send(question, credential);
    if (first.status !== 401) return this.#accepted(first, question.deadline);
    first.body.destroy();
    if (!this.#credentials.renewable()) throw new CredentialError(this.#fixedRefused());
    this.#credentials.drop(credential);
    const second = await this.#send(question, await this.#credentials.current(question.signal));
    if (second.status !== 401) return this.#accepted(second, question.deadline);
    second.body.destroy();
    throw new CredentialError("the server does not accept the new credentials either (401): sign in again, then retry");
  }

  #fixedRefused(): string {
    const end = this.#credentials.expires();
    const ended = end === null || end > this.#now() ? "" : ` and ended at ${new Date(end).toISOString().slice(0, 19)}Z`;
    return `the server does not accept the credentials of this context (401); they are fixed in the kubeconfig${ended}, so they must be renewed there`;
  }

  /**
   * Milliseconds that the server's clock is ahead of ours, as its last Date header told (exact to a second). Ages are
   * differences of the server's own times, so a wrong clock here must not make them wrong.
   */
  get clockSkew(): number {
    return this.#skew;
  }

  /** Ends every connection. A later request opens new ones. */
  close(): void {
    this.#agent?.destroy();
    this.#agent = null;
  }

  #sendAs({ path, patch: body, ...question }: Question, credential: Credential): Promise<Answer> {
    const options = { ...question, headers: credential.headers };
    const agent = this.#agentWith(credential);
    if (body === undefined) return get(this.endpoint, agent, path, options);
    return patch(this.endpoint, agent, path, { ...options, patch: body });
  }

  async #send(question: Question, credential: Credential): Promise<Answer> {
    const answer = await this.#sendAs(question, credential);
    const date = Date.parse(answer.headers.date ?? "");
    if (!Number.isNaN(date)) this.#skew = Math.abs(date - this.#now()) < 2000 ? 0 : date - this.#now();
    return answer;
  }

  /** The pool; a new client certificate makes a new one. */
  #agentWith(credential: Credential): Agent {
    const certificate = credential.clientCertificate;
    const mark = certificate === null ? "" : `${certificate.cert}\n${certificate.key}`;
    if (this.#agent === null || mark !== this.#certificate) {
      this.#agent?.destroy();
      const tls = certificate === null ? this.endpoint.tls : { ...this.endpoint.tls, ...certificate };
      this.#agent = null;
      try {
        this.#agent = agentFor({ ...this.endpoint, tls });
      } catch (error) {
        throw connectionError(this.endpoint, error instanceof Error ? error : new Error(String(error)));
      }
      this.#certificate = mark;
    }
    return this.#agent;
  }

  async #accepted(answer: Answer, deadline: number): Promise<Answer> {
    if (answer.status === 200) return answer;
    const wait = retryAfter(answer.headers["retry-after"], this.#now());
    const status = describe(await readError(answer.body, deadline));
    throw new ApiError(
      answer.status,
      status.reason,
      status.message || `HTTP ${answer.status}`,
      wait ?? status.retryAfter,
    );
  }
}

/** What comes of an error's body within `deadline` milliseconds; the status alone is answer enough. */
async function readError(body: Readable, deadline: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  const timer = setTimeout(() => body.destroy(), deadline);
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > LONGEST_ERROR) break;
    }
  } catch {
    // A body that breaks off still has its status line, and what came of it.
  } finally {
    clearTimeout(timer);
  }
  return Buffer.concat(chunks);
}

/** What an error body says, whether it is a protobuf Status, a JSON Status or a page of some gateway. */
function describe(body: Buffer): { reason: string; message: string; retryAfter: number | null } {
  const status = readStatus(new WireDecoder(new StringReader()), body) ?? parseJson(body);
  if (status === null) return { reason: "", message: body.toString("utf8").trim().slice(0, QUOTED), retryAfter: null };
  const text = (value: unknown): string => (typeof value === "string" ? value : "");
  const details = status.details;
  const seconds =
    typeof details === "object" && details !== null && "retryAfterSeconds" in details
      ? details.retryAfterSeconds
      : null;
  return {
    reason: text(status.reason),
    message: text(status.message),
    retryAfter: typeof seconds === "number" && seconds > 0 ? seconds * 1000 : null,
  };
}

/** A JSON object's own fields, or null where the text is none: the caller quotes the text instead. */
function parseJson(body: Buffer): Record<string, unknown> | null {
  const text = body.toString("utf8");
  if (!text.trimStart().startsWith("{")) return null;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? { ...value } : null;
  } catch {
    return null;
  }
}
