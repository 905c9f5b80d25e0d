// Live cluster, credentials: what proves to the API server who asks; types only.

/** Headers of a request; a list is sent as the header repeated (Impersonate-Group). */
export type RequestHeaders = Readonly<Record<string, string | string[]>>;

export interface Credential {
  /** Authorization and impersonation headers. */
  readonly headers: RequestHeaders;
  /** A client certificate and key in PEM; null when none is used. */
  readonly clientCertificate: { readonly cert: string; readonly key: string } | null;
}

/** Gives the credential of one user entry; every request of a context shares one source. */
export interface CredentialSource {
  /**
   * The credential to use now. Parallel callers wait for the same renewal.
   * @throws CredentialError when there is none; a person has to act before another try helps.
   */
  current(signal: AbortSignal): Promise<Credential>;
  /** False when the credential is fixed and asking again after a 401 is useless. */
  renewable(): boolean;
  /** Called after a 401: forgets `refused`, unless a newer one has taken its place meanwhile. */
  drop(refused: Credential): void;
  /** Milliseconds since the epoch at which the credential says it ends; null when it does not say. */
  expires(): number | null;
}

/** No credential can be had. `message` is a sentence that says what to do. */
export class CredentialError extends Error {
  override readonly name = "CredentialError";
}
