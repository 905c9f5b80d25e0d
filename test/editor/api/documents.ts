// Documents come, change, move and go: the findings follow, and only real documents have any.
import assert from "node:assert/strict";
import {
  type CodeAction,
  commands,
  EndOfLine,
  languages,
  type TextDocument,
  Uri,
  WorkspaceEdit,
  workspace,
} from "vscode";
import { logAgent, TRAINING_POOL } from "./manifests.ts";
import { type ApiTest, expectCodes, file, problems, show, until, useCluster } from "./support.ts";

const write = (path: string, text: string) => workspace.fs.writeFile(file(path), Buffer.from(text));
const gap = ["toleration-gap"];

/** Our quick fixes at the first diagnostic of a document. */
async function fixes(document: TextDocument): Promise<readonly CodeAction[]> {
  return until("quick fixes", async () => {
    const [diagnostic] = problems(document.uri);
    if (!diagnostic) return null;
    const found = await commands.executeCommand<CodeAction[]>(
      "vscode.executeCodeActionProvider",
      document.uri,
      diagnostic.range,
      "quickfix",
    );
    return found.some((action) => action.isPreferred) ? found : null;
  });
}

export const documentTests: readonly ApiTest[] = [
  {
    name: "findings follow a file that is renamed, and leave one that is deleted",
    body: async () => {
      await useCluster("cluster.yaml");
      await write("moves.yaml", logAgent("moves"));
      const before = (await show(file("moves.yaml"))).uri;
      await expectCodes(before, gap);
      const edit = new WorkspaceEdit();
      edit.renameFile(before, file("moved.yaml"));
      await workspace.applyEdit(edit);
      await expectCodes(file("moved.yaml"), gap);
      await expectCodes(before, []);
      // While an editor shows it, the text is there to be judged.
      await commands.executeCommand("workbench.action.closeAllEditors");
      await expectCodes(file("moved.yaml"), gap);
      await workspace.fs.delete(file("moved.yaml"));
      await expectCodes(file("moved.yaml"), []);
    },
  },
  {
    name: "findings of a folder go when the folder goes",
    body: async () => {
      for (const name of ["one", "two", "three"]) await write(`doomed/${name}.yaml`, logAgent(name));
      for (const name of ["one", "two", "three"]) await expectCodes(file(`doomed/${name}.yaml`), gap);
      await workspace.fs.delete(file("doomed"), { recursive: true });
      for (const name of ["one", "two", "three"]) await expectCodes(file(`doomed/${name}.yaml`), []);
    },
  },
  {
    name: "findings belong to the text on disk after a file was deleted and written again",
    body: async () => {
      await write("again.yaml", logAgent("again"));
      await expectCodes(file("again.yaml"), gap);
      await workspace.fs.delete(file("again.yaml"));
      await write("again.yaml", logAgent("again", [TRAINING_POOL]));
      await expectCodes(file("again.yaml"), []);
      await workspace.fs.delete(file("again.yaml"));
    },
  },
  {
    name: "a document whose language changes to plain text has no findings while it is open",
    body: async () => {
      await write("language.yaml", logAgent("language"));
      const document = await show(file("language.yaml"));
      await expectCodes(document.uri, gap);
      await languages.setTextDocumentLanguage(document, "plaintext");
      await expectCodes(document.uri, []);
      await workspace.fs.delete(document.uri);
    },
  },
  {
    name: "an untitled document is checked",
    body: async () => {
      const document = await workspace.openTextDocument({ language: "yaml", content: logAgent("untitled") });
      await show(document);
      await expectCodes(document.uri, gap);
    },
  },
  {
    name: "the other side of a diff is no second document",
    body: async () => {
      await write("diffed.yaml", logAgent("diffed"));
      const uri = file("diffed.yaml");
      const other = Uri.from({ scheme: "earlier", path: uri.path });
      const provider = workspace.registerTextDocumentContentProvider("earlier", {
        provideTextDocumentContent: () => logAgent("diffed", [TRAINING_POOL]),
      });
      try {
        await commands.executeCommand("vscode.diff", other, uri);
        await expectCodes(uri, gap);
        assert.deepEqual(problems(other), []);
      } finally {
        provider.dispose();
        await workspace.fs.delete(uri);
      }
    },
  },
  {
    name: "a fix keeps Windows line ends and every other byte",
    body: async () => {
      const text = logAgent("windows", [
        "- {key: node.kubernetes.io/not-ready, operator: Exists, effect: NoExecute}   # keep",
      ]).replaceAll("\n", "\r\n");
      await write("windows.yaml", text);
      const document = await show(file("windows.yaml"));
      assert.equal(document.eol, EndOfLine.CRLF);
      const preferred = (await fixes(document)).find((action) => action.isPreferred);
      assert.ok(preferred?.edit);
      await workspace.applyEdit(preferred.edit);
      await document.save();
      const after = Buffer.from(await workspace.fs.readFile(document.uri)).toString();
      assert.deepEqual(after.match(/(?<!\r)\n/g), null);
      const kept = after.split("\r\n").filter((line) => text.includes(`${line}\r\n`));
      assert.equal(`${kept.join("\r\n")}`, text);
      await workspace.fs.delete(document.uri);
    },
  },
  {
    name: "a fix for an older version of the document is not applied to a newer one",
    body: async () => {
      await write("raced.yaml", logAgent("raced"));
      const document = await show(file("raced.yaml"));
      const preferred = (await fixes(document)).find((action) => action.isPreferred);
      assert.ok(preferred?.edit);
      const above = new WorkspaceEdit();
      above.insert(document.uri, document.positionAt(0), "# a line above\n# and another\n");
      await workspace.applyEdit(above);
      const fresh = (await fixes(document)).find((action) => action.isPreferred);
      assert.ok(fresh?.edit);
      await workspace.applyEdit(fresh.edit);
      await expectCodes(document.uri, []);
      assert.ok(document.getText().startsWith("# a line above\n# and another\napiVersion: apps/v1\n"));
      await commands.executeCommand("workbench.action.files.revert");
      await workspace.fs.delete(document.uri);
    },
  },
  {
    name: "a Helm template is left alone",
    body: async () => {
      await write("chart/Chart.yaml", "apiVersion: v2\nname: chart\nversion: 1.0.0\n");
      const template = logAgent("templated").replace(
        "      containers:",
        "      {{- with .Values.x }}\n      containers:",
      );
      await write("chart/templates/agent.yaml", `${template}      {{- end }}\n`);
      const document = await show(file("chart/templates/agent.yaml"));
      await expectCodes(document.uri, []);
    },
  },
];
