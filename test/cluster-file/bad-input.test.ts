// One clear line for everything that is no cluster.
import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { fixture, problemLines, read } from "./support.ts";

const WITHOUT_NODES =
  "nothing can be judged without nodes (kubectl get nodes,pods,daemonsets,deployments,replicasets,statefulsets,jobs,namespaces,events,csinodes,csidrivers -A -o yaml)";

it.each<readonly [string, string | Uint8Array, readonly string[]]>([
  ["an empty file", "", [`error: dump.yaml: there is no object of Kubernetes in it: ${WITHOUT_NODES}`]],
  [
    "a file of something else",
    "image:\n  tag: latest\n",
    [`error: dump.yaml: there is no object of Kubernetes in it: ${WITHOUT_NODES}`],
  ],
  [
    "twenty thousand arrays in each other",
    `${"[".repeat(20_000)}${"]".repeat(20_000)}`,
    [`error: dump.yaml: there is no object of Kubernetes in it: ${WITHOUT_NODES}`],
  ],
  [
    "a dump without nodes",
    "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\n",
    [`error: dump.yaml: there is no Node in it: ${WITHOUT_NODES}`],
  ],
  [
    "an empty list of nodes",
    '{"apiVersion":"v1","kind":"NodeList","items":[]}',
    ["error: dump.yaml: the list of nodes in it is empty: nothing can be judged without nodes"],
  ],
  [
    "broken YAML",
    "apiVersion: v1\nkind: Node\nmetadata: {name: n1\n",
    ["error: dump.yaml:3:11: broken YAML: the { is not closed"],
  ],
  [
    "broken JSON",
    '{"apiVersion": "v1",\n "kind": "Node" oops}',
    ['error: dump.yaml:2:17: broken JSON: "oops}" is not expected here'],
  ],
  [
    "a JSON list that was cut off",
    '{"apiVersion":"v1","items":[{"apiVersion":"v1","kind":"Node","metadata":{"name":"n1"}},\n{"api',
    ["error: dump.yaml:2:6: the JSON ends in the middle: the file is cut off"],
  ],
  [
    "a binary file",
    Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 0]),
    ["error: dump.yaml: the file is binary, not YAML or JSON"],
  ],
  ["Latin-1 text", Buffer.from("# caf\xe9\n", "latin1"), ["error: dump.yaml: the file is not UTF-8 text"]],
  [
    "a cut off gzip",
    gzipSync(fixture("rack.yaml")).subarray(0, 200),
    ["error: dump.yaml: the file is broken or cut off: its gzip cannot be unpacked"],
  ],
  [
    "an error of kubectl",
    'Error from server (Forbidden): nodes is forbidden: User "dev" cannot list resource "nodes"\n',
    [
      'error: dump.yaml:1:1: holds an error of kubectl instead of objects (Error from server (Forbidden): nodes is forbidden: User "dev" cannot list resource "nodes")',
    ],
  ],
  [
    "kubectl's table",
    "NAME     STATUS   ROLES    AGE   VERSION\nrdma-1   Ready    <none>   50d   v1.37.2\n",
    [
      "error: dump.yaml:1:1: holds kubectl's table, which leaves out taints and conditions: write it with -o yaml or -o json (NAME     STATUS   ROLES    AGE   VERSION)",
    ],
  ],
  [
    "kubectl describe",
    "Name:               rdma-1\nRoles:              <none>\n",
    [
      "error: dump.yaml:1:1: holds the output of kubectl describe: write it with kubectl get -o yaml or -o json (Name:               rdma-1)",
    ],
  ],
])("%s", (_, source, lines) => {
  expect(problemLines(read(source))).toEqual(lines);
});

it("a broken document leaves the others read, and its part is not called known", () => {
  const reading = read(`${fixture("rack.yaml")}---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: x\n`);
  expect(problemLines(reading)).toEqual(["error: dump.yaml:64:11: broken YAML: the { is not closed"]);
  expect(reading.model.nodes.size).toBe(2);
  expect([reading.model.parts.owners, reading.model.parts.nodes]).toEqual(["failed", "known"]);
});
