// Kubeconfigs as people have them: several files, half-written entries, odd paths, values that YAML reads as numbers.
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { loadKubeconfig } from "../../server/src/cluster/live/kubeconfig/load.ts";
import { mergeKubeconfig } from "../../server/src/cluster/live/kubeconfig/merge.ts";
import { kubeconfigPaths } from "../../server/src/cluster/live/kubeconfig/paths.ts";
import { readKubeconfig } from "../../server/src/cluster/live/kubeconfig/read.ts";

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
    expect(messages[2]).toMatch(/the ~ was not expanded/);
  });
});
