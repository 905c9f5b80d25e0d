// Kubeconfigs as people have them: several files, half-written entries, odd paths, values that YAML reads as numbers.
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { inClusterContext } from "../../server/src/cluster/live/kubeconfig/in-cluster.ts";
import { loadKubeconfig } from "../../server/src/cluster/live/kubeconfig/load.ts";
import { mergeKubeconfig, serverUrl } from "../../server/src/cluster/live/kubeconfig/merge.ts";
import { kubeconfigPaths } from "../../server/src/cluster/live/kubeconfig/paths.ts";
import { readKubeconfig } from "../../server/src/cluster/live/kubeconfig/read.ts";
import { describeContext } from "../../server/src/cluster/live/open-context.ts";

const around = { environment: {}, home: "/home/u", platform: "linux" };

function merge(...texts: readonly string[]) {
  return mergeKubeconfig(texts.map((text, index) => readKubeconfig(text, `/k/${index + 1}.yaml`)));
}

function file(cluster: string, server: string, context: string, current = ""): string {
  return `apiVersion: v1
kind: Config
clusters: [{name: ${cluster}, cluster: {server: "${server}"}}]
contexts: [{name: ${context}, context: {cluster: ${cluster}, user: u}}]
users: [{name: u, user: {token: t}}]
${current === "" ? "" : `current-context: ${current}\n`}`;
}

describe("which files are read", () => {
  test("the setting goes before KUBECONFIG, and that before the default file", () => {
    const environment = { KUBECONFIG: "/a:/b" };
    expect(kubeconfigPaths("/s", { ...around, environment })).toEqual({ paths: ["/s"], from: "setting" });
    expect(kubeconfigPaths("", { ...around, environment })).toEqual({ paths: ["/a", "/b"], from: "KUBECONFIG" });
    expect(kubeconfigPaths("", around)).toEqual({ paths: ["/home/u/.kube/config"], from: "default" });
  });

  test("empty names in KUBECONFIG are skipped; delimiters alone count as unset", () => {
    const listed = (KUBECONFIG: string) => kubeconfigPaths("", { ...around, environment: { KUBECONFIG } });
    expect(listed(":/a::/b:").paths).toEqual(["/a", "/b"]);
    expect(listed(":")).toEqual({ paths: ["/home/u/.kube/config"], from: "default" });
  });

  test("on Windows the delimiter is a semicolon and a drive's colon is none", () => {
    const environment = { KUBECONFIG: "C:\\Users\\u\\.kube\\config;D:\\two" };
    expect(kubeconfigPaths("", { ...around, platform: "win32", environment }).paths).toEqual([
      "C:\\Users\\u\\.kube\\config",
      "D:\\two",
    ]);
  });

  test("~ and names are expanded in the setting", () => {
    const environment = { CLUSTERS: "/srv/clusters" };
    expect(kubeconfigPaths("~/k", around).paths).toEqual(["/home/u/k"]);
    expect(kubeconfigPaths("$" + "{CLUSTERS}/prod", { ...around, environment }).paths).toEqual(["/srv/clusters/prod"]);
  });
});

describe("several files", () => {
  test("an entry that two files name is the first one's, whole, and the hidden one is told", () => {
    const merged = merge(file("shared", "https://one", "a"), file("shared", "https://two", "b"));
    expect(merged.contexts.map((context) => [context.name, context.cluster?.server])).toEqual([
      ["a", "https://one"],
      ["b", "https://one"],
    ]);
    expect(merged.problems).toContainEqual(
      expect.objectContaining({
        path: "/k/2.yaml",
        severity: "information",
        message: 'cluster "shared" is hidden by the one in /k/1.yaml: the first one wins',
      }),
    );
  });

  test("the first file that sets current-context chooses, also when the context lies in a later one", () => {
    const pick = "apiVersion: v1\nkind: Config\nclusters: null\ncontexts: null\nusers: null\ncurrent-context: beta\n";
    const merged = merge(pick, file("a", "https://a", "alpha", "alpha"), file("b", "https://b", "beta", "beta"));
    expect(merged.currentContext).toBe("beta");
  });

  test("a current-context that exists nowhere selects none and is named", () => {
    const merged = merge(file("a", "https://a", "alpha", "gone"));
    expect(merged.currentContext).toBeNull();
    expect(merged.problems.map((problem) => problem.message)).toContain(
      'current-context "gone" exists in no kubeconfig file; no context is selected',
    );
  });
});

describe("one file", () => {
  test("half-written entries stay, each with its reason; the good one is usable", () => {
    const merged = merge(`clusters:
- {name: ok, cluster: {server: "https://ok.example:6443"}}
- {name: noserver, cluster: {}}
contexts:
- {name: half, context: null}
- {name: bare, context: {cluster: noserver, user: u}}
- {name: lost, context: {cluster: ok, user: nobody}}
- {name: good, context: {cluster: ok, user: u}}
users: [{name: u, user: {token: t}}]
`);
    expect(merged.contexts.map(({ name, unusable }) => [name, unusable])).toEqual([
      ["half", "the context names no cluster"],
      ["bare", 'cluster "noserver" has no server'],
      ["lost", 'user "nobody" is in no kubeconfig file'],
      ["good", null],
    ]);
  });

  test("names are taken as written", () => {
    const merged = merge(`clusters:
- {name: 123, cluster: {server: "https://a"}}
- {name: 1e3, cluster: {server: "https://b"}}
contexts:
- {name: 0123, context: {cluster: 123, user: u}}
- {name: yes, context: {cluster: 1e3, user: u}}
users: [{name: u, user: {}}]
current-context: 0123
`);
    expect(merged.contexts.map(({ name, cluster }) => [name, cluster?.server])).toEqual([
      ["0123", "https://a"],
      ["yes", "https://b"],
    ]);
    expect(merged.currentContext).toBe("0123");
  });

  test("data that is not base64 is told with its place", () => {
    const read = readKubeconfig(
      'clusters:\n- name: b\n  cluster:\n    server: "https://b"\n    certificate-authority-data: "not base64!"\n',
      "/k/1.yaml",
    );
    expect(read.problems).toEqual([
      {
        path: "/k/1.yaml",
        line: 4,
        character: 32,
        message: "certificate-authority-data is not base64",
        severity: "error",
      },
    ]);
    expect(read.clusters.map((cluster) => cluster.name)).toEqual(["b"]);
  });

  test.each([
    ["https://[fd00::1]:6443", null],
    ["https://h/k8s/clusters/c-abc", null],
    ["https://h:6443/", null],
    [
      "https://fd00::1:6443",
      'the server "https://fd00::1:6443" is no http(s) URL; an IPv6 address needs brackets: https://[fd00::1]:6443',
    ],
  ])("server %s", (server, reason) => {
    expect(merge(file("c", server, "x")).contexts[0]?.unusable).toBe(reason);
  });

  test("an empty file and one of comments alone hold nothing and are no fault", () => {
    expect(readKubeconfig("", "/e").problems).toEqual([]);
    expect(readKubeconfig("# nothing here\n", "/e").problems).toEqual([]);
  });
});

describe("the text", () => {
  const usual =
    "clusters:\n- name: c\n  cluster:\n    server: https://h\ncontexts:\n- name: x\n  context: {cluster: c}\n";

  test.each([
    ["a byte order mark", `\uFEFF${usual}`],
    ["CRLF", usual.replaceAll("\n", "\r\n")],
    [
      "JSON",
      JSON.stringify({
        clusters: [{ name: "c", cluster: { server: "https://h" } }],
        contexts: [{ name: "x", context: { cluster: "c" } }],
      }),
    ],
    ["three dashes and comments", `# mine\n---\n${usual}...\n`],
    [
      "an anchor and a merge key",
      usual
        .replace("cluster:\n    server: https://h", "cluster: {<<: *h}")
        .replace(/^/, "extra: &h {server: https://h}\n"),
    ],
    [
      "data of a megabyte in one line",
      usual.replace("https://h", `https://h\n    certificate-authority-data: ${"QUJD".repeat(300_000)}`),
    ],
    [
      "data folded over lines",
      usual.replace("https://h", "https://h\n    certificate-authority-data: >\n      QUJDQUJD\n      QUJDQUJD"),
    ],
  ])("with %s is read", (_what, text) => {
    const merged = merge(text);
    expect(merged.contexts.map(({ name, unusable, cluster }) => [name, unusable, cluster?.server])).toEqual([
      ["x", null, "https://h"],
    ]);
    expect(merged.problems).toEqual([]);
  });

  test.each([
    ["apiVersion: apps/v1\nkind: Deployment\n", "this is no kubeconfig (v1 Config) but apps/v1 Deployment"],
    ["just text\n", "a kubeconfig is a mapping with clusters, users and contexts"],
    ["clusters: {c: {server: https://h}}\n", "clusters must be a list"],
    ["clusters:\n\t- name: c\n", "a tab stands where only blanks may indent"],
    ["a: &a [*a]\nclusters: *a\n", 'the anchor "a" contains itself'],
    [
      usual.replace("https://h", 'https://h\n    insecure-skip-tls-verify: "true"'),
      "insecure-skip-tls-verify must be true or false, without quotes; it counts as false",
    ],
  ])("that is no kubeconfig is told: %j", (text, message) => {
    expect(merge(text).problems.filter(({ severity }) => severity === "error")[0]?.message).toBe(message);
  });

  test("a second document, a key that stands twice and a name that stands twice are told, and the rest is used", () => {
    const twice = usual.replace(
      "    server: https://h\n",
      "    server: https://a\n    server: https://h\n- name: c\n  cluster: {server: https://z}\n",
    );
    const merged = merge(`${twice}---\nclusters: []\n`);
    expect(merged.contexts[0]?.cluster?.server).toBe("https://h");
    expect(merged.problems.map(({ severity, message }) => [severity, message])).toEqual([
      ["information", "a kubeconfig has one document; what follows is not read"],
      ["information", expect.stringContaining('the key "server" stands twice')],
      ["information", 'cluster "c" is hidden by the one earlier in the same file: the first one wins'],
    ]);
  });

  test.each([
    ["10.0.0.1:6443", "", "http://10.0.0.1:6443/"],
    ["localhost:8080", "", "http://localhost:8080/"],
    ["10.0.0.1:6443", "insecure-skip-tls-verify: true", "https://10.0.0.1:6443/"],
    ["api.example/prefix", "certificate-authority: ca.pem", "https://api.example/prefix"],
  ])("a server without a scheme, %s with {%s}", (server, more, url) => {
    const [context] = merge(
      usual.replace("https://h", more === "" ? `"${server}"` : `"${server}"\n    ${more}`),
    ).contexts;
    expect(context?.unusable).toBeNull();
    expect(context?.cluster && serverUrl(context.cluster)?.href).toBe(url);
  });

  test("for people an IPv6 address keeps its brackets, and a password is left out", () => {
    const [context] = merge(usual.replace("https://h", '"https://jo:secret@[fd00::1]:6443/k8s"')).contexts;
    expect(context && describeContext(context)).toBe("x (https://[fd00::1]:6443/k8s)");
  });
});

describe("in a pod", () => {
  let folder = "";
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "taintwise-pod-"));
    await writeFile(join(folder, "token"), "pod-token");
    await writeFile(join(folder, "namespace"), "team-a\n");
  });
  afterEach(() => rm(folder, { recursive: true }));
  const environment = { KUBERNETES_SERVICE_HOST: "fd00::1", KUBERNETES_SERVICE_PORT: "443" };
  const load = async (names: readonly string[], from: "setting" | "default") =>
    loadKubeconfig(
      { paths: names.map((name) => join(folder, name)), from },
      "linux",
      await inClusterContext(environment, folder),
    );

  test("without a kubeconfig the service account is the one context", async () => {
    const { contexts, currentContext, problems } = await load(["gone"], "default");
    expect(problems).toEqual([]);
    expect(currentContext).toBe("in-cluster");
    expect(contexts).toMatchObject([
      {
        name: "in-cluster",
        namespace: "team-a",
        cluster: { server: "https://[fd00::1]:443" },
        user: { tokenFile: join(folder, "token") },
      },
    ]);
  });

  test("a kubeconfig, one that is broken, and one that the setting names go before it", async () => {
    await writeFile(join(folder, "ok"), file("c", "https://c", "good"));
    await writeFile(join(folder, "bad"), "clusters: [\n");
    expect((await load(["ok"], "default")).contexts.map(({ name }) => name)).toEqual(["good"]);
    expect((await load(["bad"], "default")).contexts).toEqual([]);
    expect((await load(["gone"], "setting")).contexts).toEqual([]);
  });

  test("outside of a pod there is none", async () => {
    expect(await inClusterContext({}, folder)).toBeNull();
    expect(await inClusterContext(environment, join(folder, "nowhere"))).toBeNull();
  });
});

describe("on disk", () => {
  let folder = "";
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "taintwise-kubeconfig-"));
  });
  afterEach(() => rm(folder, { recursive: true }));

  test("missing and empty files are skipped while another one loads", async () => {
    await writeFile(join(folder, "empty"), "# only a comment\n");
    await writeFile(join(folder, "ü ser"), file("c", "https://c", "good", "good"));
    const paths = ["empty", "gone", "ü ser"].map((name) => join(folder, name));
    const loaded = await loadKubeconfig({ paths, from: "KUBECONFIG" }, "linux");
    expect(loaded.currentContext).toBe("good");
    expect(loaded.problems).toEqual([]);
  });

  test("when every file is missing, that is said once", async () => {
    const paths = ["one", "two"].map((name) => join(folder, name));
    const loaded = await loadKubeconfig({ paths, from: "KUBECONFIG" }, "linux");
    expect(loaded.problems.map((problem) => problem.message)).toEqual([
      `there is no kubeconfig: KUBECONFIG names ${paths.join(", ")}, none of which exists`,
    ]);
  });

  test("a file the setting names must exist", async () => {
    const path = join(folder, "gone");
    const loaded = await loadKubeconfig({ paths: [path], from: "setting" }, "linux");
    expect(loaded.problems.map((problem) => problem.message)).toEqual([
      `there is no kubeconfig: the setting names ${path}, which does not exist`,
    ]);
  });

  test("a broken file is named with its place, the rest loads", async () => {
    await writeFile(join(folder, "bad"), "clusters: [\n");
    await writeFile(join(folder, "ok"), file("c", "https://c", "good"));
    const loaded = await loadKubeconfig(
      { paths: [join(folder, "bad"), join(folder, "ok")], from: "KUBECONFIG" },
      "linux",
    );
    expect(loaded.contexts.map((context) => context.name)).toEqual(["good"]);
    expect(loaded.problems.map((problem) => [problem.path, problem.severity])).toEqual([
      [join(folder, "bad"), "error"],
    ]);
  });

  test("a folder, a slash at the end and a path of another system are told in words", async () => {
    await mkdir(join(folder, "config"));
    await writeFile(join(folder, "file"), file("c", "https://c", "good"));
    const loaded = await loadKubeconfig(
      {
        paths: [
          `${join(folder, "config")}/`,
          `${join(folder, "file")}/`,
          "C:\\Users\\u\\.kube\\config",
          "\\\\wsl.localhost\\D\\home\\u\\.kube\\config",
          "~/.kube/config",
        ],
        from: "KUBECONFIG",
      },
      "linux",
    );
    expect(loaded.contexts.map((context) => context.name)).toEqual(["good"]);
    const messages = loaded.problems.map((problem) => problem.message);
    expect(messages[0]).toMatch(/is a folder; the kubeconfig is a file in it$/);
    expect(messages[1]).toMatch(/is a Windows path/);
    expect(messages[2]).toMatch(/is a Windows network path/);
    expect(messages[3]).toMatch(/the ~ was not expanded/);
  });
});
