// Client: asks for a text with suggestions to pick from; VS Code's own quick pick takes no free text.
import { type QuickPickItem, window } from "vscode";

export interface Question {
  readonly title: string;
  readonly prompt: string;
  readonly step: number;
  readonly steps: number;
  /** What stands in the box at first, to be corrected. */
  readonly value: string;
  /** Why the last answer was refused; empty at first. */
  readonly problem: string;
  readonly suggestions: readonly QuickPickItem[];
  /** The row that takes the text as it was typed. */
  readonly useTyped: (value: string) => string;
}

/** Resolves with what was typed or picked, or null when the user backed out. */
export function ask(question: Question): Promise<string | null> {
  return new Promise((resolve) => {
    const pick = window.createQuickPick();
    pick.title = question.title;
    pick.step = question.step;
    pick.totalSteps = question.steps;
    pick.placeholder = question.prompt;
    pick.matchOnDescription = true;
    pick.ignoreFocusOut = true;
    pick.value = question.value;

    const refused = question.value;
    const show = (): void => {
      const typed = pick.value.trim();
      const own: QuickPickItem[] =
        typed === "" || question.suggestions.some((item) => item.label === typed)
          ? []
          : [
              {
                label: typed,
                description: question.useTyped(typed),
                ...(typed === refused && question.problem !== "" ? { detail: question.problem } : {}),
                alwaysShow: true,
              },
            ];
      pick.items = [...own, ...question.suggestions];
    };
    pick.onDidChangeValue(show);
    pick.onDidAccept(() => {
      const answer = pick.selectedItems[0]?.label ?? pick.value.trim();
      if (answer === "") return;
      resolve(answer);
      pick.dispose();
    });
    pick.onDidHide(() => {
      resolve(null);
      pick.dispose();
    });
    show();
    pick.show();
  });
}
