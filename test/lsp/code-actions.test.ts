// Code actions over a real connection: every kind, with the text they leave behind.

import { expect, test } from "vitest";
import type { CodeAction } from "vscode-languageserver/node";
import { ClientCommand } from "../../shared/src/protocol.ts";
import { type Editor, type EditorOptions, startEditor } from "./editor.ts";
import { agent, CLUSTER, RDMA } from "./fixtures.ts";

async function withAgent(text: string, options: EditorOptions = {}): Promise<Editor> {
  const editor = await startEditor({
    files: { "cluster.yaml": CLUSTER },
    settings: { cluster: { file: "cluster.yaml" } },
    ...options,
  });
  editor.open("agent.yaml", text);
  await editor.pushedWhen("agent.yaml", (found) => found.length > 0);
  return editor;
}

function titled(actions: readonly CodeAction[], title: string | RegExp): CodeAction {
  const found = actions.find((action) =>
    typeof title === "string" ? action.title === title : title.test(action.title),
  );
  if (found === undefined)
    throw new Error(`${title} is not among ${actions.map((action) => action.title).join(" | ")}`);
  return found;
}

test("the exact toleration is the preferred quick fix, tied to its diagnostic, and leaves nothing to say", async () => {
  const editor = await withAgent(agent("logger"));
  const [gap] = editor.pushed("agent.yaml") ?? [];
  if (gap === undefined) throw new Error("no gap");
  const actions = await editor.ask<CodeAction[]>("codeAction", "agent.yaml", {
    range: gap.range,
    context: { diagnostics: [gap] },
  });
  const preferred = actions.filter((action) => action.isPreferred);
  expect(preferred.map(({ title, kind }) => [title, kind])).toEqual([
    ["Add the toleration dedicated=rdma:NoSchedule", "quickfix"],
  ]);
  expect(preferred[0]?.diagnostics).toEqual([gap]);
  const after = editor.applied("agent.yaml", preferred[0]?.edit);
  expect(after).toContain("tolerations:\n      - key: dedicated\n        operator: Equal\n        value: rdma\n");
  editor.change("agent.yaml", after);
  await editor.pushedWhen("agent.yaml", (found) => found.length === 0);
});

test("nodes are left out on purpose by affinity", async () => {
  const editor = await withAgent(agent("logger"));
  const action = titled(await editor.actions("agent.yaml", "logger"), /^Leave these nodes out on purpose/);
  const after = editor.applied("agent.yaml", action.edit);
  expect(after).toContain("nodeAffinity");
  editor.change("agent.yaml", after);
  await editor.pushedWhen("agent.yaml", (found) => found.length === 0);
});

test("a comment silences here or in the document", async () => {
  const editor = await withAgent(agent("logger"));
  const actions = await editor.actions("agent.yaml", "logger");
  const here = editor.applied("agent.yaml", titled(actions, "Silence toleration-gap here").edit);
  expect(here).toContain("# taintwise-ignore: toleration-gap\nmetadata: {name: logger");
  const whole = editor.applied("agent.yaml", titled(actions, "Silence toleration-gap in this document").edit);
  expect(whole.startsWith("# taintwise-ignore: toleration-gap\napiVersion")).toBe(true);
  editor.change("agent.yaml", here);
  await editor.pushedWhen("agent.yaml", (found) => found.length === 0);
});

test("a gap is marked as expected in taintwise.yaml, which is made where there is none", async () => {
  const editor = await withAgent(agent("logger"));
  const { edit } = titled(await editor.actions("agent.yaml", "logger"), "Mark as expected in taintwise.yaml");
  expect(edit?.documentChanges?.[0]).toEqual({
    kind: "create",
    uri: editor.uri("taintwise.yaml"),
    options: { ignoreIfExists: true },
  });
  editor.open("taintwise.yaml", "");
  const text = editor.applied("taintwise.yaml", edit);
  expect(text).toContain("DaemonSet/monitoring/logger");
  editor.write("taintwise.yaml", text);
  editor.touched("taintwise.yaml");
  await editor.pushedWhen("agent.yaml", (found) => found.every(({ severity }) => (severity ?? 0) > 2));
});

test("fix-all applies the safe ones only: quotes and duplicates, no toleration", async () => {
  const text = agent("logger", [RDMA, RDMA, "{key: a, operator: Equal, value: true, effect: NoSchedule}"]);
  const editor = await withAgent(text);
  const [action, ...more] = await editor.actions("agent.yaml", "logger", ["source.fixAll"]);
  expect(more).toEqual([]);
  expect(action?.kind).toBe("source.fixAll.taintwise");
  const after = editor.applied("agent.yaml", action?.edit);
  expect(after).toBe(agent("logger", [RDMA, '{key: a, operator: Equal, value: "true", effect: NoSchedule}']));
  // Nobody asked for source actions: the light bulb does not hold them.
  expect((await editor.actions("agent.yaml", "logger")).map(({ kind }) => kind)).not.toContain(
    "source.fixAll.taintwise",
  );
});

test("copy as kubectl patch is offered to clients that can run it", async () => {
  const plain = await withAgent(agent("logger"));
  expect((await plain.actions("agent.yaml", "logger")).map(({ title }) => title)).not.toContain(
    "Copy as kubectl patch",
  );
  const able = await withAgent(agent("logger"), {
    options: { trusted: true, cluster: null, commands: [ClientCommand.copyPatch] },
  });
  const action = titled(await able.actions("agent.yaml", "logger"), "Copy as kubectl patch");
  expect(action.command).toMatchObject({
    command: ClientCommand.copyPatch,
    arguments: [{ uri: able.uri("agent.yaml"), position: able.rangeOf("agent.yaml", "logger").start }],
  });
});

test("only quick fixes, where only those are wanted, and none of an excluded file", async () => {
  const editor = await withAgent(agent("logger"));
  expect(await editor.actions("agent.yaml", "logger", ["refactor"])).toEqual([]);
  await editor.changeSettings({ cluster: { file: "cluster.yaml" }, exclude: ["*.yaml"] });
  await editor.pushedWhen("agent.yaml", (found) => found.length === 0);
  expect(await editor.actions("agent.yaml", "logger")).toEqual([]);
});
