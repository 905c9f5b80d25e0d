// A workspace with several clusters, path mappings, overlays and charts: what is judged by what, and what is said of the rest.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { taintwise } from "./command.ts";

let folder = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "taintwise-"));
});

afterEach(() => rmSync(folder, { recursive: true }));

function write(name: string, content: string): void {
  mkdirSync(join(folder, name, ".."), { recursive: true });
  writeFileSync(join(folder, name), content);
}

function node(name: string, taint: string): string {
  const [key, value, effect] = taint.split(/[=:]/);
  return `apiVersion: v1
kind: Node
metadata: {name: ${name}, labels: {kubernetes.io/os: linux}}
spec: {taints: [{key: ${key}, value: ${value}, effect: ${effect}}]}
`;
}

const LOG_AGENT = `apiVersion: apps/v1
kind: DaemonSet
metadata: {name: log-agent, namespace: logging}
spec:
  selector: {matchLabels: {app: log-agent}}
  template:
    metadata: {labels: {app: log-agent}}
    spec:
      containers: [{name: agent, image: i}]
      volumes: [{name: logs, hostPath: {path: /var/log/pods}}]
`;

interface Printed {
  readonly diagnostics: readonly {
    readonly path: string;
    readonly code: string;
    readonly severity: string;
    readonly cluster: string;
  }[];
  readonly clusters: readonly { readonly name: string }[];
  readonly notes: readonly string[];
}

/** What `check` prints: `path severity code cluster` for each diagnostic, the clusters, and the notes on files. */
function check(...words: string[]) {
  const { stdout, stderr } = taintwise(["check", ...words, "--format", "json"], { cwd: folder });
  if (stdout === "") throw new Error(stderr);
  const printed: Printed = JSON.parse(stdout);
  return {
    diagnostics: printed.diagnostics.map(
      ({ path, severity, code, cluster }) => `${path} ${severity} ${code} ${cluster}`,
    ),
    clusters: printed.clusters.map(({ name }) => name),
    notes: printed.notes.filter((note) => !note.includes("are not in the file")),
  };
}

const WORKSPACE = `clusters:
  - {name: prod, file: dumps/prod.yaml}
  - {name: stage, file: dumps/stage.yaml}
  - {name: edge, context: edge-admin}
paths:
  - {path: apps/prod, clusters: prod}
  - {path: apps/stage, clusters: [stage, edge]}
`;

it("judges each file against the clusters that its path is mapped to", () => {
  write("taintwise.yaml", WORKSPACE);
  write("dumps/prod.yaml", node("p1", "dedicated=gpu:NoSchedule"));
  write("dumps/stage.yaml", node("s1", "dedicated=rdma:NoSchedule"));
  for (const path of ["apps/prod/a.yaml", "apps/stage/a.yaml", "other/a.yaml"]) write(path, LOG_AGENT);
  expect(check("apps", "other")).toEqual({
    diagnostics: ["apps/prod/a.yaml warning toleration-gap prod", "apps/stage/a.yaml warning toleration-gap stage"],
    clusters: ["prod", "stage"],
    notes: [
      "edge: context edge-admin was not read; name it with --context edge-admin.",
      "1 file lies outside the path mappings of taintwise.yaml and is judged against no cluster (other/a.yaml).",
    ],
  });
});

it("takes a cluster that is named on the command line for every file, unless the mappings speak of it", () => {
  write("taintwise.yaml", WORKSPACE);
  write("dumps/prod.yaml", node("p1", "dedicated=gpu:NoSchedule"));
  write("new.yaml", node("n1", "dedicated=new:NoSchedule"));
  for (const path of ["apps/prod/a.yaml", "other/a.yaml"]) write(path, LOG_AGENT);
  expect(check("apps", "other", "--cluster", "new.yaml").diagnostics).toEqual([
    "apps/prod/a.yaml warning toleration-gap new",
    "other/a.yaml warning toleration-gap new",
  ]);
  expect(check("apps", "other", "--cluster", "dumps/prod.yaml").diagnostics).toEqual([
    "apps/prod/a.yaml warning toleration-gap prod",
  ]);
});

it("tells two clusters of one name apart", () => {
  write("one/cluster.yaml", node("p1", "dedicated=gpu:NoSchedule"));
  write("two/cluster.yaml", node("s1", "dedicated=rdma:NoSchedule"));
  write("a.yaml", LOG_AGENT);
  expect(check("a.yaml", "--cluster", "one/cluster.yaml", "--cluster", "two/cluster.yaml").clusters).toEqual([
    "one/cluster.yaml",
    "two/cluster.yaml",
  ]);
});

it("gives hints at most for files that a kustomization patches, and says so", () => {
  write("nodes.yaml", node("n1", "dedicated=gpu:NoSchedule"));
  write("base/agent.yaml", LOG_AGENT);
  write("base/kustomization.yaml", "resources: [agent.yaml]\n");
  write("prod/kustomization.yaml", "resources: [../base]\npatches: [{path: tolerations.yaml}]\n");
  expect(check(".", "--cluster", "nodes.yaml")).toEqual({
    diagnostics: ["base/agent.yaml hint toleration-gap nodes"],
    clusters: ["nodes"],
    notes: ["1 file is patched by a kustomization and is judged as written: hints at most (base/agent.yaml)."],
  });
});

it("leaves a chart's templates alone, and says so", () => {
  write("chart/Chart.yaml", "name: x\n");
  write("chart/templates/a.yaml", LOG_AGENT.replace("log-agent", "{{ .Values.name }}"));
  write("chart/templates/deep/b.yaml", `{{- if .Values.on }}\n${LOG_AGENT}{{- end }}\n`);
  expect(check("chart").notes).toContain(
    "2 files hold templates and are not judged; render them first (helm template … | taintwise check -) (chart/templates/a.yaml, chart/templates/deep/b.yaml).",
  );
});

it("does not take the cluster's own dump in a folder for a manifest, unless it is named", () => {
  write("dump.yaml", `${LOG_AGENT}---\n${node("n1", "dedicated=gpu:NoSchedule")}`);
  write("agent.yaml", LOG_AGENT);
  expect(check(".", "--cluster", "dump.yaml").diagnostics).toEqual(["agent.yaml warning toleration-gap dump"]);
  expect(check("dump.yaml", "--cluster", "dump.yaml").diagnostics).toEqual(["dump.yaml warning toleration-gap dump"]);
});

it("does not judge what some cluster returned, unless it is named, and says so", () => {
  const [meta, rest] = LOG_AGENT.split("name: log-agent", 2);
  const item = `${meta}name: log-agent, uid: u1, resourceVersion: "7"${rest}`.trimEnd().replaceAll("\n", "\n    ");
  write("other/daemonsets.yaml", `apiVersion: v1\nkind: List\nitems:\n  - ${item}\n`);
  write("nodes.yaml", node("n1", "dedicated=gpu:NoSchedule"));
  const walked = check("other", "--cluster", "nodes.yaml");
  expect(walked.diagnostics).toEqual([]);
  expect(walked.notes).toContain(
    "1 file holds objects as a cluster returned them and is not judged; --cluster FILE uses such a file as the cluster (other/daemonsets.yaml).",
  );
  expect(check("other/daemonsets.yaml", "--cluster", "nodes.yaml").diagnostics).toEqual([
    "other/daemonsets.yaml warning toleration-gap nodes",
  ]);
});
