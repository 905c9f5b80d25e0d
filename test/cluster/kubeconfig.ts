// How the users of a test cluster are told apart, and the kubeconfig of each.

/** A user that the API server knows by token. */
export interface TokenUser {
  readonly name: string;
  readonly token: string;
  readonly groups?: readonly string[];
}

/** The API server's static token file: token,user,uid,"group,group". */
export function tokenFile(users: readonly TokenUser[]): string {
  return users.map((user) => `${user.token},${user.name},${user.name},"${(user.groups ?? []).join(",")}"\n`).join("");
}

/** A kubeconfig with one context, `test`. */
export function kubeconfig(server: string, caPath: string, user: string, token: string): string {
  return `apiVersion: v1
kind: Config
current-context: test
clusters:
- name: test
  cluster:
    server: ${server}
    certificate-authority: ${caPath}
users:
- name: ${user}
  user:
    token: ${token}
contexts:
- name: test
  context:
    cluster: test
    user: ${user}
`;
}

/** One context of a kubeconfig that a test writes. */
export interface TestContext {
  readonly name: string;
  /** https://127.0.0.1:PORT */
  readonly server: string;
  readonly caPath: string;
  readonly token: string;
}

/** A kubeconfig with these contexts; the first is the current one. */
export function kubeconfigOf(contexts: readonly TestContext[]): string {
  const list = (title: string, items: readonly object[]) =>
    `${title}:\n${items.map((item) => `- ${JSON.stringify(item)}\n`).join("")}`;
  const [first] = contexts;
  return [
    `apiVersion: v1\nkind: Config\ncurrent-context: ${first?.name ?? ""}\n`,
    list(
      "clusters",
      contexts.map(({ name, server, caPath }) => ({ name, cluster: { server, "certificate-authority": caPath } })),
    ),
    list(
      "users",
      contexts.map(({ name, token }) => ({ name, user: { token } })),
    ),
    list(
      "contexts",
      contexts.map(({ name }) => ({ name, context: { cluster: name, user: name } })),
    ),
  ].join("");
}
