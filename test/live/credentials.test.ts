// Credentials of a kubeconfig user: plugins that wait, fail, or are not found; token files; relative paths.
import { chmod, mkdir, mkdtemp, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type ConnectSurroundings, connect } from "../../server/src/cluster/live/kubeconfig/connection.ts";
import { mergeKubeconfig } from "../../server/src/cluster/live/kubeconfig/merge.ts";
import { readKubeconfig } from "../../server/src/cluster/live/kubeconfig/read.ts";

let folder = "";
const output: string[] = [];
let now = Date.parse("2026-03-02T10:00:00Z");

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "taintwise-credentials-"));
  output.length = 0;
  now = Date.parse("2026-03-02T10:00:00Z");
});
afterEach(() => rm(folder, { recursive: true }));

const around: ConnectSurroundings = {
  environment: { PATH: process.env.PATH, FROM_EDITOR: "yes" },
  extraPath: [],
  deadline: 4_000,
  now: () => now,
  onOutput: (line) => output.push(line),
  allowed: () => true,
  mayUsePlainHttp: () => false,
};

/** Writes an executable plugin: a shell script. */
async function plugin(name: string, body: string): Promise<void> {
  await mkdir(join(folder, "bin"), { recursive: true });
  await writeFile(join(folder, "bin", name), `#!/bin/sh\n${body}\n`);
  await chmod(join(folder, "bin", name), 0o755);
}

const printToken = (token: string, expires = "") =>
  `echo '{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","status":{"token":"${token}"${expires === "" ? "" : `,"expirationTimestamp":"${expires}"`}}}'`;

/** The connection of the one context of a kubeconfig in the test's folder. */
function connection(user: string, surroundings: Partial<ConnectSurroundings> = {}, server = "https://127.0.0.1:1") {
  const text = `clusters: [{name: c, cluster: {server: "${server}"}}]
contexts: [{name: x, context: {cluster: c, user: u}}]
users: [{name: u, user: ${user}}]
`;
  const context = mergeKubeconfig([readKubeconfig(text, join(folder, "config"))]).contexts[0];
  if (context === undefined) throw new Error("no context");
  return connect(context, { ...around, ...surroundings });
}

const exec = (command: string, more = "") =>
  `{exec: {apiVersion: client.authentication.k8s.io/v1, interactiveMode: Never, command: ${command}${more}}}`;

async function headers(user: string, surroundings: Partial<ConnectSurroundings> = {}) {
  const { credentials } = await connection(user, surroundings);
  return (await credentials.current(new AbortController().signal)).headers;
}

describe("exec plugins", () => {
  test("a command with a separator is relative to its kubeconfig; stdin is closed and it is told that nobody is there", async () => {
    await plugin(
      "login",
      `cat >/dev/null; printf '%s' "$KUBERNETES_EXEC_INFO $FROM_EDITOR $EXTRA" > "$(dirname "$0")/seen"; ${printToken("A")}`,
    );
    expect(await headers(exec("./bin/login", ", env: [{name: EXTRA, value: more}]"))).toEqual({
      authorization: "Bearer A",
    });
    const seen = await readFile(join(folder, "bin/seen"), "utf8");
    expect(seen).toContain('"interactive":false');
    expect(seen).toMatch(/ yes more$/);
  });

  test("parallel requests wait for one run; a credential is used until shortly before its end", async () => {
    await plugin("login", `echo run >> "$(dirname "$0")/runs"; sleep 0.2; ${printToken("A", "2026-03-02T10:10:00Z")}`);
    const { credentials } = await connection(exec("./bin/login"));
    const signal = new AbortController().signal;
    await Promise.all([1, 2, 3, 4, 5].map(() => credentials.current(signal)));
    now = Date.parse("2026-03-02T10:09:00Z");
    await credentials.current(signal);
    const runs = async () => (await readFile(join(folder, "bin/runs"), "utf8")).trim().split("\n").length;
    expect(await runs()).toBe(1);
    now = Date.parse("2026-03-02T10:09:45Z");
    await credentials.current(signal);
    expect(await runs()).toBe(2);
  });

  test("what it writes to stderr is handed on as it comes, and one that waits is stopped", async () => {
    await plugin("device", 'echo "open https://login.example and enter ABCD" >&2; exec sleep 30');
    await expect(headers(exec("./bin/device"), { deadline: 500 })).rejects.toThrow(
      'the credential plugin "./bin/device" did not finish within 0.5 s and was stopped: open https://login.example and enter ABCD',
    );
    expect(output).toEqual(["open https://login.example and enter ABCD"]);
  });

  test.each([
    ["exit 1", 'the credential plugin "./bin/p" ended with code 1 and said nothing'],
    ["echo 'no session' >&2; exit 3", 'the credential plugin "./bin/p" ended with code 3: no session'],
    ["echo Welcome; echo '{}'", 'the credential plugin "./bin/p" printed no ExecCredential: Welcome\n{}'],
    [
      `echo '{"kind":"ExecCredential","status":{}}'`,
      'the credential plugin "./bin/p" gave neither a token nor a certificate with its key',
    ],
  ])("a plugin that fails is told in words: %s", async (body, message) => {
    await plugin("p", body);
    await expect(headers(exec("./bin/p"))).rejects.toThrow(message);
  });

  test("one that is not found names the command, the searched PATH and the install hint", async () => {
    const user = exec("corp-login", ', installHint: "Install it with brew."');
    await expect(headers(user, { environment: { PATH: "/usr/bin:/bin" }, extraPath: ["/opt/corp"] })).rejects.toThrow(
      'the credential plugin "corp-login" was not found; searched: /opt/corp:/usr/bin:/bin. An editor started from a desktop has a shorter PATH than a terminal: add the folder to taintwise.cluster.extraPath. Install it with brew.',
    );
  });

  test("one that needs a terminal is refused with the way out", async () => {
    const user = "{exec: {apiVersion: client.authentication.k8s.io/v1, interactiveMode: Always, command: login}}";
    await expect(headers(user)).rejects.toThrow("sign in with kubectl in a terminal first");
  });

  test("a credential that says it has ended is used until the server refuses it: clocks differ", async () => {
    await plugin("login", `echo run >> "$(dirname "$0")/runs"; ${printToken("A", "2020-01-01T00:00:00Z")}`);
    const { credentials } = await connection(exec("./bin/login"));
    const { signal } = new AbortController();
    const runs = async () => (await readFile(join(folder, "bin/runs"), "utf8")).trim().split("\n").length;
    const first = await credentials.current(signal);
    for (let times = 0; times < 20; times += 1) await credentials.current(signal);
    expect(await runs()).toBe(1);
    credentials.drop(first);
    await credentials.current(signal);
    expect(await runs()).toBe(2);
  });

  test.each([
    [
      "another version",
      `echo '{"apiVersion":"client.authentication.k8s.io/v1beta1","status":{"token":"A"}}'`,
      'the credential plugin "./bin/p" answered in client.authentication.k8s.io/v1beta1, but the kubeconfig says client.authentication.k8s.io/v1',
    ],
    [
      "half a certificate",
      `echo '{"status":{"token":"A","clientCertificateData":"x"}}'`,
      'the credential plugin "./bin/p" gave a certificate or a key without the other',
    ],
  ])("an answer with %s is refused, as in kubectl", async (_what, body, message) => {
    await plugin("p", body);
    await expect(headers(exec("./bin/p"))).rejects.toThrow(message);
  });

  test.each([
    [
      "{apiVersion: client.authentication.k8s.io/v1, interactiveMode: Sometimes, command: p}",
      'has the interactiveMode "Sometimes"',
    ],
    ["{apiVersion: client.authentication.k8s.io/v1alpha1, command: p}", "speaks client.authentication.k8s.io/v1alpha1"],
    ["{apiVersion: client.authentication.k8s.io/v1, interactiveMode: Never}", "has an exec plugin without a command"],
  ])("an entry %s is refused before anything is started", async (entry, message) => {
    await expect(headers(`{exec: ${entry}}`)).rejects.toThrow(message);
  });

  test("IfAvailable and an unset mode run without a terminal", async () => {
    await plugin("p", printToken("A"));
    for (const mode of [", interactiveMode: IfAvailable", ""]) {
      const user = `{exec: {apiVersion: client.authentication.k8s.io/v1, command: ./bin/p${mode}}}`;
      expect(await headers(user)).toEqual({ authorization: "Bearer A" });
    }
  });

  test("what stands in the entry goes before the plugin, which is not started", async () => {
    await plugin("p", `echo run > "$(dirname "$0")/runs"; ${printToken("A")}`);
    const both = exec("./bin/p").replace("{exec:", "{token: T, exec:");
    expect(await headers(both)).toEqual({ authorization: "Bearer T" });
    await expect(readFile(join(folder, "bin/runs"))).rejects.toThrow("ENOENT");
  });

  test("where plugins are not allowed none is started", async () => {
    await plugin("p", 'echo run > "$(dirname "$0")/runs"');
    await expect(headers(exec("./bin/p"), { allowed: () => false })).rejects.toThrow("plugins are not allowed here");
    await expect(readFile(join(folder, "bin/runs"))).rejects.toThrow("ENOENT");
  });
});

describe("other credentials", () => {
  test("tokenFile is relative to its kubeconfig and read again when it may have changed", async () => {
    await writeFile(join(folder, "tok"), "one\n");
    const { credentials } = await connection("{tokenFile: tok}");
    const token = async () => (await credentials.current(new AbortController().signal)).headers.authorization;
    expect(await token()).toBe("Bearer one");
    await writeFile(join(folder, "tok"), "two\n");
    await utimes(join(folder, "tok"), new Date(now), new Date(now));
    expect(await token()).toBe("Bearer one");
    now += 61_000;
    expect(await token()).toBe("Bearer two");
    await writeFile(join(folder, "tok"), "three\n");
    credentials.drop(await credentials.current(new AbortController().signal));
    expect(await token()).toBe("Bearer three");
  });

  test("the token beside a tokenFile counts while the file cannot be read", async () => {
    expect(await headers("{token: inline, tokenFile: gone}")).toEqual({ authorization: "Bearer inline" });
    await writeFile(join(folder, "tok"), "from-file\n");
    expect(await headers("{token: inline, tokenFile: tok}")).toEqual({ authorization: "Bearer from-file" });
  });

  test("a password without a user is one too, and a token that no header may hold is told", async () => {
    expect(await headers("{password: p}")).toEqual({ authorization: `Basic ${Buffer.from(":p").toString("base64")}` });
    await expect(headers('{token: "two\\nlines"}')).rejects.toThrow("holds a line break");
  });

  test("impersonation keeps its groups apart", async () => {
    expect(await headers("{token: t, as: jo, as-groups: [dev, ops], as-uid: u1}")).toEqual({
      authorization: "Bearer t",
      "impersonate-user": "jo",
      "impersonate-group": ["dev", "ops"],
      "impersonate-uid": "u1",
    });
  });

  test("a certificate that is missing is told with the resolved path, for that context only", async () => {
    await expect(connection("{client-certificate: certs/me.pem, client-key: certs/me.key}")).rejects.toThrow(
      `client-certificate ${join(folder, "certs/me.pem")} (named in ${join(folder, "config")}) cannot be read`,
    );
  });

  test("a removed auth-provider says what to use instead", async () => {
    await expect(connection("{auth-provider: {name: gcp}}")).rejects.toThrow("use an exec plugin");
  });

  test("plain http to another machine needs a word first; to this machine it does not", async () => {
    await expect(connection("{token: t}", {}, "http://10.1.2.3:8001")).rejects.toThrow(
      "is plain http to another machine",
    );
    expect((await connection("{token: t}", {}, "http://127.0.0.1:8001/")).endpoint.server.href).toBe(
      "http://127.0.0.1:8001/",
    );
  });
});

describe("proxies", () => {
  const through = async (server: string, environment: Record<string, string>) =>
    (await connection("{}", { environment }, server)).endpoint.proxy?.href ?? "direct";

  test.each([
    ["https://10.9.9.9:6443", { HTTPS_PROXY: "http://p:3128" }, "http://p:3128/"],
    ["https://10.9.9.9:6443", { HTTPS_PROXY: "http://p:3128", NO_PROXY: "10.0.0.0/8" }, "direct"],
    ["https://api.corp.example", { https_proxy: "p:3128", NO_PROXY: ".corp.example" }, "direct"],
    ["https://api.corp.example", { https_proxy: "p:3128", NO_PROXY: "corp.example:8443" }, "http://p:3128/"],
    ["https://[fd00::1]:6443", { HTTPS_PROXY: "http://p:3128", NO_PROXY: "fd00::/8" }, "direct"],
    ["https://127.0.0.1:6443", { HTTPS_PROXY: "http://p:3128" }, "direct"],
    ["https://h", { HTTP_PROXY: "http://p:3128" }, "direct"],
  ])("%s with %o", async (server, environment, expected) => {
    expect(await through(server, environment)).toBe(expected);
  });
});
