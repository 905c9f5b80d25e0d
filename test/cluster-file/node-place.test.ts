// Go to definition: from a node's taint to its line in the dump.
import { describe, expect, it } from "vitest";
import { nodeNameSpan, taintSpan } from "../../server/src/cluster/file/node-place.ts";
import { fixture, read } from "./support.ts";

const TAINT = { key: "dedicated", value: "rdma", effect: "NoSchedule" } as const;
const RACK = fixture("rack.yaml");
const KUBECTL = `apiVersion: v1
items:
- apiVersion: v1
  kind: Node
  metadata:
    name: cpu-1
- apiVersion: v1
  kind: Node
  metadata:
    name: rdma-1
  spec:
    taints:
    - effect: NoExecute
      key: dedicated
      value: rdma
    - effect: NoSchedule
      key: dedicated
      value: rdma
kind: List
`;

function found(text: string, taint: Parameters<typeof taintSpan>[2] = TAINT): string | null {
  const node = read(text).model.nodes.get("rdma-1")!;
  const span = taintSpan(text, node, taint);
  return span === null ? null : text.slice(span.start, span.end);
}

describe("a taint is found", () => {
  it("in a document", () => expect(found(RACK)).toBe("{key: dedicated, value: rdma, effect: NoSchedule}"));
  it("in kubectl's list", () =>
    expect(found(KUBECTL)).toBe("effect: NoSchedule\n      key: dedicated\n      value: rdma"));
  it("with CRLF line ends", () => expect(found(KUBECTL.replaceAll("\n", "\r\n"))).toContain("effect: NoSchedule"));
  it("in JSON", () => {
    const json =
      '{"kind":"NodeList","apiVersion":"v1","items":[{"metadata":{"name":"cpu-1"}},{"metadata":{"name":"rdma-1"},"spec":{"taints":[{"key":"dedicated","value":"rdma","effect":"NoSchedule"}]}}]}';
    expect(found(json)).toBe('{"key":"dedicated","value":"rdma","effect":"NoSchedule"}');
  });
  it("or the node's name", () => {
    const span = nodeNameSpan(KUBECTL, read(KUBECTL).model.nodes.get("rdma-1")!);
    expect(KUBECTL.slice(span?.start, span?.end)).toBe("rdma-1");
  });
});

describe("nothing is found", () => {
  it("for a taint the node does not have", () => expect(found(RACK, { ...TAINT, value: "other" })).toBeNull());
  it("in a text that has changed since", () => {
    const node = read(KUBECTL).model.nodes.get("rdma-1")!;
    expect(taintSpan("apiVersion: v1\nkind: ConfigMap\n", node, TAINT)).toBeNull();
    expect(taintSpan(RACK, node, TAINT)).toBeNull();
  });
  it("for a live node", () => expect(taintSpan(RACK, { name: "rdma-1", place: null }, TAINT)).toBeNull());
});
