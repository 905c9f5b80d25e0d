// Real connections: names in certificates, authorities, client certificates and proxies, all on loopback. Lists and
// watches must go the same way, so every test follows nodes until a change came through the watch.
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { ConnectSurroundings } from "../../server/src/cluster/live/kubeconfig/connection.ts";
import {
  type Answer,
  type ApiServer,
  frame,
  list,
  node,
  openWatch,
  type ServerTls,
  startApiServer,
  status,
} from "./api-server.ts";
import { type Authority, createAuthority } from "./certificates.ts";
import { connectionOf, eventually, type Following, follow } from "./following.ts";
import { startHttpProxy, startSocksProxy, type TestProxy } from "./proxies.ts";

let authority: Authority;
let folder = "";
const ends: (() => Promise<unknown>)[] = [];
beforeAll(() => {
  authority = createAuthority("Test authority");
});
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "taintwise-connections-"));
  await writeFile(join(folder, "ca.pem"), authority.cert);
});
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
  await rm(folder, { recursive: true });
});

/** Nodes: a in the list, b by the watch. */
const nodes: Answer = (request, response) => {
  if (!request.watch) return list(response, "10", [node("a", "1")]);
  openWatch(response);
  frame(response, "ADDED", node("b", "11"));
};

async function serve(tls?: ServerTls, answer: Answer = nodes): Promise<ApiServer> {
  const server = await startApiServer(answer, tls);
  ends.push(() => server.stop());
  return server;
}

const kubeconfig = (cluster: string, user = "{token: t}"): string => `clusters: [{name: c, cluster: ${cluster}}]
contexts: [{name: x, context: {cluster: c, user: ${user === "" ? '""' : "u"}}}]
users: [{name: u, user: ${user === "" ? "{}" : user}}]
`;

async function followed(text: string, around: Partial<ConnectSurroundings> = {}): Promise<Following> {
  const connection = await connectionOf(text, folder, around);
  const following = follow("", { connection, limits: { deadline: 4_000, silence: 4_000 } });
  ends.push(() => following.stop());
  return following;
}

/** Follows until the change of the watch is there. */
async function whole(text: string, around: Partial<ConnectSurroundings> = {}): Promise<Following> {
  const following = await followed(text, around);
  await following.until("a and b", (model) => [...model.nodes.keys()].join(" ") === "a b");
  return following;
}

/** What the state says after the first failure. */
const failure = async (text: string, around: Partial<ConnectSurroundings> = {}): Promise<string> =>
  (await followed(text, around)).untilState("nodes", "waiting");

const trusting = (server: string, more = ""): string =>
  `{server: "${server}", certificate-authority: ca.pem${more === "" ? "" : `, ${more}`}}`;

describe("names and authorities", () => {
  test("tls-server-name is the name that is checked, with and without a user", async () => {
    const server = await serve(authority.sign("kube", ["kube.internal"]));
    const named = trusting(server.url, "tls-server-name: kube.internal");
    await whole(kubeconfig(named));
    await whole(kubeconfig(named, ""));
    expect(await failure(kubeconfig(trusting(server.url)))).toMatch(
      /the server's certificate is for another name: .*IP/,
    );
  });

  test("an authority that is not named, a certificate that ended and one without an authority are told apart", async () => {
    const strange = await serve(createAuthority("Another").sign("kube", ["127.0.0.1"]));
    expect(await failure(kubeconfig(trusting(strange.url)))).toContain(
      "the server's certificate is not signed by an authority that the kubeconfig names",
    );
    expect(await failure(kubeconfig(`{server: "${strange.url}"}`))).toContain("is not signed by an authority");
    await whole(kubeconfig(`{server: "${strange.url}", insecure-skip-tls-verify: true}`, ""));
    const ended = await serve(authority.sign("kube", ["127.0.0.1"], -1));
    expect(await failure(kubeconfig(trusting(ended.url)))).toContain("the server's certificate has expired");
  });

  test.each([
    [
      "{server: 'https://h', certificate-authority: ca.pem, insecure-skip-tls-verify: true}",
      "{}",
      "kubectl refuses both together: remove one",
    ],
    ["{server: 'https://h', certificate-authority-data: QUJDQUJD}", "{}", "holds no PEM"],
    [
      `{server: 'https://h', certificate-authority-data: ${Buffer.from("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n").toString("base64")}}`,
      "{}",
      "is no certificate",
    ],
    ["{server: 'https://h'}", "{client-certificate: ca.pem}", "has a client certificate without its client-key"],
    ["{server: 'https://h'}", "{token: t, as-groups: [admins]}", 'as-groups needs "as": a user to act as'],
  ])("%s with %s is refused with the reason", async (cluster, user, reason) => {
    await expect(connectionOf(kubeconfig(cluster, user), folder)).rejects.toThrow(reason);
  });

  test("a server without a scheme is https where certificates are spoken of", async () => {
    const server = await serve(authority.sign("kube", ["127.0.0.1"]));
    await whole(kubeconfig(trusting(`127.0.0.1:${server.port}`)));
  });

  test("a slash at the end and a prefix make the right paths", async () => {
    const server = await serve(authority.sign("kube", ["127.0.0.1"]));
    await whole(kubeconfig(trusting(`${server.url}/`)));
    await whole(kubeconfig(trusting(`${server.url}/k8s/clusters/c-abc/`)));
    expect(new Set(server.requests.map((request) => request.path))).toEqual(
      new Set(["/api/v1/nodes", "/k8s/clusters/c-abc/api/v1/nodes", "/k8s/clusters/c-abc/version"]),
    );
  });
});

describe("who asks", () => {
  test("a client certificate is sent; one that is renewed in its files is used after the old one is refused", async () => {
    const renew = async (name: string): Promise<void> => {
      const { cert, key } = authority.sign(name);
      await Promise.all([writeFile(join(folder, "me.pem"), cert), writeFile(join(folder, "me.key"), key)]);
    };
    await renew("old");
    let accepted = "old";
    const streams: ServerResponse[] = [];
    const answer: Answer = (request, response) => {
      if (request.client !== accepted) return status(response, 401, "Unauthorized", "who?");
      nodes(request, response);
      if (request.watch) streams.push(response);
    };
    const server = await serve({ ...authority.sign("kube", ["127.0.0.1"]), clientAuthority: authority.cert }, answer);
    await whole(kubeconfig(trusting(server.url), "{client-certificate: me.pem, client-key: me.key}"));
    await renew("new");
    accepted = "new";
    streams[0]?.end();
    await eventually(
      "the new certificate",
      () => server.requests.find((request) => request.client === "new") ?? null,
      () => JSON.stringify(server.requests.map((request) => request.client)),
    );
  });

  test("a plugin may give a client certificate instead of a token", async () => {
    const { cert, key } = authority.sign("plugin");
    const credential = {
      apiVersion: "client.authentication.k8s.io/v1",
      kind: "ExecCredential",
      status: { clientCertificateData: cert, clientKeyData: key },
    };
    await writeFile(join(folder, "credential"), JSON.stringify(credential));
    await writeFile(join(folder, "plugin"), `#!/bin/sh\ncat "${join(folder, "credential")}"\n`);
    await chmod(join(folder, "plugin"), 0o755);
    const server = await serve({ ...authority.sign("kube", ["127.0.0.1"]), clientAuthority: authority.cert });
    const user = "{exec: {apiVersion: client.authentication.k8s.io/v1, interactiveMode: Never, command: ./plugin}}";
    await whole(kubeconfig(trusting(server.url), user));
    expect(server.requests.every((request) => request.client === "plugin")).toBe(true);
    expect(server.requests.every((request) => request.headers.authorization === undefined)).toBe(true);
  });

  test("plain http to this machine gets neither token nor plugin, as with kubectl proxy", async () => {
    await writeFile(join(folder, "plugin"), `#!/bin/sh\ntouch "${join(folder, "ran")}"\n`);
    await chmod(join(folder, "plugin"), 0o755);
    const server = await serve();
    await whole(kubeconfig(`{server: "${server.url}"}`, "{token: secret, as: jo}"));
    await whole(
      kubeconfig(
        `{server: "${server.url}"}`,
        "{exec: {apiVersion: client.authentication.k8s.io/v1, interactiveMode: Never, command: ./plugin}}",
      ),
    );
    expect(server.requests.every((request) => request.headers.authorization === undefined)).toBe(true);
    expect(server.requests[0]?.headers["impersonate-user"]).toBe("jo");
    await expect(readFile(join(folder, "ran"))).rejects.toThrow("ENOENT");
  });

  test("impersonation beyond ASCII and in extra keys arrives as it stands", async () => {
    const server = await serve();
    await whole(kubeconfig(`{server: "${server.url}"}`, "{as: jörg, as-user-extra: {'a/B(c)': [one, two]}}"));
    const headers = server.requests[0]?.headers;
    expect(Buffer.from(String(headers?.["impersonate-user"]), "latin1").toString("utf8")).toBe("jörg");
    expect(headers?.["impersonate-extra-a%2fb%28c%29"]).toBe("one, two");
  });
});

describe("proxies", () => {
  const names = (port: number) => ({ "api.internal:6443": port });
  const secured = () => serve(authority.sign("kube", ["api.internal"]));
  const through = async (proxy: Promise<TestProxy>): Promise<TestProxy> => {
    const started = await proxy;
    ends.push(() => started.stop());
    return started;
  };

  test("proxy-url http: a tunnel for lists and watches, with its user and password; the name is known behind it only", async () => {
    const server = await secured();
    const proxy = await through(startHttpProxy({ names: names(server.port) }));
    const url = `proxy-url: "http://jo:s%40fe@127.0.0.1:${proxy.port}"`;
    await whole(kubeconfig(trusting("https://api.internal:6443", url)));
    expect(new Set(proxy.asked)).toEqual(new Set(["api.internal:6443"]));
    expect(proxy.authorization()).toBe(`Basic ${Buffer.from("jo:s@fe").toString("base64")}`);
  });

  test("proxy-url https: the proxy is checked by the authority of the cluster", async () => {
    const server = await secured();
    const good = await through(
      startHttpProxy({ names: names(server.port), tls: authority.sign("proxy", ["127.0.0.1"]) }),
    );
    await whole(kubeconfig(trusting("https://api.internal:6443", `proxy-url: "https://127.0.0.1:${good.port}"`)));
    const strange = createAuthority("Another").sign("proxy", ["127.0.0.1"]);
    const bad = await through(startHttpProxy({ names: names(server.port), tls: strange }));
    const url = `https://127.0.0.1:${bad.port}`;
    expect(await failure(kubeconfig(trusting("https://api.internal:6443", `proxy-url: "${url}"`)))).toContain(
      `https://api.internal:6443 through the proxy ${url} (proxy-url): `,
    );
    expect(bad.asked).toEqual([]);
  });

  test("proxy-url socks5: names are resolved behind the proxy", async () => {
    const server = await secured();
    const proxy = await through(startSocksProxy(names(server.port)));
    await whole(kubeconfig(trusting("https://api.internal:6443", `proxy-url: "socks5://127.0.0.1:${proxy.port}"`)));
    expect(new Set(proxy.asked)).toEqual(new Set(["api.internal:6443"]));
  });

  test("a plain http server is asked for through the proxy by its whole URL", async () => {
    const server = await serve();
    const proxy = await through(startHttpProxy({ names: { "api.internal:8001": server.port } }));
    await whole(kubeconfig(`{server: "http://api.internal:8001", proxy-url: "http://127.0.0.1:${proxy.port}"}`, ""), {
      mayUsePlainHttp: () => true,
    });
    expect(proxy.asked).toContain("http://api.internal:8001/api/v1/nodes");
  });

  test("the environment's proxy comes after proxy-url and before a direct connection, and NO_PROXY excepts", async () => {
    const server = await secured();
    const [first, second] = [
      await through(startHttpProxy({ names: names(server.port) })),
      await through(startHttpProxy({ names: names(server.port) })),
    ];
    const environment = { HTTPS_PROXY: `http://127.0.0.1:${second.port}` };
    const own = `proxy-url: "http://127.0.0.1:${first.port}"`;
    await whole(kubeconfig(trusting("https://api.internal:6443", own)), { environment });
    expect(second.asked).toEqual([]);
    await whole(kubeconfig(trusting("https://api.internal:6443")), { environment });
    expect(second.asked[0]).toBe("api.internal:6443");
    const before = second.asked.length;
    const excepted = { ...environment, NO_PROXY: ".internal" };
    expect(await failure(kubeconfig(trusting("https://api.internal:6443")), { environment: excepted })).toBe(
      "https://api.internal:6443: the host name cannot be resolved",
    );
    expect(second.asked.length).toBe(before);
  });

  test.each([
    [407, "the proxy wants a user and a password (407)"],
    [403, "the proxy refused to connect: 403 No"],
  ])("a proxy that answers %i is named with its answer", async (refuse, sentence) => {
    const proxy = await through(startHttpProxy({ names: {}, refuse }));
    const url = `http://127.0.0.1:${proxy.port}`;
    expect(await failure(kubeconfig(trusting("https://api.internal:6443", `proxy-url: "${url}"`)))).toBe(
      `https://api.internal:6443 through the proxy ${url} (proxy-url): ${sentence}`,
    );
  });

  test("a proxy that is away, and one whose scheme nobody speaks, are named", async () => {
    const gone = await startHttpProxy({ names: {} });
    await gone.stop();
    const url = `http://127.0.0.1:${gone.port}`;
    expect(await failure(kubeconfig(trusting("https://api.internal:6443", `proxy-url: "${url}"`)))).toBe(
      `https://api.internal:6443 through the proxy ${url} (proxy-url): nothing listens there (connection refused)`,
    );
    const strange = trusting("https://h", 'proxy-url: "ftp://127.0.0.1:21"');
    await expect(connectionOf(kubeconfig(strange), folder)).rejects.toThrow(
      "proxy-url ftp://127.0.0.1 must be http, https or socks5",
    );
  });
});
