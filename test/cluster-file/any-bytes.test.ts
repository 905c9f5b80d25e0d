// Whatever bytes come in: no throw, and never a silent empty cluster.
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { expect, it } from "vitest";
import { fixture, read } from "./support.ts";

const RACK = Buffer.from(fixture("rack.yaml"));
const JSON_RACK = Buffer.from(
  '{"apiVersion":"v1","items":[{"apiVersion":"v1","kind":"Node","metadata":{"name":"n1"}}],"kind":"List"}',
);

/** A node, or an error that says why there is none. */
function isHonest(bytes: Uint8Array): boolean {
  const { model, problems } = read(bytes);
  return model.nodes.size > 0 || problems.some(({ severity }) => severity === "error");
}

it("random bytes", () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 600 }), (bytes) => isHonest(bytes)));
});

it("random text that starts like something known", () => {
  const start = fc.constantFrom(
    "{",
    "[",
    '{"kind":',
    "apiVersion: v1\nitems:\n- ",
    "---\n",
    "==== START logs for container",
    "\u001f\u008b",
    "ustar",
  );
  fc.assert(fc.property(start, fc.string({ maxLength: 200 }), (head, tail) => isHonest(Buffer.from(head + tail))));
});

it("a dump with bytes changed, cut out or cut off", () => {
  const source = fc.constantFrom(RACK, JSON_RACK, gzipSync(RACK));
  fc.assert(
    fc.property(source, fc.nat(), fc.nat({ max: 40 }), fc.uint8Array({ maxLength: 4 }), (bytes, at, length, put) => {
      const place = at % bytes.length;
      return isHonest(Buffer.concat([bytes.subarray(0, place), put, bytes.subarray(place + length)]));
    }),
    { numRuns: 400 },
  );
});

it("objects of the right kind with anything in them", () => {
  const kinds = ["Node", "Pod", "Event", "Namespace", "DaemonSet", "CSINode", "RuntimeClass", "Lease", "NodeList"];
  const object = fc.record({
    apiVersion: fc.constantFrom("v1", "apps/v1", "storage.k8s.io/v1", "node.k8s.io/v1", "coordination.k8s.io/v1"),
    kind: fc.constantFrom(...kinds),
    metadata: fc.oneof(
      fc.anything(),
      fc.record({ name: fc.anything(), labels: fc.anything(), managedFields: fc.anything() }),
    ),
    spec: fc.oneof(
      fc.anything(),
      fc.record({ taints: fc.anything(), containers: fc.anything(), drivers: fc.anything() }),
    ),
    status: fc.oneof(fc.anything(), fc.record({ conditions: fc.anything(), capacity: fc.anything() })),
    items: fc.anything(),
  });
  fc.assert(
    fc.property(fc.array(object, { maxLength: 3 }), (objects) => {
      const text = JSON.stringify({ kind: "List", items: objects }, (_, value: unknown) =>
        typeof value === "bigint" || typeof value === "symbol" ? null : value,
      );
      expect(isHonest(Buffer.from(text))).toBe(true);
    }),
    { numRuns: 400 },
  );
});
