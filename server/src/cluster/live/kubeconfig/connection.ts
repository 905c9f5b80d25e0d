// Live cluster, kubeconfig: a context as an endpoint and a source of credentials. Certificates are read here, at connect
// time and for this context only; relative paths start at the folder of the file that names them.
import { readFile } from "node:fs/promises";
import { dirname, isAbsolute, resolve } from "node:path";
import { CredentialError, type CredentialSource, type RequestHeaders } from "../credentials/credential.ts";
import { ExecPlugin, type ExecSurroundings } from "../credentials/exec-plugin.ts";
import { certificateExpiry, tokenExpiry, tokenFault } from "../credentials/expiry.ts";
import { FixedCredential, TokenFile } from "../credentials/fixed.ts";
import { OidcCredential } from "../credentials/oidc.ts";
import type { Endpoint, TlsSettings } from "../transport/endpoint.ts";
import { chooseProxy, isLoopback } from "../transport/proxy.ts";
import type { ClusterEntry, UserEntry } from "./entry.ts";
import type { KubeContext } from "./merge.ts";

export interface Connection {
  readonly endpoint: Endpoint;
  readonly credentials: CredentialSource;
}

export interface ConnectSurroundings extends ExecSurroundings {
  /** Whether plain http to another machine was confirmed for this context. */
  readonly plainHttpAllowed: boolean;
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
  const server = new URL(cluster.server.replace(/\/+$/, ""));
  const plain = server.protocol === "http:";
  if (plain && !isLoopback(server.hostname) && !around.plainHttpAllowed) {
    throw new CredentialError(
      `${cluster.server} is plain http to another machine: everything, tokens too, would be readable on the way`,
    );
  }
  const choice = chooseProxy(server, cluster.proxyUrl, around.environment);
  if (choice.problem !== null) throw new CredentialError(choice.problem);
  const endpoint = { server, tls: await tlsSettings(cluster, user), proxy: choice.proxy, proxyFrom: choice.from };
  return { endpoint, credentials: credentialSource(user, endpoint, around) };
}

async function tlsSettings(cluster: ClusterEntry, user: UserEntry | null): Promise<TlsSettings> {
  const ca = await material(
    cluster.certificateAuthorityData,
    cluster.certificateAuthority,
    cluster.path,
    "certificate-authority",
  );
  const cert =
    user === null
      ? null
      : await material(user.clientCertificateData, user.clientCertificate, user.path, "client-certificate");
  const key = user === null ? null : await material(user.clientKeyData, user.clientKey, user.path, "client-key");
  return { ca, cert, key, serverName: cluster.tlsServerName, skipVerify: cluster.insecureSkipTlsVerify };
}

/** PEM from base64 data, else from a file; the data wins, as in kubectl. */
async function material(data: string, file: string, origin: string, field: string): Promise<string | null> {
  if (data !== "") return Buffer.from(data, "base64").toString("utf8");
  if (file === "") return null;
  const path = absolute(file, origin);
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new CredentialError(`${field} ${path} (named in ${origin}) cannot be read: ${message}`);
  }
}

function absolute(path: string, origin: string): string {
  return isAbsolute(path) ? path : resolve(dirname(origin), path);
}

/** Source of the order: k8s.io/client-go/tools/clientcmd getUserIdentificationPartialConfig; exec excludes the others. */
function credentialSource(user: UserEntry | null, endpoint: Endpoint, around: ConnectSurroundings): CredentialSource {
  if (user === null) return new FixedCredential({});
  const impersonation = impersonationHeaders(user);
  if (user.exec !== null) return new ExecPlugin(user.exec, user.path, endpoint, impersonation, around);
  if (user.tokenFile !== "") return new TokenFile(absolute(user.tokenFile, user.path), impersonation, around.now);
  if (user.token !== "") {
    const fault = tokenFault(user.token);
    if (fault !== null) throw new CredentialError(`the token of user "${user.name}" (${user.path}) ${fault}`);
    return new FixedCredential({ ...impersonation, authorization: `Bearer ${user.token}` }, tokenExpiry(user.token));
  }
  if (user.authProvider !== null) {
    if (user.authProvider.name === "oidc") return new OidcCredential(user.authProvider.config, impersonation);
    throw new CredentialError(
      `the auth-provider "${user.authProvider.name}" was removed from Kubernetes in 1.26: use an exec plugin (kubelogin, gke-gcloud-auth-plugin)`,
    );
  }
  if (user.username !== "") {
    const basic = Buffer.from(`${user.username}:${user.password}`).toString("base64");
    return new FixedCredential({ ...impersonation, authorization: `Basic ${basic}` });
  }
  const { cert } = endpoint.tls;
  return new FixedCredential(impersonation, cert === null ? null : certificateExpiry(cert));
}

/** Source: k8s.io/client-go/transport ImpersonationConfig. */
function impersonationHeaders(user: UserEntry): RequestHeaders {
  if (user.impersonate === "") return {};
  const extra = Object.entries(user.impersonateExtra).map(([key, values]): [string, string[]] => [
    `impersonate-extra-${encodeURIComponent(key.toLowerCase())}`,
    [...values],
  ]);
  return {
    "impersonate-user": user.impersonate,
    ...(user.impersonateGroups.length === 0 ? {} : { "impersonate-group": [...user.impersonateGroups] }),
    ...(user.impersonateUid === "" ? {} : { "impersonate-uid": user.impersonateUid }),
    ...Object.fromEntries(extra),
  };
}
