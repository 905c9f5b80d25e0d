// What cannot be used: one clear line with path and position, status 2, never a stack trace, never half a file.
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { replaceFile } from "../../server/src/cli/write-file.ts";
import { taintwise } from "./command.ts";

let folder = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "taintwise-"));
});

afterEach(() => rmSync(folder, { recursive: true }));

function write(name: string, content: string | Buffer): void {
  mkdirSync(join(folder, name, ".."), { recursive: true });
  writeFileSync(join(folder, name), content);
}

const run = (...words: string[]) => taintwise(words, { cwd: folder });

const NODES = "apiVersion: v1\nkind: Node\nmetadata: {name: n1}\n";

const UNQUOTED = `apiVersion: v1
kind: Pod
metadata: {name: p}
spec:
  tolerations:
    - {key: gpu, value: true, effect: NoSchedule}
  containers: [{name: c, image: i}]
`;

describe("a call that cannot be served ends with 2 and one line", () => {
  it.each([
    [["check", "gone.yaml"], "taintwise: gone.yaml: no such file or folder."],
    [["check"], "taintwise: check needs a path: taintwise check PATH… (a file, a folder, or - for standard input)."],
    [
      ["check", "ok.yaml", "--format", "xml"],
      'taintwise: --format "xml" is not known. It takes text, json, sarif, github, markdown.',
    ],
    [
      ["check", "ok.yaml", "--fail-on", "warnings"],
      'taintwise: --fail-on "warnings" is not known. Did you mean warning? It takes error, warning, information, hint, never.',
    ],
    [
      ["check", "ok.yaml", "--now", "yesterday"],
      'taintwise: --now "yesterday" is no time such as 2026-03-02T10:00:00Z.',
    ],
    [["check", "ok.yaml", "--cluster", "gone.yaml"], "taintwise: gone.yaml: there is no such file or folder."],
    [["check", "-", "--cluster", "-"], "taintwise: Standard input (-) can be read only once."],
    [
      ["check", "ok.yaml", "--require-cluster"],
      "taintwise: No cluster: gaps, time bombs and unschedulable workloads are unknown. Give one with --cluster FILE or --context NAME.",
    ],
    [["explain"], "taintwise: explain needs a path, or a cluster: --cluster FILE or --context NAME."],
    [["explain", "ds/gone", "--cluster", "nodes.yaml"], "taintwise: There is no workload ds/gone in the cluster."],
    [["snapshot", "--cluster", "nodes.yaml"], "taintwise: snapshot needs a file to write: -o FILE."],
    [
      ["triage", "--steps", "--cluster", "nodes.yaml"],
      "taintwise: --steps is about single nodes: name them, or choose them by --selector.",
    ],
    [
      ["triage", "n1", "--steps", "--format", "sarif", "--cluster", "nodes.yaml"],
      "taintwise: --steps has no --format sarif; it has text, json, markdown.",
    ],
    [
      ["triage", "n1", "--node-proxy", "--cluster", "nodes.yaml"],
      "taintwise: --node-proxy asks kubelets, so it needs a live cluster: --context NAME.",
    ],
  ])("%j", (words, line) => {
    write("ok.yaml", UNQUOTED);
    write("nodes.yaml", NODES);
    expect(run(...words)).toEqual({ stdout: "", stderr: `${line}\n`, status: 2 });
  });

  it("a command that there is not, with those that there are", () => {
    const { stderr, status } = run("chekc");
    expect(stderr).toMatch(/^taintwise: Unknown command "chekc"\. Did you mean "check"\? Commands: check, .*lsp\.\n$/);
    expect(status).toBe(2);
  });

  it("names the codes that a mistyped one could mean", () => {
    write("ok.yaml", UNQUOTED);
    const { stderr, status } = run("check", "ok.yaml", "--code", "toleration-gaps");
    expect(stderr).toMatch(
      /^taintwise: --code "toleration-gaps" is not known\. Did you mean toleration-gap\? It takes yaml-problem, .*\.\n$/,
    );
    expect(status).toBe(2);
  });

  it.each([
    [Buffer.from("kind: Pod\0\0"), "bad.yaml: the file is binary (a NUL byte at offset 9), not YAML or JSON."],
    [Buffer.from("kind: Pod\nname: \xe9\n", "latin1"), "bad.yaml: the file is not UTF-8 text (line 2, byte 0xe9)."],
  ])("a file that is no text", (content, line) => {
    write("bad.yaml", content);
    expect(run("check", "bad.yaml")).toEqual({ stdout: "", stderr: `taintwise: ${line}\n`, status: 2 });
  });

  it("a cluster file without nodes, with an error in it, or that is no dump", () => {
    write("pods.yaml", "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\n");
    write("broken.yaml", `${NODES}---\napiVersion: v1\nkind: Node\nmetadata: {name: [n2\n`);
    write("table.txt", "NAME   STATUS   ROLES\nn1     Ready    <none>\n");
    for (const [file, text] of [
      ["pods.yaml", /^taintwise: pods\.yaml: there is no Node in it: .*\.\n$/],
      ["broken.yaml", /^taintwise: broken\.yaml:\d+:\d+: .*\n$/],
      ["table.txt", /^taintwise: table\.txt:1:1: holds kubectl's table.*\n$/],
    ] as const) {
      const { stdout, stderr, status } = run("nodes", "--cluster", file);
      expect({ stdout, status }).toEqual({ stdout: "", status: 2 });
      expect(stderr).toMatch(text);
    }
  });

  it("a folder whose nodes cannot be read, with that file", () => {
    write("dump/pods.yaml", "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\n");
    symlinkSync("gone.yaml", join(folder, "dump/nodes.yaml"));
    const { stderr, status } = run("triage", "--cluster", "dump");
    expect(status).toBe(2);
    expect(stderr.split("\n")).toHaveLength(2);
    expect(stderr).toMatch(/^taintwise: dump: there is no Node in it: /);
    expect(stderr).toContain(" dump/nodes.yaml: there is no such file or folder.");
  });

  it("a workspace file with an error, at its place", () => {
    write("ok.yaml", UNQUOTED);
    write("taintwise.yaml", "exclude: [vendor/]\nseverity:\n  toleration-gap: fatal\n");
    expect(run("check", "ok.yaml")).toEqual({
      stdout: "",
      stderr:
        'taintwise: taintwise.yaml:3:19: severity.toleration-gap must be one of error, warning, information, hint, off, not "fatal".\n',
      status: 2,
    });
  });
});

describe("a manifest that cannot be read is a diagnostic", () => {
  it("at its place, with the other documents and files judged", () => {
    write("m/broken.yaml", "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {tolerations: [\n");
    write("m/ok.yaml", UNQUOTED);
    const { stdout, status } = run("check", "m", "--format", "json");
    const { diagnostics } = JSON.parse(stdout);
    expect(diagnostics.map(({ path, code }: { path: string; code: string }) => `${path} ${code}`)).toEqual([
      "m/broken.yaml yaml-problem",
      "m/ok.yaml toleration-value-type",
    ]);
    expect(status).toBe(1);
  });

  it("a file of a folder that is no text is named, and the rest is checked", () => {
    write("m/latin1.yaml", Buffer.from("# caf\xe9\nkind: Pod\n", "latin1"));
    write("m/photo.json", Buffer.from([0, 1, 2]));
    write("m/ok.yaml", UNQUOTED);
    const { stdout, stderr, status } = run("check", "m");
    expect(stderr).toContain("taintwise: m/latin1.yaml: not checked: is not UTF-8 text (line 1, byte 0xe9).\n");
    expect(stderr).toContain(
      "taintwise: m/photo.json: not checked: is binary (a NUL byte at offset 0), not YAML or JSON.\n",
    );
    expect(stdout).toContain("m/ok.yaml:6:25: error toleration-value-type");
    expect(status).toBe(2);
  });
});

describe("status", () => {
  it("follows --fail-on", () => {
    write("ok.yaml", UNQUOTED);
    expect(run("check", "ok.yaml").status).toBe(1);
    expect(run("check", "ok.yaml", "--fail-on", "error").status).toBe(1);
    expect(run("check", "ok.yaml", "--fail-on", "never").status).toBe(0);
    expect(run("check", "ok.yaml", "--code", "toleration-gap").status).toBe(0);
  });

  it("leaves out what the workspace file and .gitignore exclude", () => {
    write("taintwise.yaml", "exclude: [vendor/]\n");
    write(".gitignore", "out/\n");
    write("vendor/a.yaml", UNQUOTED);
    write("out/a.yaml", UNQUOTED);
    write("sub/fine.yaml", UNQUOTED.replace("true", '"true"'));
    const { stdout, status } = run("check", ".");
    expect(stdout).toBe("No problems in 2 files, judged without a cluster.\n");
    expect(status).toBe(0);
    expect(run("check", "vendor/a.yaml").stdout).toContain("vendor/a.yaml:6:25: error toleration-value-type");
  });

  it("reads standard input", () => {
    const { stdout, status } = taintwise(["check", "-"], { cwd: folder, input: UNQUOTED });
    expect(stdout).toContain("<stdin>:6:25: error toleration-value-type");
    expect(status).toBe(1);
  });
});

describe("fix", () => {
  const FIXED = UNQUOTED.replace("true", '"true"');

  it("keeps everything else byte for byte, the mode, and a symbolic link", () => {
    const before = `\ufeff# résumé 🙂\r\n${UNQUOTED.replaceAll("\n", "\r\n")}`;
    write("real/pod.yaml", before);
    chmodSync(join(folder, "real/pod.yaml"), 0o640);
    symlinkSync("real/pod.yaml", join(folder, "link.yaml"));
    const { stdout, status } = run("fix", "link.yaml");
    expect(stdout).toBe('link.yaml: toleration-value-type: Quote it: "true"\n');
    expect(status).toBe(0);
    expect(readFileSync(join(folder, "real/pod.yaml"), "utf8")).toBe(before.replace("true", '"true"'));
    expect(statSync(join(folder, "real/pod.yaml")).mode & 0o777).toBe(0o640);
    expect(lstatSync(join(folder, "link.yaml")).isSymbolicLink()).toBe(true);
    expect(readdirSync(join(folder, "real"))).toEqual(["pod.yaml"]);
  });

  it("writes nothing on a dry run, and nothing a second time", () => {
    write("pod.yaml", UNQUOTED);
    expect(run("fix", "pod.yaml", "--dry-run").stdout).toContain(
      '+    - {key: gpu, value: "true", effect: NoSchedule}\n',
    );
    expect(readFileSync(join(folder, "pod.yaml"), "utf8")).toBe(UNQUOTED);
    run("fix", "pod.yaml");
    expect(readFileSync(join(folder, "pod.yaml"), "utf8")).toBe(FIXED);
    expect(run("fix", "pod.yaml")).toEqual({ stdout: "", stderr: "Nothing to fix in 1 file.\n", status: 0 });
  });

  it("fixes standard input to standard output", () => {
    expect(taintwise(["fix", "-"], { cwd: folder, input: UNQUOTED }).stdout).toBe(FIXED);
    expect(taintwise(["fix", "-"], { cwd: folder, input: FIXED }).stdout).toBe(FIXED);
  });

  it("names the place that Kubernetes could not read, fixes the rest, and ends with 1", () => {
    write("pods.yaml", `apiVersion: v1\nkind: Pod\nmetadata: {name: broken\nspec: {tolerations: []}\n---\n${UNQUOTED}`);
    const { stdout, stderr, status } = run("fix", "pods.yaml");
    expect(stdout).toBe('pods.yaml: toleration-value-type: Quote it: "true"\n');
    expect(stderr).toBe(
      "taintwise: pods.yaml:4:5: not fixed: A comma or } is expected here. Kubernetes cannot read this document; its workloads are not judged beyond this point.\n" +
        "1 fix in 1 of 1 file applied.\n",
    );
    expect(status).toBe(1);
    expect(JSON.parse(run("fix", "pods.yaml", "--format", "json").stdout).notFixed).toEqual([
      {
        path: "pods.yaml",
        range: { start: { line: 3, character: 4 }, end: { line: 3, character: 5 } },
        message: expect.stringContaining("A comma or } is expected here."),
      },
    ]);
  });

  it("says that a binary file is left out, which is no fault of the manifests beside it", () => {
    write("m/pod.yaml", UNQUOTED);
    write("m/image.yaml", Buffer.from([0x89, 0x50, 0x00, 0x01]));
    const { stderr, status } = run("fix", "m");
    expect(stderr).toContain("taintwise: m/image.yaml: not fixed: ");
    expect(status).toBe(0);
  });

  it("leaves a file in UTF-16 as it is and says so", () => {
    const bytes = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(UNQUOTED, "utf16le")]);
    write("wide.yaml", bytes);
    const { stderr, status } = run("fix", "wide.yaml");
    expect(stderr).toContain("taintwise: wide.yaml: not fixed: it is written in UTF-16; save it as UTF-8 first.\n");
    expect(status).toBe(2);
    expect(readFileSync(join(folder, "wide.yaml"))).toEqual(bytes);
  });

  it("refuses a file that changed under it, and leaves it as it is", () => {
    write("pod.yaml", "changed meanwhile");
    const path = join(folder, "pod.yaml");
    expect(() => replaceFile(path, "pod.yaml", Buffer.from("as read"), Buffer.from("fixed"))).toThrow(
      "pod.yaml: the file changed while it was being fixed; it is left as it is now. Run fix again.",
    );
    expect(readFileSync(path, "utf8")).toBe("changed meanwhile");
    expect(readdirSync(folder)).toEqual(["pod.yaml"]);
  });
});
