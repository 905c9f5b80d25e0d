// Live cluster, credentials: auth-provider oidc. The only place that loads client-node, and only when such a user is used.
import { type Credential, CredentialError, type CredentialSource, type RequestHeaders } from "./credential.ts";
import { tokenExpiry } from "./expiry.ts";

export class OidcCredential implements CredentialSource {
  readonly #config: Readonly<Record<string, string>>;
  readonly #headers: RequestHeaders;
  #renewed: Record<string, string>;
  #running: Promise<Credential> | null = null;

  /** `config` is the flat configuration of the auth-provider; `headers` are sent beside the token. */
  constructor(config: Readonly<Record<string, string>>, headers: RequestHeaders) {
    this.#config = config;
    this.#renewed = { ...config };
    this.#headers = headers;
  }

  current(): Promise<Credential> {
    this.#running ??= this.#token().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  /** A refresh token can be traded for a new identity; without one the kubeconfig must be renewed. */
  renewable(): boolean {
    return (this.#config["refresh-token"] ?? "") !== "";
  }

  drop(refused: Credential): void {
    if (refused.headers.authorization !== `Bearer ${this.#renewed["id-token"]}`) return;
    // An identity that the server refuses counts as expired, whatever its own date says.
    this.#renewed = { ...this.#renewed, "id-token": expiredToken() };
  }

  expires(): number | null {
    return tokenExpiry(this.#renewed["id-token"] ?? "");
  }

  async #token(): Promise<Credential> {
    const { OpenIDConnectAuth } = await import("@kubernetes/client-node/dist/oidc_auth.js");
    const user = { name: "", authProvider: { name: "oidc", config: this.#renewed } };
    const options: { headers: Record<string, string> } = { headers: {} };
    try {
      await new OpenIDConnectAuth().applyAuthentication(user, options);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      throw new CredentialError(
        `the identity provider ${this.#config["idp-issuer-url"] ?? ""} gave no new token: ${message}`,
      );
    }
    const authorization = options.headers.Authorization;
    if (authorization === undefined) {
      throw new CredentialError(
        "the OIDC user has no id-token, or an expired one that cannot be renewed: sign in again",
      );
    }
    return { headers: { ...this.#headers, authorization }, clientCertificate: null };
  }
}

/** An unsigned token that ended in 1970: makes the library renew. */
function expiredToken(): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  return `${part({ alg: "none" })}.${part({ exp: 1 })}.`;
}
