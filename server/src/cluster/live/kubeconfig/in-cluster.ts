// Live cluster, kubeconfig: a process in a pod without any kubeconfig reaches its own cluster by the pod's service account.
// Source: k8s.io/client-go/rest InClusterConfig, tools/clientcmd DeferredLoadingClientConfig.
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import type { KubeContext } from "./merge.ts";

/** What the context is called: nothing names it. */
export const IN_CLUSTER = "in-cluster";

/** Where a pod finds its service account. */
export const SERVICE_ACCOUNT = "/var/run/secrets/kubernetes.io/serviceaccount";

/** The context of the pod that this process runs in; null where it runs in none. `folder` holds the service account. */
export async function inClusterContext(
  environment: Readonly<Record<string, string | undefined>>,
  folder: string = SERVICE_ACCOUNT,
): Promise<KubeContext | null> {
  const host = environment.KUBERNETES_SERVICE_HOST ?? "";
  const port = environment.KUBERNETES_SERVICE_PORT ?? "";
  const tokenFile = join(folder, "token");
  if (host === "" || port === "" || !(await isFile(tokenFile))) return null;
  const ca = join(folder, "ca.crt");
  const server = `https://${host.includes(":") ? `[${host}]` : host}:${port}`;
  const common = { name: IN_CLUSTER, path: folder, damage: null };
  return {
    name: IN_CLUSTER,
    path: folder,
    namespace: await textOf(join(folder, "namespace")),
    cluster: {
      ...common,
      server,
      certificateAuthority: (await isFile(ca)) ? ca : "",
      certificateAuthorityData: "",
      insecureSkipTlsVerify: false,
      tlsServerName: "",
      proxyUrl: "",
    },
    user: {
      ...common,
      token: "",
      tokenFile,
      clientCertificate: "",
      clientCertificateData: "",
      clientKey: "",
      clientKeyData: "",
      username: "",
      password: "",
      impersonate: "",
      impersonateGroups: [],
      impersonateUid: "",
      impersonateExtra: {},
      exec: null,
      authProvider: null,
    },
    unusable: null,
  };
}

async function isFile(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile();
  } catch {
    // Not there, or not for us: either way it cannot be used.
    return false;
  }
}

async function textOf(path: string): Promise<string> {
  try {
    return (await readFile(path, "utf8")).trim();
  } catch {
    // The namespace is a convenience.
    return "";
  }
}
