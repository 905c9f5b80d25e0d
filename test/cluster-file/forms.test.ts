// One cluster in every form that tools write it in.
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { ByteText } from "../../server/src/cluster/file/byte-text.ts";
import { readJsonObjects } from "../../server/src/cluster/file/json-objects.ts";
import type { ClusterModel } from "../../server/src/cluster/model.ts";
import { toPlain } from "../../server/src/yaml/locate.ts";
import { parseDocument } from "../../server/src/yaml/parse.ts";
import { splitDocuments } from "../../server/src/yaml/scan.ts";
import { fixture, problemLines, read, summary, withoutPlaces } from "./support.ts";

const RACK = fixture("rack.yaml");
const OBJECTS = splitDocuments(RACK).map((document) => toPlain(parseDocument(RACK, document).root));
const LIST = { apiVersion: "v1", items: OBJECTS, kind: "List", metadata: { resourceVersion: "" } };
const KUBECTL_JSON = JSON.stringify(LIST, null, 4);

it("reads a file of several documents", () => {
  const reading = read(RACK, "dumps/rack.yaml");
  expect(problemLines(reading)).toEqual([]);
  expect(summary(reading.model)).toEqual([
    "rack (file) at 2026-03-02T09:55:00Z",
    "Node/cpu-1",
    "Node/rdma-1 dedicated=rdma:NoSchedule",
    "DaemonSet/kube-system/rdma-plugin",
    "Pod/kube-system/rdma-plugin-abcde Running on cpu-1",
    "FailedScheduling ×9 of Pod/train-0",
    "CSIDriver/disk.csi.example.com",
    "not known: owners, namespaces, csinodes, runtimeclasses, deviceclasses, resourceslices, leases",
  ]);
});

describe("the same cluster is read from", () => {
  const expected = withoutPlaces(read(RACK).model);
  const same = (source: string | Uint8Array): void => {
    const reading = read(source);
    expect(problemLines(reading)).toEqual([]);
    expect(withoutPlaces(reading.model)).toEqual(expected satisfies ClusterModel);
  };

  it("kubectl get -o json", () => same(KUBECTL_JSON));
  it("compact JSON", () => same(JSON.stringify(LIST)));
  it("JSON in a YAML file, with a comment", () => same(`# a comment\n${KUBECTL_JSON}\n`));
  it("a JSON array, as jq writes it", () => same(JSON.stringify(OBJECTS)));
  it("JSON values one after the other", () =>
    same(OBJECTS.map((object) => JSON.stringify(object, null, 2)).join("\n")));
  it("JSON lines", () => same(`${OBJECTS.map((object) => JSON.stringify(object)).join("\n")}\n`));
  it("a list of lists", () => same(JSON.stringify({ ...LIST, items: [LIST] })));
  it("a YAML document of one line each", () => same(OBJECTS.map((object) => JSON.stringify(object)).join("\n---\n")));
  it("text with CRLF line ends", () => same(RACK.replaceAll("\n", "\r\n")));
  it("a text with a byte order mark", () => same(`\uFEFF${RACK}`));
  it("JSON with a byte order mark", () => same(`\uFEFF${KUBECTL_JSON}`));
  it("UTF-16 as PowerShell's > writes it", () => same(Buffer.from(`\uFEFF${RACK}`, "utf16le")));
  it("big-endian UTF-16", () => same(Buffer.from(`\uFEFF${RACK}`, "utf16le").swap16()));
  it("gzip, whatever the file is called", () => same(gzipSync(RACK)));
  it("gzip in several members", () => same(Buffer.concat([gzipSync(RACK.slice(0, 500)), gzipSync(RACK.slice(500))])));
  it("a dump with kubectl's warnings in front", () =>
    same(
      `Warning: v1 ComponentStatus is deprecated in v1.19+\nW0302 10:00:00.123456    4711 x.go:12] slow: 2s\n${KUBECTL_JSON}`,
    ));
});

it("reads JSON that is too long for a string from its bytes", () => {
  const objects = (source: string | ByteText): readonly string[] => {
    const found: string[] = [];
    const problems = readJsonObjects(source, {
      object: (value, offset) => found.push(`${JSON.stringify(value)} @ ${offset}`),
      list: (apiVersion, kind) => found.push(`${kind} of ${apiVersion}`),
      serverVersion: (version) => found.push(version),
    });
    return [...found, ...problems.map(({ message, offset }) => `${message} @ ${offset}`)];
  };
  for (const text of [KUBECTL_JSON, JSON.stringify(LIST), `${KUBECTL_JSON}{"a`, '{"kind":"A","b":"\\"é}"} [oops]']) {
    expect(objects(new ByteText(Buffer.from(text))).map((line) => line.replace(/@ .*/, ""))).toEqual(
      objects(text).map((line) => line.replace(/@ .*/, "")),
    );
  }
  expect(objects(new ByteText(Buffer.from(KUBECTL_JSON)))).toEqual(objects(KUBECTL_JSON));
});

it("types YAML as Kubernetes does, not as JavaScript parsers do", () => {
  const { model } = read(`
apiVersion: v1
kind: Node
metadata: {name: n1}
spec: {taints: [{key: gpu, value: "yes", effect: NoSchedule}, {key: level, value: 010, effect: NoSchedule}]}
`);
  expect(summary(model)[1]).toBe("Node/n1 gpu=yes:NoSchedule level=8:NoSchedule");
});

it("follows anchors and merge keys of hand-written files", () => {
  const { model } = read(`
apiVersion: v1
kind: List
items:
- apiVersion: v1
  kind: Node
  metadata: {name: n1}
  spec: &tainted {taints: [{key: a, effect: NoSchedule}]}
- apiVersion: v1
  kind: Node
  metadata: {name: n2}
  spec: {<<: *tainted, unschedulable: true}
`);
  expect(summary(model).slice(1, 3)).toEqual(["Node/n1 a:NoSchedule", "Node/n2 a:NoSchedule"]);
  expect(model.nodes.get("n2")?.unschedulable).toBe(true);
});

it("gives items of a typed list the kind they leave out", () => {
  const { model } = read('{"apiVersion":"v1","items":[{"metadata":{"name":"n1"}}],"kind":"NodeList"}');
  expect([...model.nodes.keys()]).toEqual(["n1"]);
});

it("reads a large list item by item, and one odd item does not cost the rest", () => {
  const items = Array.from({ length: 3000 }, (_, index) => {
    const odd = index === 7 ? "    labels: {a: !!str 1}\n" : "";
    return `- apiVersion: v1\n  kind: Node\n  metadata:\n    name: node-${String(index).padStart(4, "0")}\n${odd}    annotations:\n      text: |\n        ---\n        - apiVersion\n`;
  });
  const text = `apiVersion: v1\nitems:\n${items.join("")}kind: List\nmetadata:\n  resourceVersion: ""\n`;
  const reading = read(text);
  expect(problemLines(reading)).toEqual([]);
  expect(reading.model.nodes.size).toBe(3000);
  expect(reading.model.nodes.get("node-0007")?.labels).toEqual({ a: "1" });
  const place = reading.model.nodes.get("node-2999")?.place;
  expect(text.slice(place?.offset, (place?.offset ?? 0) + 14)).toBe("apiVersion: v1");
});

it("leaves out kinds of the same name in other groups", () => {
  const { model } = read(`${RACK}---\napiVersion: crd.projectcalico.org/v1\nkind: Node\nmetadata: {name: calico}\n`);
  expect([...model.nodes.keys()]).toEqual(["cpu-1", "rdma-1"]);
});

it("knows the server's version from kubectl version -o json", () => {
  const version =
    '{"clientVersion":{"gitVersion":"v1.34.0"},"serverVersion":{"major":"1","minor":"37","gitVersion":"v1.37.2"}}';
  expect(read(`${KUBECTL_JSON}\n${version}`).model.serverVersion).toBe("1.37");
});
