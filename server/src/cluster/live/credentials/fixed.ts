// Live cluster, credentials: those that stand in the kubeconfig itself, or in a token file that something else renews.
import { readFile } from "node:fs/promises";
import { type Credential, CredentialError, type CredentialSource, type RequestHeaders } from "./credential.ts";
import { tokenExpiry, tokenFault } from "./expiry.ts";

/** A token, user and password, or a client certificate (which the endpoint carries): fixed until the file changes. */
export class FixedCredential implements CredentialSource {
  readonly #credential: Credential;
  readonly #expires: number | null;

  /** `expires` is the end that the token or certificate names, milliseconds; null without one. */
  constructor(headers: RequestHeaders, expires: number | null = null) {
    this.#credential = { headers, clientCertificate: null };
    this.#expires = expires;
  }

  current(): Promise<Credential> {
    return Promise.resolve(this.#credential);
  }

  renewable(): boolean {
    return false;
  }

  drop(): void {
    // Nothing is cached: the kubeconfig is the source.
  }

  expires(): number | null {
    return this.#expires;
  }
}

/** Milliseconds a token that was read is used before the file is read again. Source: client-go transport/token_source.go. */
const REREAD = 60_000;

/** `tokenFile`: read again every minute and after a 401. The token beside it counts where the file cannot be read. */
export class TokenFile implements CredentialSource {
  readonly #path: string;
  readonly #token: string;
  readonly #headers: RequestHeaders;
  readonly #now: () => number;
  #held: { readonly credential: Credential; readonly readAt: number } | null = null;

  /**
   * `path` is absolute; `token` is the entry's own, empty without one; `headers` are sent beside the token; `now` is the
   * wall clock in milliseconds.
   */
  constructor(path: string, token: string, headers: RequestHeaders, now: () => number) {
    this.#path = path;
    this.#token = token;
    this.#headers = headers;
    this.#now = now;
  }

  async current(): Promise<Credential> {
    const held = this.#held;
    if (held !== null && this.#now() - held.readAt < REREAD) return held.credential;
    const token = await this.#read();
    const credential = { headers: { ...this.#headers, authorization: `Bearer ${token}` }, clientCertificate: null };
    this.#held = { credential, readAt: this.#now() };
    return credential;
  }

  renewable(): boolean {
    return true;
  }

  drop(refused: Credential): void {
    if (this.#held?.credential === refused) this.#held = null;
  }

  expires(): number | null {
    const token = /^Bearer (.*)$/.exec(String(this.#held?.credential.headers.authorization ?? ""))?.[1];
    return token === undefined ? null : tokenExpiry(token);
  }

  async #read(): Promise<string> {
    try {
      const token = (await readFile(this.#path, "utf8")).trim();
      const fault = tokenFault(token);
      if (fault !== null) throw new CredentialError(`the token file ${this.#path} ${fault}`);
      if (token !== "") return token;
    } catch (error) {
      if (error instanceof CredentialError) throw error;
      if (this.#token !== "") return this.#token;
      const message = error instanceof Error ? error.message : String(error);
      throw new CredentialError(`the token file ${this.#path} cannot be read: ${message}`);
    }
    if (this.#token !== "") return this.#token;
    throw new CredentialError(`the token file ${this.#path} is empty`);
  }
}
