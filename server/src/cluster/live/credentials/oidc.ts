// Live cluster, credentials: auth-provider oidc. The only place that loads client-node, and only when such a user is used.
import { type Credential, CredentialError, type CredentialSource, type RequestHeaders } from "./credential.ts";
import { tokenExpiry } from "./expiry.ts";

export class OidcCredential implements CredentialSource {
  readonly #config: Readonly<Record<string, string>>;
  readonly #headers: RequestHeaders;
  readonly #environment: Readonly<Record<string, string | undefined>>;
  #renewed: Record<string, string>;
  #running: Promise<Credential> | null = null;

  /**
   * `config` is the flat configuration of the auth-provider; `headers` are sent beside the token; `environment` names
   * proxies.
   */
  constructor(
    config: Readonly<Record<string, string>>,
    headers: RequestHeaders,
    environment: Readonly<Record<string, string | undefined>>,
  ) {
    this.#config = config;
    this.#environment = environment;
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
    const { renewIdentity } = await import("./oidc-provider.ts");
    const refreshToken = this.#renewed["refresh-token"] ?? "";
    // The library renews only what it has; kubectl also begins with a refresh token alone.
    const idToken = this.#renewed["id-token"] || (refreshToken === "" ? "" : expiredToken());
    const config: Record<string, string> = { ...this.#renewed, "id-token": idToken };
    const user = { name: "", authProvider: { name: "oidc", config } };
    const options: { headers: Record<string, string> } = { headers: {} };
    const provider = {
      refresh: async (token: string) => {
        const renewed = await renewIdentity(config, token, this.#environment);
        return { ...renewed, expires_at: (tokenExpiry(renewed.id_token) ?? 0) / 1000 };
      },
    };
    try {
      await new OpenIDConnectAuth().applyAuthentication(user, options, provider);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      throw new CredentialError(
        `the identity provider ${this.#config["idp-issuer-url"] ?? ""} gave no new token: ${message}`,
      );
    }
    // A provider that gives no new refresh token means the old one to stay.
    this.#renewed = { ...config, "refresh-token": config["refresh-token"] || refreshToken };
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
