// Client: the contexts of the kubeconfig, as the language server reads them, to choose one from.
import { type QuickPickItem, window } from "vscode";
import type { ClusterChoice, ContextChoice } from "../../../shared/src/protocol.ts";
import { texts } from "../texts.ts";
import type { ClusterSource } from "./cluster-source.ts";

interface ContextItem extends QuickPickItem {
  readonly context: ContextChoice;
}

/** Resolves with the chosen context, or false when the user backed out. Contexts that cannot be used are shown with the reason. */
export async function chooseContext(source: ClusterSource): Promise<ClusterChoice | false> {
  const { contexts, problems } = await source.contexts();
  if (contexts.length === 0) {
    void window.showInformationMessage([...problems, texts.select.noContexts()][0] ?? "");
    return false;
  }
  const names = contexts.map((context) => context.name);
  const isAmbiguous = (name: string): boolean => names.indexOf(name) !== names.lastIndexOf(name);
  const [problem] = problems;
  const picked = await window.showQuickPick(
    contexts.map((context) => itemOf(context, isAmbiguous(context.name))),
    {
      title: problem ?? texts.select.title(),
      placeHolder: texts.select.contexts(),
      matchOnDescription: true,
      matchOnDetail: true,
    },
  );
  if (!picked) return false;
  const { name, kubeconfig, unusable } = picked.context;
  if (unusable !== null) {
    void window.showInformationMessage(texts.select.unusable(unusable));
    return false;
  }
  return { kind: "context", name, kubeconfig };
}

function itemOf(context: ContextChoice, ambiguous: boolean): ContextItem {
  const { name, kubeconfig, description, current, unusable } = context;
  return {
    label: `$(${unusable === null ? "server" : "warning"}) ${name}`,
    ...(current ? { description: texts.select.current() } : {}),
    // The file tells contexts of one name apart.
    detail:
      unusable === null
        ? ambiguous
          ? `${description} · ${kubeconfig}`
          : description
        : texts.select.unusable(unusable),
    context,
  };
}
