// Reported faults of other language servers, held against this one: what a text may look like.

import { expect, test } from "vitest";
import type { Diagnostic } from "vscode-languageserver/node";
import { DocumentNote, type DocumentNoteParams } from "../../shared/src/protocol.ts";
import { brief, type Editor, startEditor, until } from "./editor.ts";
import { agent, CLUSTER, RDMA } from "./fixtures.ts";

const WITH_CLUSTER = { files: { "cluster.yaml": CLUSTER }, settings: { cluster: { file: "cluster.yaml" } } };

const codes = (diagnostics: readonly Diagnostic[]) => diagnostics.map(({ code }) => code);

/** Opens a text and returns what is said of it, once a cluster (where there is one) was read. */
async function said(editor: Editor, path: string, text: string): Promise<readonly Diagnostic[]> {
  editor.open(path, text);
  return editor.pushedWhen(path);
}

/** The text after the preferred fix of a code. */
async function fixed(editor: Editor, path: string, code: string): Promise<string> {
  const found = await editor.pushedWhen(path, (all) => codes(all).includes(code));
  const diagnostic = found.find((each) => each.code === code);
  if (diagnostic === undefined) throw new Error(`no ${code}`);
  const actions = await editor.actions(path, diagnostic.range);
  const preferred = actions.find((action) => action.isPreferred && action.diagnostics !== undefined);
  if (preferred?.edit === undefined)
    throw new Error(`no preferred fix among ${actions.map(({ title }) => title).join(", ")}`);
  return editor.applied(path, preferred.edit);
}

/** The notes that the server sends about documents, by URI, the last one counts. */
function notesOf(editor: Editor): ReadonlyMap<string, DocumentNoteParams> {
  const notes = new Map<string, DocumentNoteParams>();
  editor.connection.onNotification(DocumentNote.method, (params: DocumentNoteParams) => {
    notes.set(params.uri, params);
  });
  return notes;
}

const pod = (tolerations: string): string =>
  `apiVersion: v1\nkind: Pod\nmetadata: {annotations: {n: "🚀漢字é👩‍🚀"}, name: x} # 🥺\nspec: {tolerations: [${tolerations}], containers: [{name: a, image: a}]}\n`;

test("K33: ranges are UTF-16 behind emoji, CJK and combining marks", async () => {
  const editor = await startEditor();
  const text = pod('{key: "🚀👩‍🚀漢é", operator: Exist}');
  const found = await said(editor, "x.yaml", text);
  const operator = found.find(({ message }) => String(message).includes("Exist"));
  expect(operator?.range).toEqual(editor.rangeOf("x.yaml", "Exist"));
  // The line before holds the column in UTF-16 units, neither bytes nor code points.
  const line = text.split("\n")[3] ?? "";
  expect(operator?.range.start.character).toBe(line.indexOf("Exist"));
});

test("K33: an edit between the halves of a pair, behind the last line or behind a line's end is no crash", async () => {
  const editor = await startEditor();
  const text = pod("{key: a, operator: Exist}");
  await said(editor, "x.yaml", text);
  const rocket = text.split("\n")[2]?.indexOf("🚀") ?? 0;
  const at = (line: number, character: number) => ({ start: { line, character }, end: { line, character } });
  editor.change("x.yaml", [{ range: at(2, rocket + 1), text: "x" }]);
  editor.change("x.yaml", [{ range: at(99, 3), text: "# end\n" }]);
  editor.change("x.yaml", [{ range: at(1, 9999), text: " # a Pod" }]);
  const found = await editor.pushedWhen("x.yaml", () => editor.pushes.at(-1)?.version === 4);
  expect(codes(found)).toEqual(["toleration-invalid"]);
  expect(found[0]?.range).toEqual(editor.rangeOf("x.yaml", "Exist"));
  const far = { start: { line: 0, character: 9999 }, end: { line: 999, character: 9999 } };
  const actions = await editor.actions("x.yaml", far);
  expect(actions.map(({ title }) => title)).toContain("Silence toleration-invalid here");
  expect(await editor.ask("hover", "x.yaml", { position: { line: 999, character: 1 } })).toBeNull();
  expect(editor.log.filter((line) => /error|RangeError/i.test(line))).toEqual([]);
});

const withEnds = (text: string, end: string): string => text.replaceAll("\n", end);

test("K34: Windows line ends: the same findings, and a fix that writes them", async () => {
  const editor = await startEditor(WITH_CLUSTER);
  const text = agent("logger", ["{key: other, operator: Exists}"]);
  editor.open("lf.yaml", text);
  editor.open("crlf.yaml", withEnds(text, "\r\n"));
  const unix = await editor.pushedWhen("lf.yaml", (all) => codes(all).includes("toleration-gap"));
  const windows = await editor.pushedWhen("crlf.yaml", (all) => codes(all).includes("toleration-gap"));
  expect(windows.map(({ range, code, message }) => ({ range, code, message }))).toEqual(
    unix.map(({ range, code, message }) => ({ range, code, message })),
  );
  const after = await fixed(editor, "crlf.yaml", "toleration-gap");
  expect(after).toBe(withEnds(await fixed(editor, "lf.yaml", "toleration-gap"), "\r\n"));
  expect(after.split("\r\n")).toHaveLength(text.split("\n").length + 1);
});

test("K34: a last line without an end gets one before a new line is written", async () => {
  const editor = await startEditor(WITH_CLUSTER);
  const text = [
    "apiVersion: apps/v1",
    "kind: DaemonSet",
    "metadata: {name: logger}",
    "spec:",
    "  selector: {matchLabels: {app: logger}}",
    "  template:",
    "    metadata: {labels: {app: logger}}",
    "    spec:",
    "      nodeSelector: {kubernetes.io/os: linux}",
    "      containers: [{name: a, image: a, volumeMounts: [{name: l, mountPath: /var/log/pods, readOnly: true}]}]",
    "      volumes: [{name: l, hostPath: {path: /var/log/pods}}]",
    "      tolerations:",
    "      - key: a",
    "        operator: Exists",
  ].join("\r\n");
  editor.open("end.yaml", text);
  const after = await fixed(editor, "end.yaml", "toleration-gap");
  expect(after.startsWith(`${text}\r\n`)).toBe(true);
  expect(after.slice(text.length).replaceAll("\r\n", "")).not.toMatch(/[\r\n]/);
  expect(after.slice(text.length)).toContain("\r\n      - key: dedicated\r\n        operator: Equal\r\n");
});

test("K34: a byte order mark stays where it is and is no column of a first line", async () => {
  const editor = await startEditor(WITH_CLUSTER);
  const text = `\uFEFF${agent("logger", ["{key: other, operator: Exists}"])}`;
  editor.open("bom.yaml", text);
  const after = await fixed(editor, "bom.yaml", "toleration-gap");
  expect(after.startsWith("\uFEFFapiVersion: apps/v1\n")).toBe(true);
  editor.open("plain.yaml", text.slice(1));
  const plain = await editor.pushedWhen("plain.yaml", (all) => codes(all).includes("toleration-gap"));
  expect((await editor.pushedWhen("bom.yaml")).map(brief)).toEqual(plain.map(brief));
});

test("K34: line ends of old Macs are no crash, and lines are counted as the editor counts them", async () => {
  const editor = await startEditor();
  const found = await said(editor, "mac.yaml", withEnds(pod("{key: a, operator: Exist}"), "\r"));
  for (const { range } of found) expect(range.end.line).toBeLessThanOrEqual(4);
  expect(editor.log.filter((line) => /error/i.test(line))).toEqual([]);
});

test("K35: a run of tabs is one finding, the document's rules are silent and the next document is checked", async () => {
  const editor = await startEditor();
  const broken =
    "apiVersion: v1\nkind: Pod\nmetadata: {name: tabs}\nspec:\n\ttolerations:\n\t- key: a\n\t  operator: Exist\n";
  const found = await said(editor, "tabs.yaml", `${broken}---\n${pod("{key: b, operator: Exist}")}`);
  expect(codes(found)).toEqual(["yaml-problem", "toleration-invalid"]);
  expect(found[1]?.message).toContain("Exist");
  const legal = await said(
    editor,
    "legal.yaml",
    pod("{key:\ta, operator:\tExists}\t").replace("kind: Pod", "kind: Pod\t# fine"),
  );
  expect(legal).toEqual([]);
});

test("K36: a fix changes what it must and no byte beside it", async () => {
  const editor = await startEditor(WITH_CLUSTER);
  const text = agent("logger").replace(
    "      nodeSelector:",
    [
      "      tolerations:",
      "      - {key: a, operator: Exists}   # keep",
      "",
      "",
      "      - key: 'b'",
      "        operator:   Equal",
      "        value: '0x1F'",
      "      # a comment behind the last one",
      "",
      "      nodeSelector:",
    ].join("\n"),
  );
  editor.open("minimal.yaml", text);
  const after = await fixed(editor, "minimal.yaml", "toleration-gap");
  const inserted = after.split("\n").filter((line) => !text.split("\n").includes(line));
  expect(inserted.join("\n")).toMatch(
    /^ {6}- key: ['"]?dedicated['"]?\n {8}operator: ['"]?Equal['"]?\n {8}value: ['"]?rdma['"]?\n {8}effect: ['"]?NoSchedule['"]?$/,
  );
  const lines = after.split("\n");
  lines.splice(lines.indexOf(inserted[0] ?? ""), inserted.length);
  expect(lines.join("\n")).toBe(text);
  expect(after.indexOf("- key: dedicated")).toBeLessThan(after.indexOf("# a comment behind the last one"));
});

test("K36: flow stays flow", async () => {
  const editor = await startEditor(WITH_CLUSTER);
  const text = agent("logger").replace(
    "      nodeSelector:",
    "      tolerations: [{key: a, operator: Exists}]  # flow\n      nodeSelector:",
  );
  editor.open("flow.yaml", text);
  expect(await fixed(editor, "flow.yaml", "toleration-gap")).toBe(
    text.replace("operator: Exists}]", `operator: Exists}, ${RDMA}]`),
  );
});

test("K37: the fix goes into the document it was offered in, among namesakes and text that looks like YAML", async () => {
  const editor = await startEditor(WITH_CLUSTER);
  const config =
    "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata:\n  x: |\n    ---\n    tolerations: here is only text\n";
  const tolerant = agent("same-name", [RDMA]);
  const lacking = agent("same-name");
  const text = `${config}--- # second\n${tolerant}...\n---\n${lacking}...\n---\n${tolerant}`;
  editor.open("many.yaml", text);
  const found = await editor.pushedWhen("many.yaml", (all) => all.length > 0);
  const start = text.indexOf(`...\n---\n${lacking}`) + "...\n---\n".length;
  expect(found.map(({ code, range }) => [code, editor.document("many.yaml").offsetAt(range.start)])).toEqual([
    ["toleration-gap", text.indexOf("same-name", start)],
  ]);
  const after = await fixed(editor, "many.yaml", "toleration-gap");
  expect(after.slice(0, start)).toBe(text.slice(0, start));
  expect(after.endsWith(`...\n---\n${tolerant}`)).toBe(true);
  expect(after.match(/key: dedicated/g)).toHaveLength(3);
  editor.change("many.yaml", after);
  await editor.pushedWhen("many.yaml", (all) => all.length === 0);
});

test("K39: empty documents are silent, items of a List are checked, a broken document hides nothing", async () => {
  const editor = await startEditor();
  const text = [
    "---",
    "# rendered: nothing",
    "---",
    "apiVersion: v1",
    "kind: List",
    "items:",
    "- {apiVersion: apps/v1, kind: DaemonSet, metadata: {name: d}, spec: {selector: {}, template: {spec: {tolerations: [{operator: Exist}], containers: [{name: a, image: a}]}}}}",
    "---",
    "apiVersion: v1",
    "kind: Pod",
    "spec: {containers: [",
    "---",
    "apiVersion: v1",
    "kind: Pod",
    "metadata: {name: p}",
    "spec: {tolerations: [{operator: Exits}], containers: [{name: a, image: a}]}",
    "",
  ].join("\n");
  const found = await said(editor, "list.yaml", text);
  const briefs = found.map(brief);
  expect(briefs.filter((each) => each.includes("yaml-problem"))).toHaveLength(1);
  const invalid = found.filter(({ code }) => code === "toleration-invalid").map(({ range }) => range);
  expect(invalid).toContainEqual(editor.rangeOf("list.yaml", "Exist"));
  expect(invalid).toContainEqual(editor.rangeOf("list.yaml", "Exits"));
});

test("K39: a quote that never ends swallows the rest, and that is said", async () => {
  const editor = await startEditor();
  const text = `apiVersion: v1\nkind: Pod\nmetadata: {name: "p}\nspec: {containers: []}\n---\n${pod("{operator: Exist}").replaceAll('"', "")}`;
  const found = await said(editor, "quote.yaml", text);
  expect(codes(found)).toContain("yaml-problem");
  expect(found.find(({ code }) => code === "yaml-problem")?.message).toMatch(/rest of the file|beyond this point/);
});

test("K48: a template is left alone without one finding, and a note says so once", async () => {
  const editor = await startEditor({
    ...WITH_CLUSTER,
    files: { ...WITH_CLUSTER.files, "chart/Chart.yaml": "apiVersion: v2\nname: c\nversion: 1.0.0\n" },
  });
  const notes = notesOf(editor);
  const template = [
    "apiVersion: apps/v1",
    "kind: DaemonSet",
    "metadata: {name: templated}",
    "spec:",
    "  replicas: {{ .Values.n }}",
    "  {{- if .Values.t }}",
    "  tolerations: {{ toYaml .Values.t | nindent 4 }}",
    "  {{- end }}",
    "  nodeSelector: {pool: {{ .Values.pool }}}",
    "",
  ].join("\n");
  expect(await said(editor, "anywhere.yaml", template)).toEqual([]);
  expect(notes.get(editor.uri("anywhere.yaml"))?.note).toBe("template");
  expect(await editor.actions("anywhere.yaml", "replicas")).toEqual([]);
  // One that a YAML parser does not even stumble over.
  const quiet = agent("quiet").replace("name: quiet, namespace: monitoring", "name: {{ .Values.name }}");
  expect(await said(editor, "chart/templates/quiet.yaml", quiet)).toEqual([]);
  expect(notes.get(editor.uri("chart/templates/quiet.yaml"))?.note).toBe("template");
  // Braces in a comment or in plain text make no template.
  const plain = agent("plain").replace("spec:", "# {{ not a template }}\nspec:");
  editor.open("plain.yaml", plain);
  await editor.pushedWhen("plain.yaml", (all) => codes(all).includes("toleration-gap"));
});

test("what a cluster returned is no source: no findings, and a note that says what the file is good for", async () => {
  const editor = await startEditor(WITH_CLUSTER);
  const notes = notesOf(editor);
  const item = agent("dumped", ["{key: a, operator: Exist}"]).replace(
    "name: dumped",
    'name: dumped, uid: u, resourceVersion: "7"',
  );
  const dump = `apiVersion: v1\nkind: List\nitems:\n- ${item.trimEnd().replaceAll("\n", "\n  ")}\n`;
  expect(await said(editor, "dump.yaml", dump)).toEqual([]);
  expect(notes.get(editor.uri("dump.yaml"))).toMatchObject({
    note: "record",
    message: "Not judged: these objects are what a cluster returned. The file can be used as the cluster instead.",
  });
  // Alone, as `kubectl edit` opens it.
  expect(codes(await said(editor, "edit.yaml", item))).toContain("toleration-invalid");
});

test("K49: a file in a merge conflict gets one line of information, no rules and no fixes", async () => {
  const editor = await startEditor(WITH_CLUSTER);
  const notes = notesOf(editor);
  const text = agent("logger", ["{key: a, operator: Exist}"]).replace(
    "      nodeSelector:",
    "<<<<<<< HEAD\n      hostNetwork: true\n=======\n      hostNetwork: false\n>>>>>>> other\n      nodeSelector:",
  );
  const [notice, ...others] = await said(editor, "conflict.yaml", text);
  expect(others).toEqual([]);
  expect(notice).toMatchObject({
    severity: 3,
    range: editor.rangeOf("conflict.yaml", "<<<<<<< HEAD"),
    message: "Not checked: the file holds the marks of a merge conflict.",
  });
  expect(notes.get(editor.uri("conflict.yaml"))?.note).toBe("conflict");
  expect(await editor.actions("conflict.yaml", "Exist")).toEqual([]);
  editor.change("conflict.yaml", agent("logger", ["{key: a, operator: Exist}"]));
  await editor.pushedWhen("conflict.yaml", (all) => codes(all).includes("toleration-invalid"));
  await until(
    () => (notes.get(editor.uri("conflict.yaml"))?.note === null ? true : undefined),
    () => "the note stays",
  );
});

test("K49: an alias bomb and an alias to itself end, and later documents are checked", async () => {
  const editor = await startEditor();
  const levels = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"];
  for (let level = 1; level <= 9; level += 1) {
    levels.push(`a${level}: &a${level} [${Array.from({ length: 9 }, () => `*a${level - 1}`).join(", ")}]`);
  }
  const head = "apiVersion: v1\nkind: Pod\nmetadata: {name: bomb}\n";
  const bomb = `${head}${levels.join("\n")}\nspec:\n  tolerations: *a9\n`;
  const self = `${head}spec: &s {tolerations: &t [{key: a, operator: Exists}, *t], self: *s}\n`;
  const found = await said(editor, "bomb.yaml", `${bomb}---\n${self}---\n${pod("{key: b, operator: Exist}")}`);
  expect(found.some(({ range }) => range.start.line > 20)).toBe(true);
  expect(found.map(({ message }) => message).join("\n")).toContain("Exist");
  expect(await editor.ask("hover", "bomb.yaml", editor.inside("bomb.yaml", "*a9"))).toBeNull();
});

test("K49: a document too large to be judged while typing says so and costs the others nothing", async () => {
  const editor = await startEditor();
  const notes = notesOf(editor);
  const large = `apiVersion: v1\nkind: Pod\nmetadata: {name: large}\nspec:\n  containers:\n${"  - {name: a, image: a}\n".repeat(500_000)}`;
  editor.open("large.yaml", large);
  editor.open("small.yaml", pod("{key: a, operator: Exist}"));
  expect(codes(await editor.pushedWhen("small.yaml"))).toEqual(["toleration-invalid"]);
  expect(notes.get(editor.uri("large.yaml"))?.note).toBe("too-large");
  expect((await editor.pushedWhen("large.yaml")).map(({ message }) => message)).toEqual([
    "Not checked: the file is too large to be read while somebody types.",
  ]);
});
