// What the editor shows and offers for the example: each feature once, as VS Code's own commands return it.
import assert from "node:assert/strict";
import {
  type CodeAction,
  type CodeLens,
  type CompletionList,
  commands,
  DiagnosticSeverity,
  type DocumentSymbol,
  type Hover,
  type Location,
  type LocationLink,
  MarkdownString,
  type Position,
  type TextDocument,
  type Uri,
} from "vscode";
import { type ApiTest, codeOf, expectCodes, file, problems, show, until, useCluster } from "./support.ts";

const AGENT = "manifests/log-agent.yaml";

/** The position right behind the first occurrence of a text. */
function behind(document: TextDocument, text: string): Position {
  const offset = document.getText().indexOf(text);
  assert.ok(offset >= 0, `«${text}» is not in ${document.uri.path}`);
  return document.positionAt(offset + text.length);
}

async function opened(): Promise<TextDocument> {
  await useCluster("cluster.yaml");
  const document = await show(file(AGENT));
  await expectCodes(document.uri, ["toleration-gap", "toleration-time-bomb"]);
  return document;
}

export const featureTests: readonly ApiTest[] = [
  {
    name: "the example's log agent has its gap: code, severity, place, page",
    body: async () => {
      const document = await opened();
      const gap = problems(document.uri).find((problem) => codeOf(problem) === "toleration-gap");
      assert.ok(gap);
      assert.equal(codeOf(gap), "toleration-gap");
      assert.equal(gap.severity, DiagnosticSeverity.Warning);
      assert.equal(document.getText(gap.range), "log-agent");
      assert.match(gap.message, /dedicated=rdma:NoSchedule/);
      assert.ok(typeof gap.code === "object" && gap.code.target.path.endsWith("toleration-gap.md"));
      // The node's taint in the cluster file explains it.
      assert.ok(gap.relatedInformation?.some((related) => related.location.uri.path.endsWith("cluster.yaml")));
    },
  },
  {
    name: "the exact toleration is the preferred fix",
    body: async () => {
      const document = await opened();
      const [gap] = problems(document.uri);
      const actions = await commands.executeCommand<CodeAction[]>(
        "vscode.executeCodeActionProvider",
        document.uri,
        gap?.range,
        "quickfix",
      );
      const preferred = actions.filter((action) => action.isPreferred);
      assert.equal(preferred.length, 1);
      assert.match(preferred[0]?.title ?? "", /dedicated=rdma:NoSchedule/);
      const texts = preferred[0]?.edit?.get(document.uri).map((edit) => edit.newText) ?? [];
      for (const part of ["key: dedicated", "value: rdma", "effect: NoSchedule", "operator: Equal"]) {
        assert.ok(texts.join("").includes(part), texts.join(""));
      }
    },
  },
  {
    name: "a lens over the workload tells where it runs and what blocks it",
    body: async () => {
      const document = await opened();
      const lenses = await until("lenses", async () => {
        const found = await commands.executeCommand<CodeLens[]>("vscode.executeCodeLensProvider", document.uri, 10);
        return found.length > 0 ? found : null;
      });
      assert.match(
        lenses.map((lens) => lens.command?.title).join("\n"),
        /runs on \d+ of \d+ nodes.*dedicated=rdma:NoSchedule/,
      );
    },
  },
  {
    name: "completion offers the taints of the cluster that are not tolerated yet",
    body: async () => {
      const document = await opened();
      const list = await commands.executeCommand<CompletionList>(
        "vscode.executeCompletionItemProvider",
        document.uri,
        behind(document, "- key: "),
      );
      const labels = list.items.map((item) => (typeof item.label === "string" ? item.label : item.label.label));
      assert.ok(
        labels.some((label) => label.includes("dedicated")),
        labels.join(", "),
      );
    },
  },
  {
    name: "hover on a toleration tells what it matches",
    body: async () => {
      const document = await opened();
      const place = behind(document, "key: node-role.kubernetes.io/control");
      const hovers = await commands.executeCommand<Hover[]>("vscode.executeHoverProvider", document.uri, place);
      const text = hovers
        .flatMap((hover) => hover.contents)
        .map((content) => (content instanceof MarkdownString ? content.value : String(content)))
        .join("\n");
      assert.match(text, /cp-1/);
    },
  },
  {
    name: "the definition of a toleration is the taint in the cluster file",
    body: async () => {
      const document = await opened();
      const place = behind(document, "key: node-role.kubernetes.io/control");
      const found = await commands.executeCommand<(Location | LocationLink)[]>(
        "vscode.executeDefinitionProvider",
        document.uri,
        place,
      );
      const targets = found.map((target) => ("targetUri" in target ? target.targetUri : target.uri));
      assert.ok(
        targets.some((uri: Uri) => uri.path.endsWith("/cluster.yaml")),
        targets.join(", "),
      );
    },
  },
  {
    name: "the outline lists the workload",
    body: async () => {
      const document = await opened();
      const symbols = await until("symbols", () =>
        commands.executeCommand<DocumentSymbol[] | undefined>("vscode.executeDocumentSymbolProvider", document.uri),
      );
      assert.ok(
        symbols.some((symbol) => symbol.name.includes("log-agent")),
        symbols.map((symbol) => symbol.name).join(", "),
      );
    },
  },
  {
    name: "the workspace's other manifests are checked without being opened",
    body: async () => {
      await useCluster("cluster.yaml");
      const uri = file("manifests/rdma-device-plugin.yaml");
      await until("a finding in a closed file", () => problems(uri).length > 0);
    },
  },
];
