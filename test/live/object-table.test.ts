// The objects of a live cluster in the list that is given out: against a plain map, and what was given out stays.
import fc from "fast-check";
import { expect, test } from "vitest";
import { ObjectTable } from "../../server/src/cluster/live/object-table.ts";

const namespaces = fc.constantFrom("", "shop", "platform");
const names = fc.constantFrom("a", "b", "c", "d");
const steps = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant("set" as const), namespace: namespaces, name: names, value: fc.nat(9) }),
    fc.record({ kind: fc.constant("delete" as const), namespace: namespaces, name: names }),
    fc.record({ kind: fc.constant("give out" as const) }),
  ),
  { maxLength: 60 },
);

test("a table holds what a map would, and a list that was given out is never changed", () => {
  fc.assert(
    fc.property(steps, (taken) => {
      const table = new ObjectTable<string>();
      const plain = new Map<string, string>();
      const given: (readonly [list: readonly string[], copy: readonly string[]])[] = [];
      for (const step of taken) {
        if (step.kind === "give out") given.push([table.values, [...table.values]]);
        else if (step.kind === "delete") {
          const key = `${step.namespace}/${step.name}`;
          expect(table.delete(step.namespace, step.name)).toBe(plain.delete(key));
        } else {
          const key = `${step.namespace}/${step.name}`;
          table.set(step.namespace, step.name, `${key}=${step.value}`);
          plain.set(key, `${key}=${step.value}`);
        }
      }
      expect([...table.values].sort()).toEqual([...plain.values()].sort());
      expect(new Map([...table.entries()].map(([space, name, value]) => [`${space}/${name}`, value]))).toEqual(plain);
      for (const [key, value] of plain) expect(table.get(...parted(key))).toBe(value);
      for (const [list, copy] of given) expect(list).toEqual(copy);
    }),
  );
});

function parted(key: string): [string, string] {
  const slash = key.indexOf("/");
  return [key.slice(0, slash), key.slice(slash + 1)];
}

test("a changed object keeps its place, so that lists stay in the order of the server", () => {
  const table = new ObjectTable<string>();
  for (const name of ["a", "b", "c"]) table.set("shop", name, name);
  table.set("shop", "b", "b, changed");
  expect(table.values).toEqual(["a", "b, changed", "c"]);
});
