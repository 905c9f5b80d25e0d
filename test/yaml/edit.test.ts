// Source-preserving edits: what the text looks like afterwards, to the byte.
import { describe, expect, test } from "vitest";
import { applyEdits } from "../../server/src/text/edits.ts";
import * as edit from "../../server/src/yaml/edit/index.ts";
import { toPlain } from "../../server/src/yaml/locate.ts";
import { parseText } from "../../server/src/yaml/parse.ts";
import type { YamlPath } from "../../server/src/yaml/tree.ts";

const RDMA = { key: "dedicated", operator: "Equal", value: "rdma", effect: "NoSchedule" };

function targetOf(text: string): edit.EditTarget {
  const document = parseText(text);
  if (document.root === null) throw new Error("the fixture holds nothing");
  return { text, document, root: document.root };
}

/** The text after an edit, parsed again to be sure that it still is YAML; null where no edit is offered. */
function edited(text: string, make: (target: edit.EditTarget) => edit.Edits): string | null {
  const edits = make(targetOf(text));
  if (edits === null) return null;
  const result = applyEdits(text, edits);
  expect(parseText(result).problems).toEqual([]);
  return result;
}

const lines = (...rows: string[]): string => `${rows.join("\n")}\n`;
const add =
  (path: YamlPath, before: string[] = ["containers"]) =>
  (target: edit.EditTarget) =>
    edit.appendItems(target, path, [RDMA], before);

describe("a toleration appended", () => {
  test("to a block list that stands under its key", () => {
    const text = lines(
      "spec:",
      "  tolerations:",
      "  - key: a   # why",
      "    operator: Exists",
      "  # next",
      "  containers: []",
    );
    expect(edited(text, add(["spec", "tolerations"]))).toBe(
      lines(
        "spec:",
        "  tolerations:",
        "  - key: a   # why",
        "    operator: Exists",
        "  - key: dedicated",
        "    operator: Equal",
        "    value: rdma",
        "    effect: NoSchedule",
        "  # next",
        "  containers: []",
      ),
    );
  });

  test("to an indented block list with wide dashes and CRLF, without final line end", () => {
    const text = "spec:\r\n    tolerations:\r\n      -   key: a\r\n          operator: Exists";
    expect(edited(text, add(["spec", "tolerations"]))).toBe(
      `${text}\r\n      -   key: dedicated\r\n          operator: Equal\r\n          value: rdma\r\n          effect: NoSchedule`,
    );
  });

  test("to a block list of flow mappings", () => {
    const text = lines("tolerations:", "  - {key: a, operator: Exists}", "containers: []");
    expect(edited(text, add(["tolerations"]))).toBe(
      lines(
        "tolerations:",
        "  - {key: a, operator: Exists}",
        "  - {key: dedicated, operator: Equal, value: rdma, effect: NoSchedule}",
        "containers: []",
      ),
    );
  });

  test("to a flow list, before its comment", () => {
    const text = lines("tolerations: [{operator: Exists, key: a}] # one", "containers: []");
    expect(edited(text, add(["tolerations"]))).toBe(
      lines(
        "tolerations: [{operator: Exists, key: a}, {key: dedicated, operator: Equal, value: rdma, effect: NoSchedule}] # one",
        "containers: []",
      ),
    );
  });

  test("to a flow list with a comma at its end", () => {
    const text = lines("tolerations: [", "  {key: a},", "]");
    expect(edited(text, add(["tolerations"]))).toBe(
      lines(
        "tolerations: [",
        "  {key: a},",
        "  {key: dedicated, operator: Equal, value: rdma, effect: NoSchedule},",
        "]",
      ),
    );
  });

  test("to JSON", () => {
    const text = `${JSON.stringify({ tolerations: [{ key: "a", operator: "Exists" }] }, null, 2)}\n`;
    expect(edited(text, add(["tolerations"]))).toBe(
      `${JSON.stringify({ tolerations: [{ key: "a", operator: "Exists" }, RDMA] }, null, 2)}\n`,
    );
  });

  test("to a JSON object without tolerations, in one line", () => {
    expect(edited('{"spec":{"containers":[]}}', add(["spec", "tolerations"]))).toBe(
      '{"spec":{"tolerations": [{"key": "dedicated", "operator": "Equal", "value": "rdma", "effect": "NoSchedule"}], "containers":[]}}',
    );
  });

  test("to an empty flow list in block surroundings, its comment kept", () => {
    const text = lines("spec:", "  tolerations: [] # none yet", "  containers:", "    - name: c");
    expect(edited(text, add(["spec", "tolerations"]))).toBe(
      lines(
        "spec:",
        "  tolerations: # none yet",
        "    - key: dedicated",
        "      operator: Equal",
        "      value: rdma",
        "      effect: NoSchedule",
        "  containers:",
        "    - name: c",
      ),
    );
  });

  test.each(["", " null", " ~"])("to a key without value (%j)", (value) => {
    const text = lines("spec:", `  tolerations:${value}`, "  containers:", "  - name: c");
    expect(edited(text, add(["spec", "tolerations"]))).toBe(
      lines(
        "spec:",
        "  tolerations:",
        "  - key: dedicated",
        "    operator: Equal",
        "    value: rdma",
        "    effect: NoSchedule",
        "  containers:",
        "  - name: c",
      ),
    );
  });

  test("to a pod spec without tolerations, before the containers and their comment", () => {
    const text = lines("spec:", "    hostNetwork: true", "    # the agent", "    containers:", "      - name: c");
    expect(edited(text, add(["spec", "tolerations"]))).toBe(
      lines(
        "spec:",
        "    hostNetwork: true",
        "    tolerations:",
        "      - key: dedicated",
        "        operator: Equal",
        "        value: rdma",
        "        effect: NoSchedule",
        "    # the agent",
        "    containers:",
        "      - name: c",
      ),
    );
  });

  test("to a pod spec in flow style", () => {
    expect(edited("spec: {containers: [{name: c}]}\n", add(["spec", "tolerations"]))).toBe(
      "spec: {tolerations: [{key: dedicated, operator: Equal, value: rdma, effect: NoSchedule}], containers: [{name: c}]}\n",
    );
  });

  test("quotes only what Kubernetes would read as something else", () => {
    const value = { key: "node-role.kubernetes.io/x", value: "true", effect: "n" };
    const text = lines("tolerations:", "- key: a");
    expect(edited(text, (target) => edit.appendItems(target, ["tolerations"], [value]))).toBe(
      lines("tolerations:", "- key: a", "- key: node-role.kubernetes.io/x", '  value: "true"', '  effect: "n"'),
    );
  });
});

describe("no edit is offered", () => {
  test("through an alias, nor in a list that an alias shares", () => {
    const text = lines("a:", "  tolerations: &t", "  - key: a", "b:", "  tolerations: *t");
    expect(edited(text, add(["a", "tolerations"]))).toBeNull();
    expect(edited(text, add(["b", "tolerations"]))).toBeNull();
    expect(edit.aliasAt(targetOf(text), ["b", "tolerations"])).toBe("t");
  });

  test("in entries that a merge key brings in", () => {
    const text = lines("a: &x", "  tolerations: [{key: a}]", "b:", "  <<: *x", "  c: d");
    expect(edited(text, add(["b", "tolerations"]))).toBeNull();
    expect(edited(text, (target) => edit.removeEntry(target, ["b", "tolerations"]))).toBeNull();
  });
});

describe("a list behind an alias, written out at its use", () => {
  const unfold = (target: edit.EditTarget) =>
    edit.unfoldAndAppend(target, ["b", "tolerations"], [{ key: "x", operator: "Exists" }]);

  test("in block style, its comment kept", () => {
    const text = lines("a:", "  tolerations: &t", "  - key: a", "b:", "  tolerations: *t # shared", "  c: d");
    expect(edited(text, unfold)).toBe(
      lines(
        "a:",
        "  tolerations: &t",
        "  - key: a",
        "b:",
        "  tolerations: # shared",
        "  - key: a",
        "  - key: x",
        "    operator: Exists",
        "  c: d",
      ),
    );
  });

  test("in flow style", () => {
    const text = "{a: {tolerations: &t [{key: a}]}, b: {tolerations: *t}}\n";
    expect(edited(text, unfold)).toBe(
      "{a: {tolerations: &t [{key: a}]}, b: {tolerations: [{key: a}, {key: x, operator: Exists}]}}\n",
    );
  });

  test("not where the key itself comes from elsewhere", () => {
    expect(edited(lines("a: &x", "  tolerations: [{key: a}]", "b: *x"), unfold)).toBeNull();
    expect(edited(lines("a: &x", "  tolerations: [{key: a}]", "b:", "  <<: *x"), unfold)).toBeNull();
  });
});

describe("a key inserted", () => {
  const insert =
    (path: YamlPath, key: string, value: edit.PlainValue, before: string[] = []) =>
    (target: edit.EditTarget) =>
      edit.insertEntry(target, path, key, value, before);

  test("at the end of a mapping, behind nested values", () => {
    const text = lines("spec:", "  containers:", "  - name: c", "    args:", "    - |", "      text", "", "other: 1");
    expect(edited(text, insert(["spec"], "nodeSelector", { "kubernetes.io/os": "linux" }))).toBe(
      lines(
        "spec:",
        "  containers:",
        "  - name: c",
        "    args:",
        "    - |",
        "      text",
        "  nodeSelector:",
        "    kubernetes.io/os: linux",
        "",
        "other: 1",
      ),
    );
  });

  test("before the first key of a list item", () => {
    const text = lines("list:", "- name: x", "  b: 1");
    expect(edited(text, insert(["list", 0], "a", "z", ["name"]))).toBe(lines("list:", "- a: z", "  name: x", "  b: 1"));
  });

  test("into an empty and an absent mapping", () => {
    const selector = (text: string) => edited(text, insert(["spec", "nodeSelector"], "pool", "rdma"));
    expect(selector(lines("spec:", "  nodeSelector: {}"))).toBe(lines("spec:", "  nodeSelector: {pool: rdma}"));
    expect(selector(lines("spec:", "  nodeSelector:"))).toBe(lines("spec:", "  nodeSelector:", "    pool: rdma"));
    expect(selector(lines("spec:", "  a: 1"))).toBe(lines("spec:", "  a: 1", "  nodeSelector:", "    pool: rdma"));
  });
});

describe("a scalar", () => {
  const set = (text: string, value: string | number) =>
    edited(text, (target) => edit.setScalar(target, ["value"], value));

  test("keeps its quotes when set", () => {
    expect(set("value: 'a' # c\n", "it's")).toBe("value: 'it''s' # c\n");
    expect(set('value: "a"\n', "b")).toBe('value: "b"\n');
    expect(set("value: a\n", "true")).toBe('value: "true"\n');
    expect(set("value: a\n", "b")).toBe("value: b\n");
    expect(set("value:\n", "b")).toBe("value: b\n");
    expect(set('value: "5"\n', 5)).toBe("value: 5\n");
  });

  test("is quoted as it is written", () => {
    const quote = (text: string) => edited(text, (target) => edit.quoteScalar(target, ["value"]));
    expect(quote("value: yes\n")).toBe('value: "yes"\n');
    expect(quote("value: 010 # c\n")).toBe('value: "010" # c\n');
    expect(quote("{value: 1.10}\n")).toBe('{value: "1.10"}\n');
    expect(quote("value: !!bool true\n")).toBeNull();
  });

  test("loses its quotes when a number is meant", () => {
    const unquote = (text: string) => edited(text, (target) => edit.unquoteScalar(target, ["value"]));
    expect(unquote("value: '300'\n")).toBe("value: 300\n");
    expect(unquote('value: "soon"\n')).toBeNull();
  });
});

describe("removed", () => {
  const remove =
    (...indices: number[]) =>
    (target: edit.EditTarget) =>
      edit.removeItems(target, ["tolerations"], indices);

  test("an item of a block list, comments above it kept", () => {
    const text = lines("tolerations:", "# first", "- key: a # gone", "  operator: Exists", "# second", "- key: b");
    expect(edited(text, remove(0))).toBe(lines("tolerations:", "# first", "# second", "- key: b"));
    expect(edited(text, remove(1))).toBe(
      lines("tolerations:", "# first", "- key: a # gone", "  operator: Exists", "# second"),
    );
  });

  test("the only item of a block list", () => {
    const text = lines("spec:", "  tolerations: # none", "  - key: a", "    operator: Exists", "  containers: []");
    expect(edited(text, (target) => edit.removeItem(target, ["spec", "tolerations", 0]))).toBe(
      lines("spec:", "  tolerations: [] # none", "  containers: []"),
    );
  });

  test("items of a flow list", () => {
    const text = "tolerations: [{key: a}, {key: b}, {key: c}]\n";
    expect(edited(text, remove(0))).toBe("tolerations: [{key: b}, {key: c}]\n");
    expect(edited(text, remove(1))).toBe("tolerations: [{key: a}, {key: c}]\n");
    expect(edited(text, remove(2))).toBe("tolerations: [{key: a}, {key: b}]\n");
    expect(edited(text, remove(1, 2))).toBe("tolerations: [{key: a}]\n");
    expect(edited(text, remove(0, 1, 2))).toBe("tolerations: []\n");
  });

  test("a key", () => {
    const gone = (text: string, path: YamlPath) => edited(text, (target) => edit.removeEntry(target, path));
    expect(gone(lines("a: 1", "b: # c", "  c: 1", "d: 2"), ["b"])).toBe(lines("a: 1", "d: 2"));
    expect(gone(lines("l:", "- a: 1", "  b: 2"), ["l", 0, "a"])).toBe(lines("l:", "- b: 2"));
    expect(gone("{a: 1, b: 2}\n", ["b"])).toBe("{a: 1}\n");
    expect(gone("a: 1\nb: 2", ["b"])).toBe("a: 1");
    expect(gone(lines("a:", "  b: 1", "c: 2"), ["a", "b"])).toBe(lines("a: {}", "c: 2"));
  });

  test("an item replaced by two", () => {
    const replace = (text: string) =>
      edited(text, (target) => edit.replaceItem(target, ["tolerations", 0], [{ key: "a" }, { key: "b" }]));
    expect(replace(lines("tolerations:", "- operator: Exists # all", "x: 1"))).toBe(
      lines("tolerations:", "- key: a", "- key: b # all", "x: 1"),
    );
    expect(replace("tolerations: [{operator: Exists}]\n")).toBe("tolerations: [{key: a}, {key: b}]\n");
  });
});

describe("moved", () => {
  test("tolerations from the workload's spec to the pod's", () => {
    const text = lines(
      "spec:",
      "  tolerations: # for the pool",
      "  - key: media",
      "    operator: Exists",
      "  template:",
      "    spec:",
      "      # one container",
      "      containers:",
      "      - name: c",
    );
    const path = ["spec", "tolerations"];
    expect(edited(text, (target) => edit.moveEntry(target, path, ["spec", "template", "spec"], ["containers"]))).toBe(
      lines(
        "spec:",
        "  template:",
        "    spec:",
        "      tolerations: # for the pool",
        "      - key: media",
        "        operator: Exists",
        "      # one container",
        "      containers:",
        "      - name: c",
      ),
    );
  });

  test("tolerations out of affinity, which then is empty", () => {
    const text = lines("spec:", "  affinity:", "    tolerations: [{key: a}]", "  containers: []");
    expect(
      edited(text, (target) => edit.moveEntry(target, ["spec", "affinity", "tolerations"], ["spec"], ["containers"])),
    ).toBe(lines("spec:", "  affinity: {}", "  tolerations: [{key: a}]", "  containers: []"));
  });

  test("from flow to flow", () => {
    const text = "{spec: {tolerations: [{key: a}], template: {spec: {containers: []}}}}\n";
    expect(
      edited(text, (target) =>
        edit.moveEntry(target, ["spec", "tolerations"], ["spec", "template", "spec"], ["containers"]),
      ),
    ).toBe("{spec: {template: {spec: {tolerations: [{key: a}], containers: []}}}}\n");
  });
});

describe("wrapped into a list", () => {
  const wrap = (target: edit.EditTarget) => edit.wrapInList(target, ["tolerations"]);

  test("a block mapping", () => {
    const text = lines("tolerations:", "  key: a # c", "", "  # why", "  operator: Exists", "x: 1");
    const result = edited(text, wrap);
    expect(result).toBe(lines("tolerations:", "  - key: a # c", "", "    # why", "    operator: Exists", "x: 1"));
  });

  test("a flow mapping", () => {
    expect(edited("tolerations: {key: a} # c\n", wrap)).toBe("tolerations: [{key: a}] # c\n");
  });
});

test("edits do what they say, whatever the style", () => {
  const value = { tolerations: [{ key: "a" }], containers: [{ name: "c" }] };
  for (const text of [
    lines("tolerations:", "- key: a", "containers:", "- name: c"),
    JSON.stringify(value),
    JSON.stringify(value, null, "\t"),
  ]) {
    const result = edited(text, add(["tolerations"]));
    expect(toPlain(parseText(result ?? "").root)).toEqual({ ...value, tolerations: [{ key: "a" }, RDMA] });
  }
});
