// A document that ended the process again and again, as the client says: it is not read until it is saved.
import { expect, test } from "vitest";
import type { Diagnostic } from "vscode-languageserver/node";
import { FileChangeType } from "vscode-languageserver/node";
import { type Editor, startEditor } from "./editor.ts";
import { agent, CLUSTER } from "./fixtures.ts";

const FILES = { "cluster.yaml": CLUSTER, "bad.yaml": agent("bad"), "good.yaml": agent("good") };
const SETTINGS = { cluster: { file: "cluster.yaml" } };
const messages = (diagnostics: readonly Diagnostic[]) => diagnostics.map(({ code, message }) => code ?? message);

async function startWithout(...paths: readonly string[]): Promise<Editor> {
  return startEditor({ files: FILES, settings: SETTINGS, lazyOptions: (uri) => ({ quarantined: paths.map(uri) }) });
}

test("says so where it is open, and judges the others", async () => {
  const editor = await startWithout("bad.yaml");
  editor.open("bad.yaml", agent("bad"));
  const [notice, ...more] = await editor.pushedWhen("bad.yaml", (all) => all.length > 0);
  expect(notice?.message).toContain("It is tried again when the document is saved.");
  expect(more).toEqual([]);
  await editor.pushedWhen("good.yaml", (all) => messages(all).includes("toleration-gap"));
});

test("stays unread while it is edited, and is judged when it is saved", async () => {
  const editor = await startWithout("bad.yaml");
  editor.open("bad.yaml", agent("bad"));
  await editor.pushedWhen("bad.yaml");
  editor.change("bad.yaml", agent("better"));
  expect(await editor.ask("hover", "bad.yaml", editor.inside("bad.yaml", "better"))).toBeNull();
  editor.save("bad.yaml");
  const found = await editor.pushedWhen("bad.yaml", (all) => messages(all).includes("toleration-gap"));
  expect(messages(found)).toEqual(["toleration-gap"]);
});

test("is left out of the check of the workspace until somebody writes it, not because it is closed", async () => {
  const editor = await startWithout("bad.yaml");
  editor.open("bad.yaml", agent("bad"));
  await editor.pushedWhen("bad.yaml", (all) => all.length > 0);
  editor.close("bad.yaml");
  await editor.pushedWhen("good.yaml", (all) => messages(all).includes("toleration-gap"));
  await editor.pushedWhen("bad.yaml", (all) => all.length === 0);
  editor.touched("bad.yaml", FileChangeType.Changed);
  await editor.pushedWhen("bad.yaml", (all) => messages(all).includes("toleration-gap"));
});
