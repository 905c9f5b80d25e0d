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
