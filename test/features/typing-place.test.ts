// Where somebody types: block and flow style, half-written lines, lists at the column of their key.
import { expect, test } from "vitest";
import { typingPlace } from "../../server/src/features/editor/typing-place.ts";

/** The place of `$0` as `keys | value of | typed | column`. */
function at(marked: string): string {
  const offset = marked.indexOf("$0");
  const place = typingPlace(marked.replace("$0", ""), offset);
  return [place.keys.join("."), place.valueOf ?? "", place.typed, place.column].join(" | ");
}

test.each([
  ["the value of a key in an item", "spec:\n  tolerations:\n  - key: ded$0\n", "spec.tolerations.- | key | ded | 4"],
  ["the next field of the item", "spec:\n  tolerations:\n  - key: a\n    eff$0\n", "spec.tolerations.- |  | eff | 4"],
  ["a new item", "spec:\n  tolerations:\n  - $0\n", "spec.tolerations.- |  |  | 4"],
  ["a new item after another one", "spec:\n  tolerations:\n    - key: a\n    - $0", "spec.tolerations.- |  |  | 6"],
  ["an empty line below the key", "spec:\n  tolerations:\n    $0\n", "spec.tolerations |  |  | 4"],
  ["a selector entry", "spec:\n  nodeSelector:\n    po$0\n  containers: []\n", "spec.nodeSelector |  | po | 4"],
  ["a selector value", "spec:\n  nodeSelector:\n    pool: $0\n", "spec.nodeSelector | pool |  | 4"],
  ["inside flow braces", "spec:\n  tolerations: [{key: a, operator: $0}]\n", "spec.tolerations.- | operator |  | 2"],
  ["a key in flow braces", "spec:\n  nodeSelector: {po$0}\n", "spec.nodeSelector |  | po | 2"],
  ["a flow item in a block list", "tolerations:\n- {key: x, effect: No$0\n", "tolerations.- | effect | No | 2"],
  ["the second document", "a:\n  b: 1\n---\nspec:\n  tolerations:\n  - key: $0", "spec.tolerations.- | key |  | 4"],
])("%s", (_what, text, expected) => {
  expect(at(text)).toBe(expected);
});

test("what the item already holds", () => {
  const text = "tolerations:\n- key: dedicated\n  operator: Equal\n  value: $0\n  effect: NoSchedule\n- key: other\n";
  const place = typingPlace(text.replace("$0", ""), text.indexOf("$0"));
  expect([...place.siblings]).toEqual([
    ["value", ""],
    ["operator", "Equal"],
    ["key", "dedicated"],
    ["effect", "NoSchedule"],
  ]);
});
