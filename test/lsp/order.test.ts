// Cancelled, superseded and late requests; two spellings of an order.

import { expect, test } from "vitest";
import { CancellationTokenSource, type CodeAction, type Hover } from "vscode-languageserver/node";
import { CheckWorkspace } from "../../shared/src/protocol.ts";
import { startEditor, until } from "./editor.ts";
import { agent, CLUSTER, RDMA } from "./fixtures.ts";

const WITH_CLUSTER = { files: { "cluster.yaml": CLUSTER }, settings: { cluster: { file: "cluster.yaml" } } };

test("a cancelled request is answered as cancelled, and the next one as ever", async () => {
  const editor = await startEditor(WITH_CLUSTER);
  editor.open("agent.yaml", agent("logger"));
  await editor.pushedWhen("agent.yaml", (found) => found.length > 0);
  const source = new CancellationTokenSource();
  const params = { textDocument: { uri: editor.uri("agent.yaml") }, ...editor.inside("agent.yaml", "logger") };
  const cancelled = editor.connection.sendRequest("textDocument/hover", params, source.token);
  source.cancel();
  await expect(cancelled).rejects.toMatchObject({ code: -32800 });
  expect(await editor.ask<Hover | null>("hover", "agent.yaml", editor.inside("agent.yaml", "logger"))).not.toBeNull();
});

test("a workspace check that is cancelled ends, and what was found stays", async () => {
  const files = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`m/${index}.yaml`, agent(`a${index}`)]));
  const editor = await startEditor({ ...WITH_CLUSTER, files: { ...WITH_CLUSTER.files, ...files } });
  const source = new CancellationTokenSource();
  const check = editor.connection.sendRequest(CheckWorkspace.method, {}, source.token);
  source.cancel();
  await expect(check).rejects.toMatchObject({ code: -32800 });
  await editor.pushedWhen("m/299.yaml", (found) => found.length > 0);
});

test("of many changes in a row the last one is told, with its version", async () => {
  const editor = await startEditor(WITH_CLUSTER);
  editor.open("agent.yaml", agent("logger"));
  await editor.pushedWhen("agent.yaml", (found) => found.length > 0);
  const before = editor.pushes.length;
  for (let count = 0; count < 50; count += 1) {
    editor.change("agent.yaml", agent("logger", count % 2 === 0 ? ["{key: a, operator: Exist}"] : [RDMA]));
  }
  await editor.pushedWhen("agent.yaml", (found) => found.length === 0);
  const told = editor.pushes.slice(before).filter(({ uri }) => uri === editor.uri("agent.yaml"));
  expect(told.at(-1)?.version).toBe(51);
  // Typing is waited for: not every key stroke is judged.
  expect(told.length).toBeLessThan(10);
});

test("a request right behind a change is answered for the changed text", async () => {
  const editor = await startEditor(WITH_CLUSTER);
  editor.open("agent.yaml", agent("logger"));
  await editor.pushedWhen("agent.yaml", (found) => found.length > 0);
  editor.change("agent.yaml", `# moved\n${agent("logger")}`);
  const actions = await editor.actions("agent.yaml", "logger");
  const preferred = actions.find((action: CodeAction) => action.isPreferred);
  // `applied` refuses an edit for another version.
  expect(editor.applied("agent.yaml", preferred?.edit)).toMatch(/^# moved\napiVersion[\s\S]*value: rdma/);
});

test("nothing is told of a document after it was closed but the empty list, and a second opening counts anew", async () => {
  const editor = await startEditor({ settings: { workspaceCheck: { enabled: false } } });
  editor.open("agent.yaml", agent("logger", ["{key: a, operator: Exist}"]));
  await editor.pushedWhen("agent.yaml", (found) => found.length > 0);
  editor.change("agent.yaml", agent("logger", ["{key: b, operator: Exist}"]));
  editor.close("agent.yaml");
  const closed = editor.pushes.length;
  await editor.pushedWhen("agent.yaml", (found) => found.length === 0);
  editor.open("agent.yaml", agent("logger"), 1);
  await until(
    () =>
      editor.pushes.filter(({ version, uri }) => version === 1 && uri === editor.uri("agent.yaml")).at(-1)?.diagnostics
        .length === 0
        ? true
        : undefined,
    () => "nothing",
  );
  const told = editor.pushes.slice(closed).filter(({ uri }) => uri === editor.uri("agent.yaml"));
  const counts = told.map(({ diagnostics }) => diagnostics.length);
  expect(new Set(counts.slice(counts.indexOf(0)))).toEqual(new Set([0]));
});

test("changes out of range are taken to the nearer end of the text", async () => {
  const editor = await startEditor();
  editor.open("agent.yaml", agent("logger", ["{key: a, operator: Exist}"]));
  editor.change("agent.yaml", [
    { range: { start: { line: 9_999, character: 9_999 }, end: { line: 99_999, character: 0 } }, text: "# end\n" },
  ]);
  await editor.pushedWhen("agent.yaml", (found) => found.length > 0);
  expect(await editor.ask("hover", "agent.yaml", { position: { line: 9_999, character: 9_999 } })).toBeNull();
});
