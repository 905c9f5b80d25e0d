// Live cluster, kubeconfig: a context as an endpoint and a source of credentials. Certificates are read here, at connect
// time and for this context only; relative paths start at the folder of the file that names them.
import { readFile } from "node:fs/promises";
import { dirname, isAbsolute, resolve } from "node:path";
import { type CertificatePair, ClientCertificate } from "../credentials/client-certificate.ts";
import { CredentialError, type CredentialSource, type RequestHeaders } from "../credentials/credential.ts";
import { ExecPlugin, type ExecSurroundings } from "../credentials/exec-plugin.ts";
import { certificateExpiry, tokenExpiry, tokenFault } from "../credentials/expiry.ts";
import { FixedCredential, TokenFile } from "../credentials/fixed.ts";
import { OidcCredential } from "../credentials/oidc.ts";
import { describeUrl, type Endpoint, type TlsSettings } from "../transport/endpoint.ts";
import { chooseProxy, isLoopback } from "../transport/proxy.ts";
import type { ClusterEntry, UserEntry } from "./entry.ts";
import { type KubeContext, serverUrl } from "./merge.ts";

export interface Connection {
  readonly endpoint: Endpoint;
  readonly credentials: CredentialSource;
}

export interface ConnectSurroundings extends ExecSurroundings {
  /** Whether plain http to another machine, the URL given, was confirmed. */
  readonly mayUsePlainHttp: (server: string) => boolean | Promise<boolean>;
}

/**
 * Prepares the connection of a context; contacts nothing and starts no plugin.
 * @throws CredentialError with a sentence when the context cannot be used.
 */
export async function connect(context: KubeContext, around: ConnectSurroundings): Promise<Connection> {
  if (context.unusable !== null || context.cluster === null) {
    throw new CredentialError(
      `the context "${context.name}" cannot be used: ${context.unusable ?? "it has no cluster"}`,
    );
  }
  const { cluster, user } = context;
  const url = serverUrl(cluster);
  if (url === null) throw new CredentialError(`the server "${cluster.server}" is no http(s) URL`);
  const server = new URL(url.href.replace(/\/+$/, ""));
  const plain = server.protocol === "http:";
  if (plain && !isLoopback(server.hostname) && !(await around.mayUsePlainHttp(describeUrl(server)))) {
    throw new CredentialError(
      `${describeUrl(server)} is plain http to another machine: everything could be read and changed on the way, so it must be allowed first (on the command line: --plain-http)`,
    );
  }
  const choice = chooseProxy(server, cluster.proxyUrl, around.environment);
  if (choice.problem !== null) throw new CredentialError(choice.problem);
  const proxy = { proxy: choice.proxy, proxyFrom: choice.from };
  if (plain) {
    // As kubectl: what proves who asks is sent under TLS only, and no plugin is run for it.
    const credentials = new FixedCredential(user === null ? {} : impersonationHeaders(user));
    return { endpoint: { server, tls: NO_TLS, ...proxy }, credentials };
  }
  const endpoint = { server, tls: await tlsSettings(cluster), ...proxy };
  const credentials = credentialSource(user, endpoint, around);
  return { endpoint, credentials: user === null ? credentials : await withCertificate(user, credentials, around) };
}

const NO_TLS: TlsSettings = { ca: null, cert: null, key: null, serverName: "", skipVerify: false };

async function tlsSettings(cluster: ClusterEntry): Promise<TlsSettings> {
  const { certificateAuthorityData, certificateAuthority, path, insecureSkipTlsVerify, tlsServerName } = cluster;
  if (insecureSkipTlsVerify && (certificateAuthorityData !== "" || certificateAuthority !== "")) {
    throw new CredentialError(
      `cluster "${cluster.name}" (${path}) names a certificate authority and insecure-skip-tls-verify; kubectl refuses both together: remove one`,
    );
  }
  const ca = await material(certificateAuthorityData, certificateAuthority, path, "certificate-authority");
  if (ca !== null && certificateExpiry(ca) === null) {
    throw new CredentialError(`the certificate authority of cluster "${cluster.name}" (${path}) is no certificate`);
  }
  return { ...NO_TLS, ca, serverName: tlsServerName, skipVerify: insecureSkipTlsVerify };
}

/** Adds the client certificate of the user entry, where it has one. */
async function withCertificate(
  user: UserEntry,
  credentials: CredentialSource,
  around: ConnectSurroundings,
): Promise<CredentialSource> {
  const read = async (): Promise<CertificatePair | null> => {
    const cert = await material(user.clientCertificateData, user.clientCertificate, user.path, "client-certificate");
    const key = await material(user.clientKeyData, user.clientKey, user.path, "client-key");
    if (cert === null) return null;
    if (key !== null) return { cert, key };
    throw new CredentialError(`user "${user.name}" (${user.path}) has a client certificate without its client-key`);
  };
  const first = await read();
  if (first === null) return credentials;
  const fromFiles = user.clientCertificateData === "" || user.clientKeyData === "";
  const again = async (): Promise<CertificatePair> => (await read()) ?? first;
  return new ClientCertificate(credentials, first, fromFiles ? again : null, around.now);
}

/**
 * PEM from base64 data, else from a file; the data wins (kubectl refuses both together).
 * @throws CredentialError when the file cannot be read, or either holds no PEM.
 */
async function material(data: string, file: string, origin: string, field: string): Promise<string | null> {
  if (data === "" && file === "") return null;
  const path = absolute(file, origin);
  const place = data === "" ? `${field} ${path} (named in ${origin})` : `${field}-data in ${origin}`;
  const text = data === "" ? await readMaterial(path, place) : Buffer.from(data, "base64").toString("utf8");
  if (!text.includes("-----BEGIN ")) throw new CredentialError(`${place} holds no PEM (-----BEGIN …)`);
  return text;
}

async function readMaterial(path: string, place: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new CredentialError(`${place} cannot be read: ${message}`);
  }
}

function absolute(path: string, origin: string): string {
  return isAbsolute(path) ? path : resolve(dirname(origin), path);
}

/**
 * What stands in the entry itself goes before what has to be asked for: a plugin leaves a request that says who it is
 * alone. Source: k8s.io/client-go/tools/clientcmd getUserIdentificationPartialConfig, transport HTTPWrappersForConfig.
 */
function credentialSource(user: UserEntry | null, endpoint: Endpoint, around: ConnectSurroundings): CredentialSource {
  if (user === null) return new FixedCredential({});
  const impersonation = impersonationHeaders(user);
  const fault = tokenFault(user.token);
  if (fault !== null) throw new CredentialError(`the token of user "${user.name}" (${user.path}) ${fault}`);
  if (user.tokenFile !== "") {
    return new TokenFile(absolute(user.tokenFile, user.path), user.token, impersonation, around.now);
  }
  if (user.token !== "") {
    return new FixedCredential({ ...impersonation, authorization: `Bearer ${user.token}` }, tokenExpiry(user.token));
  }
  if (user.username !== "" || user.password !== "") {
    const basic = Buffer.from(`${user.username}:${user.password}`).toString("base64");
    return new FixedCredential({ ...impersonation, authorization: `Basic ${basic}` });
  }
  if (user.exec !== null) return new ExecPlugin(user.exec, user.path, endpoint, impersonation, around);
  if (user.authProvider === null) return new FixedCredential(impersonation);
  if (user.authProvider.name === "oidc")
    return new OidcCredential(user.authProvider.config, impersonation, around.environment);
  throw new CredentialError(
    `the auth-provider "${user.authProvider.name}" was removed from Kubernetes in 1.26: use an exec plugin (kubelogin, gke-gcloud-auth-plugin)`,
  );
}

/** Source: k8s.io/client-go/transport impersonatingRoundTripper, headerKeyEscape. */
function impersonationHeaders(user: UserEntry): RequestHeaders {
  if (user.impersonate === "") return {};
  const extra = Object.entries(user.impersonateExtra).map(([key, values]): [string, string[]] => [
    `impersonate-extra-${encodeURIComponent(key.toLowerCase()).replace(/[()]/g, (sign) => (sign === "(" ? "%28" : "%29"))}`,
    values.map(asHeader),
  ]);
  return {
    "impersonate-user": asHeader(user.impersonate),
    ...(user.impersonateGroups.length === 0 ? {} : { "impersonate-group": user.impersonateGroups.map(asHeader) }),
    ...(user.impersonateUid === "" ? {} : { "impersonate-uid": asHeader(user.impersonateUid) }),
    ...Object.fromEntries(extra),
  };
}

/** UTF-8 in a header, as Go writes it: Node writes each character as one byte. */
function asHeader(text: string): string {
  return Buffer.from(text, "utf8").toString("latin1");
}
