// Live cluster, credentials: a client certificate beside whatever else a user sends. One that lies in files is read
// again now and then: something renews it there. Source: k8s.io/client-go/transport cert_rotation.go.
import type { Credential, CredentialSource } from "./credential.ts";
import { certificateExpiry } from "./expiry.ts";

export interface CertificatePair {
  /** PEM. */
  readonly cert: string;
  readonly key: string;
}

/** Milliseconds a pair that was read is used before the files are read again. */
const REREAD = 60_000;

interface Held {
  readonly base: Credential;
  readonly pair: CertificatePair;
  readonly credential: Credential;
}

export class ClientCertificate implements CredentialSource {
  readonly #inner: CredentialSource;
  readonly #read: () => Promise<CertificatePair>;
  readonly #fromFiles: boolean;
  readonly #now: () => number;
  #pair: { readonly pair: CertificatePair; readonly readAt: number };
  #held: Held | null = null;

  /**
   * `inner` gives the headers; `read` the pair as it is now, of which `first` is known already; `now` is the wall clock in
   * milliseconds.
   */
  constructor(
    inner: CredentialSource,
    first: CertificatePair,
    read: (() => Promise<CertificatePair>) | null,
    now: () => number,
  ) {
    this.#inner = inner;
    this.#read = read ?? (() => Promise.resolve(first));
    this.#fromFiles = read !== null;
    this.#now = now;
    this.#pair = { pair: first, readAt: now() };
  }

  async current(signal: AbortSignal): Promise<Credential> {
    const base = await this.#inner.current(signal);
    const pair = await this.#current();
    const held = this.#held;
    if (held !== null && held.base === base && held.pair === pair) return held.credential;
    const credential = { headers: base.headers, clientCertificate: base.clientCertificate ?? pair };
    this.#held = { base, pair, credential };
    return credential;
  }

  renewable(): boolean {
    return this.#fromFiles || this.#inner.renewable();
  }

  drop(refused: Credential): void {
    if (this.#held?.credential !== refused) return;
    this.#inner.drop(this.#held.base);
    this.#pair = { ...this.#pair, readAt: Number.NEGATIVE_INFINITY };
    this.#held = null;
  }

  expires(): number | null {
    return this.#inner.expires() ?? certificateExpiry(this.#pair.pair.cert);
  }

  /** The same object while the files hold the same: a new one costs every connection. */
  async #current(): Promise<CertificatePair> {
    const { pair, readAt } = this.#pair;
    if (!this.#fromFiles || this.#now() - readAt < REREAD) return pair;
    const read = await this.#read();
    const same = read.cert === pair.cert && read.key === pair.key;
    this.#pair = { pair: same ? pair : read, readAt: this.#now() };
    return this.#pair.pair;
  }
}
