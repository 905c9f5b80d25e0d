// Reported faults of other language servers, held against this one: documents that change, move, go, or have two names.
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type CodeAction, type Diagnostic, FileChangeType, TextDocumentEdit } from "vscode-languageserver/node";
import { DocumentNote, type DocumentNoteParams } from "../../shared/src/protocol.ts";
import { type Editor, startEditor, until } from "./editor.ts";
import { agent, CLUSTER, RDMA } from "./fixtures.ts";

const SETTINGS = { cluster: { file: "cluster.yaml" } };
const GAP = ["toleration-gap"];

const codes = (diagnostics: readonly Diagnostic[] | undefined) => (diagnostics ?? []).map(({ code }) => code);
const hasGap = (diagnostics: readonly Diagnostic[]): boolean => codes(diagnostics).includes("toleration-gap");
const isEmpty = (diagnostics: readonly Diagnostic[]): boolean => diagnostics.length === 0;

function workspace(files: Readonly<Record<string, string>>, settings: object = {}) {
  return { files: { "cluster.yaml": CLUSTER, ...files }, settings: { ...SETTINGS, ...settings } };
}

async function preferred(editor: Editor, path: string): Promise<CodeAction> {
  const [gap] = await editor.pushedWhen(path, hasGap);
  if (gap === undefined) throw new Error("no gap");
  const action = (await editor.actions(path, gap.range)).find(({ isPreferred }) => isPreferred);
  if (action === undefined) throw new Error("no preferred fix");
  return action;
}

/** What an editor that asks for documents and the workspace shows in the end: the last answer for each URI. */
async function shownByPull(editor: Editor, done: (shown: ReadonlyMap<string, readonly unknown[]>) => boolean) {
  const shown = new Map<string, readonly unknown[]>();
  const ids = new Map<string, string>();
  await until(
    async () => {
      if (done(shown)) return true;
      const previousResultIds = [...ids].map(([uri, value]) => ({ uri, value }));
      const { items } = await editor.connection.sendRequest<{
        readonly items: readonly { uri: string; resultId?: string; items: readonly Diagnostic[] }[];
      }>("workspace/diagnostic", { previousResultIds });
      for (const { uri, resultId, items: found } of items) {
        shown.set(uri, codes(found));
        if (resultId !== undefined) ids.set(uri, resultId);
      }
      return undefined;
    },
    () => JSON.stringify([...shown]),
  );
  return shown;
}

test("K40: an edit names the version of the last change, so that a newer text refuses it", async () => {
  const editor = await startEditor(workspace({}));
  editor.open("agent.yaml", agent("logger"), 7);
  const before = await preferred(editor, "agent.yaml");
  editor.change("agent.yaml", [
    { range: { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } }, text: "# above\n" },
  ]);
  editor.save("agent.yaml");
  expect(() => editor.applied("agent.yaml", before.edit)).toThrow("the edit is for version 7");
  await editor.pushedWhen("agent.yaml", () => editor.pushes.at(-1)?.version === 8);
  const after = await preferred(editor, "agent.yaml");
  expect(editor.applied("agent.yaml", after.edit)).toContain("# above\napiVersion: apps/v1\n");
  expect(after.edit?.changes).toBeUndefined();
});

test("K40: a fix in taintwise.yaml is computed from its text in the editor, not from the disk", async () => {
  const editor = await startEditor({
    files: { "cluster.yaml": CLUSTER, "taintwise.yaml": "clusters:\n- {name: prod, file: cluster.yaml}\n" },
  });
  editor.open("taintwise.yaml", "# unsaved\n# lines\nclusters:\n- {name: prod, file: cluster.yaml}\n", 3);
  editor.open("agent.yaml", agent("logger"));
  const [gap] = await editor.pushedWhen("agent.yaml", hasGap);
  const actions = await editor.actions("agent.yaml", gap?.range ?? "logger");
  const expected = actions.find(({ title }) => title === "Mark as expected in taintwise.yaml");
  const changes = (expected?.edit?.documentChanges ?? []).filter((each) => TextDocumentEdit.is(each));
  expect(changes.map(({ textDocument }) => textDocument)).toEqual([{ uri: editor.uri("taintwise.yaml"), version: 3 }]);
  expect(editor.applied("taintwise.yaml", expected?.edit)).toMatch(
    /^# unsaved\n# lines\nclusters:\n- \{name: prod, file: cluster\.yaml\}\n(?:\n)?expected:\n/,
  );
});

test("K42: of fast changes only the last text has findings, and none come after a close", async () => {
  const editor = await startEditor(workspace({}));
  editor.open("agent.yaml", agent("logger"));
  await editor.pushedWhen("agent.yaml", hasGap);
  editor.change("agent.yaml", agent("logger", [RDMA]));
  editor.change("agent.yaml", agent("logger"));
  editor.change("agent.yaml", agent("logger", [RDMA]));
  await editor.pushedWhen("agent.yaml", isEmpty);
  expect(editor.pushes.at(-1)?.version).toBe(4);
  editor.change("agent.yaml", agent("logger"));
  editor.close("agent.yaml");
  // A second opening counts its versions anew.
  editor.open("agent.yaml", agent("logger", [RDMA]), 1);
  await editor.ask("hover", "agent.yaml", editor.inside("agent.yaml", "logger"));
  await new Promise((resolve) => setTimeout(resolve, 400));
  expect(editor.pushes.at(-1)).toMatchObject({ version: 1, diagnostics: [] });
});

test("K43: findings follow a renamed file", async () => {
  const editor = await startEditor(workspace({ "bad.yaml": agent("bad") }));
  await editor.pushedWhen("bad.yaml", hasGap);
  editor.open("bad.yaml", agent("bad"));
  renameSync(join(editor.root, "bad.yaml"), join(editor.root, "b2.yaml"));
  editor.close("bad.yaml");
  editor.open("b2.yaml", agent("bad"));
  editor.touched("bad.yaml", FileChangeType.Deleted);
  editor.touched("b2.yaml", FileChangeType.Created);
  await editor.pushedWhen("bad.yaml", isEmpty);
  await editor.pushedWhen("b2.yaml", hasGap);
});

test("K43: a deleted folder takes the findings of all its files along, whatever its name ends with", async () => {
  const editor = await startEditor(
    workspace({
      "gone/a.yaml": agent("a"),
      "gone/deep/b.yaml": agent("b"),
      "kept.yaml/c.yaml": agent("c"),
      "gone2/d.yaml": agent("d"),
    }),
  );
  for (const path of ["gone/a.yaml", "gone/deep/b.yaml", "kept.yaml/c.yaml", "gone2/d.yaml"])
    await editor.pushedWhen(path, hasGap);
  for (const folder of ["gone", "kept.yaml"]) {
    rmSync(join(editor.root, folder), { recursive: true });
    editor.touched(folder, FileChangeType.Deleted);
  }
  for (const path of ["gone/a.yaml", "gone/deep/b.yaml", "kept.yaml/c.yaml"]) await editor.pushedWhen(path, isEmpty);
  expect(codes(editor.pushed("gone2/d.yaml"))).toEqual(GAP);
});

test("K43: deleted and written again at once: the findings are those of the text on the disk", async () => {
  const editor = await startEditor(workspace({ "f.yaml": agent("f") }));
  await editor.pushedWhen("f.yaml", hasGap);
  rmSync(join(editor.root, "f.yaml"));
  editor.touched("f.yaml", FileChangeType.Deleted);
  editor.write("f.yaml", agent("f", [RDMA]));
  editor.touched("f.yaml", FileChangeType.Created);
  await editor.pushedWhen("f.yaml", isEmpty);
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(editor.pushed("f.yaml")).toEqual([]);
  // Open: what the editor holds counts, whatever is written beside it.
  editor.open("f.yaml", agent("f", [RDMA]));
  editor.write("f.yaml", agent("f"));
  editor.touched("f.yaml");
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(editor.pushed("f.yaml")).toEqual([]);
});

test("K43: a file that no event told of is cleared by the next check, and so is one that settings exclude", async () => {
  const editor = await startEditor(
    workspace({ "silent.yaml": agent("silent"), "out.yaml": agent("out"), "in.yaml": agent("in") }),
  );
  for (const path of ["silent.yaml", "out.yaml", "in.yaml"]) await editor.pushedWhen(path, hasGap);
  rmSync(join(editor.root, "silent.yaml"));
  await editor.changeSettings({ ...SETTINGS, exclude: ["out.yaml"] });
  await editor.pushedWhen("out.yaml", isEmpty);
  await editor.pushedWhen("silent.yaml", isEmpty);
  expect(codes(editor.pushed("in.yaml"))).toEqual(GAP);
  await editor.changeSettings({ ...SETTINGS, workspaceCheck: { enabled: false } });
  await editor.pushedWhen("in.yaml", isEmpty);
});

test("K43: a note does not outlive the reason for it", async () => {
  const editor = await startEditor(workspace({}));
  const notes = new Map<string, DocumentNoteParams["note"]>();
  editor.connection.onNotification(DocumentNote.method, ({ uri, note }: DocumentNoteParams) => {
    notes.set(uri, note);
  });
  const noteOf = (note: DocumentNoteParams["note"]) =>
    until(
      () => (notes.get(editor.uri("t.yaml")) === note ? true : undefined),
      () => JSON.stringify([...notes]),
    );
  editor.open("t.yaml", agent("t").replace("name: agent", "name: {{ .Values.name }}"));
  await noteOf("template");
  editor.close("t.yaml");
  editor.open("t.yaml", agent("t"));
  await editor.pushedWhen("t.yaml", hasGap);
  await noteOf(null);
});

test("K44: an editor that only shows what is pushed sees each finding once, open or not", async () => {
  const editor = await startEditor(workspace({ "closed.yaml": agent("closed"), "open.yaml": agent("open") }));
  await editor.pushedWhen("open.yaml", hasGap);
  editor.open("open.yaml", agent("open"));
  await editor.pushedWhen("open.yaml", () => editor.pushes.at(-1)?.version === 1);
  for (const { diagnostics } of editor.pushes) {
    expect(new Set(diagnostics.map((each) => JSON.stringify(each))).size).toBe(diagnostics.length);
  }
  expect(codes(editor.pushed("open.yaml"))).toEqual(GAP);
  editor.close("open.yaml");
  await editor.pushedWhen("open.yaml", hasGap);
});

test("K44: an editor that asks for documents only is pushed the files that are not open, never an open one", async () => {
  const editor = await startEditor({
    ...workspace({ "closed.yaml": agent("closed"), "open.yaml": agent("open") }),
    capabilities: {
      workspace: { configuration: true },
      textDocument: { diagnostic: { dynamicRegistration: false } },
    },
  });
  await editor.pushedWhen("open.yaml", hasGap);
  editor.open("open.yaml", agent("open"));
  expect(codes(await editor.pulled("open.yaml"))).toEqual(GAP);
  // What was pushed while it was closed is taken back: it would stand beside what is pulled.
  await editor.pushedWhen("open.yaml", isEmpty);
  expect(codes(editor.pushed("closed.yaml"))).toEqual(GAP);
  editor.close("open.yaml");
  await editor.pushedWhen("open.yaml", hasGap);
});

test("K44: an editor that asks for everything gets each URI one way, and a closed document's from the disk", async () => {
  const editor = await startEditor({
    ...workspace({ "closed.yaml": agent("closed"), "open.yaml": agent("open") }),
    mode: "pull",
  });
  editor.open("open.yaml", agent("open"));
  const shown = await shownByPull(editor, (all) => all.has(editor.uri("closed.yaml")));
  expect([...shown]).toEqual([[editor.uri("closed.yaml"), GAP]]);
  expect(codes(await editor.pulled("open.yaml"))).toEqual(GAP);
  editor.close("open.yaml");
  await shownByPull(editor, (all) => String(all.get(editor.uri("open.yaml"))) === String(GAP));
  expect(editor.pushes).toEqual([]);
});

test("K45: answers use the spelling of the client that opened the document", async () => {
  const editor = await startEditor(workspace({ "a b#c%41é.yaml": agent("odd") }));
  const plain = editor.uri("a b#c%41é.yaml");
  const spelt = plain.replace("a%20b", "%61%20b").replace("%C3%A9", "%c3%a9");
  expect(spelt).not.toBe(plain);
  await editor.pushedWhen("a b#c%41é.yaml", hasGap);
  editor.open(spelt, agent("odd", [RDMA]));
  await editor.pushedWhen(spelt, isEmpty);
  // The same file written outside is the open document, not a second one.
  const before = editor.pushes.length;
  editor.touched("a b#c%41é.yaml");
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(editor.pushes.slice(before).filter(({ diagnostics }) => diagnostics.length > 0)).toEqual([]);
  expect(await editor.ask<unknown[]>("documentSymbol", spelt)).toHaveLength(1);
});

test("K45: composed and decomposed accents are two files; a host or a drive that is not here is no crash", async () => {
  const editor = await startEditor(workspace({}));
  editor.open("caf\u00E9.yaml", agent("composed"));
  editor.open("cafe\u0301.yaml", agent("decomposed", [RDMA]));
  await editor.pushedWhen("caf\u00E9.yaml", hasGap);
  await editor.pushedWhen("cafe\u0301.yaml", isEmpty);
  for (const uri of ["file:///c%3A/A%20b/x.yaml", "file://wsl.localhost/D/x.yaml", "file:///with%2Fslash.yaml"]) {
    editor.open(uri, agent("far", ["{key: a, operator: Exist}"]));
    const found = await editor.pushedWhen(uri);
    expect(codes(found)).toContain("toleration-invalid");
  }
  // The three spellings of a drive are one document.
  expect(await editor.ask<unknown[]>("documentSymbol", "file:///C%3A/A%20b/x.yaml")).toHaveLength(1);
  editor.notify("textDocument/didClose", { textDocument: { uri: "file:///C:/A b/x.yaml" } });
  expect(await editor.ask("documentSymbol", "file:///c%3A/A%20b/x.yaml")).toEqual([]);
});

test("K47: other schemes are ignored without a word, documents that are not saved yet are checked", async () => {
  const editor = await startEditor(workspace({ "a.yaml": agent("a") }));
  editor.open("a.yaml", agent("a"));
  await editor.pushedWhen("a.yaml", hasGap);
  const before = editor.log.length;
  for (const uri of [
    "git:/repo/a.yaml?%7B%22ref%22%3A%22~%22%7D",
    "vscode-notebook-cell:/a.ipynb#c1",
    "output:tasks",
    "earlier:/a.yaml",
  ]) {
    editor.open(uri, agent("b"));
    editor.change(uri, agent("c"));
    expect(await editor.ask("hover", uri, { position: { line: 2, character: 18 } })).toBeNull();
    expect(await editor.actions(uri, { start: { line: 0, character: 0 }, end: { line: 9, character: 0 } })).toEqual([]);
    editor.close(uri);
  }
  editor.open("untitled:Untitled-1", agent("new"));
  expect(codes(await editor.pushedWhen("untitled:Untitled-1", hasGap))).toEqual(GAP);
  const fix = await preferred(editor, "untitled:Untitled-1");
  expect(editor.applied("untitled:Untitled-1", fix.edit)).toContain("key: dedicated");
  expect([...new Set(editor.pushes.map(({ uri }) => uri))].sort()).toEqual([
    editor.uri("a.yaml"),
    "untitled:Untitled-1",
  ]);
  expect(editor.log.slice(before)).toEqual([]);
});

test("K50: links are followed once, loops and dangling ones end, and an open document keeps its own path", async () => {
  const editor = await startEditor({ settings: SETTINGS, folders: ["ws"] });
  const at = (path: string): string => join(editor.root, path);
  mkdirSync(at("ws/sub"), { recursive: true });
  mkdirSync(at("base"));
  writeFileSync(at("ws/cluster.yaml"), CLUSTER);
  writeFileSync(at("base/a.yaml"), agent("a"));
  writeFileSync(at("ws/sub/own.yaml"), agent("own"));
  symlinkSync("../base", at("ws/overlay"));
  symlinkSync(".", at("ws/loop"));
  symlinkSync("..", at("ws/sub/up"));
  symlinkSync("nowhere", at("ws/dangling.yaml"));
  symlinkSync("sub/own.yaml", at("ws/again.yaml"));
  await editor.changeSettings(SETTINGS);
  editor.touched("ws/cluster.yaml", FileChangeType.Created);
  await editor.pushedWhen("ws/overlay/a.yaml", hasGap);
  await editor.pushedWhen("ws/sub/own.yaml", hasGap);
  const told = editor.pushes.filter(({ diagnostics }) => diagnostics.length > 0).map(({ uri }) => uri);
  expect([...new Set(told)].sort()).toEqual([editor.uri("ws/overlay/a.yaml"), editor.uri("ws/sub/own.yaml")].sort());
  editor.open("base/a.yaml", agent("a"));
  editor.open("ws/overlay/a.yaml", agent("a", [RDMA]));
  await editor.pushedWhen("ws/overlay/a.yaml", isEmpty);
  await editor.pushedWhen("base/a.yaml");
});

test("K51: folders of no concern are not looked into, ignored files are silent, and a burst of events ends right", async () => {
  const files: Record<string, string> = {
    ".gitignore": "generated/\n",
    "generated/x.yaml": agent("generated"),
    "node_modules/m/y.yaml": agent("module"),
    ".git/z.yaml": agent("git"),
  };
  for (let index = 0; index < 300; index += 1) {
    files[`values/${index}.yaml`] = `replicas: ${index}\n`;
    files[`node_modules/m/${index}.yaml`] = agent(`m${index}`);
  }
  for (let index = 0; index < 60; index += 1) files[`apps/${index}.yaml`] = agent(`app${index}`);
  const editor = await startEditor(workspace(files));
  await editor.pushedWhen("apps/59.yaml", hasGap);
  await until(
    () => (new Set(editor.pushes.map(({ uri }) => uri)).size === 60 ? true : undefined),
    () => String(editor.pushes.length),
  );
  for (const path of ["generated/x.yaml", "node_modules/m/y.yaml"]) editor.touched(path);
  editor.open("generated/x.yaml", agent("generated"));
  await editor.pushedWhen("generated/x.yaml", hasGap);
  editor.close("generated/x.yaml");
  await editor.pushedWhen("generated/x.yaml", isEmpty);
  const closed = editor.pushes.filter(({ uri, version }) => version === undefined && !uri.includes("/apps/"));
  expect(closed.flatMap(({ diagnostics }) => diagnostics)).toEqual([]);
  for (let index = 0; index < 60; index += 1) editor.write(`apps/${index}.yaml`, agent(`app${index}`, [RDMA]));
  editor.notify("workspace/didChangeWatchedFiles", {
    changes: Array.from({ length: 60 }, (_, index) => ({
      uri: editor.uri(`apps/${index}.yaml`),
      type: FileChangeType.Changed,
    })),
  });
  await until(
    () =>
      Array.from({ length: 60 }, (_, index) => editor.pushed(`apps/${index}.yaml`)?.length).every((each) => each === 0)
        ? true
        : undefined,
    () => "some findings stay",
  );
});

test("K51: what the editor hides from its user is not checked in the background, but when it is opened", async () => {
  const editor = await startEditor(
    workspace({ "out/a.yaml": agent("a"), "deep/x.gen.yaml": agent("x"), "b.yaml": agent("b") }),
  );
  for (const path of ["out/a.yaml", "deep/x.gen.yaml", "b.yaml"]) await editor.pushedWhen(path, hasGap);
  const hidden = { "**/.git": true, out: true, "**/*.gen.yaml": true, "b.yaml": { when: "$(basename).ts" } };
  editor.connection.onRequest(
    "workspace/configuration",
    ({ items }: { readonly items: readonly { readonly section?: string }[] }) =>
      items.map(({ section }) => (section === "files.exclude" ? hidden : SETTINGS)),
  );
  editor.notify("workspace/didChangeConfiguration", { settings: null });
  await editor.pushedWhen("out/a.yaml", isEmpty);
  await editor.pushedWhen("deep/x.gen.yaml", isEmpty);
  editor.touched("out/a.yaml");
  editor.open("deep/x.gen.yaml", agent("x"));
  await editor.pushedWhen("deep/x.gen.yaml", hasGap);
  expect(editor.pushed("out/a.yaml")).toEqual([]);
  expect(codes(editor.pushed("b.yaml"))).toEqual(GAP);
});
