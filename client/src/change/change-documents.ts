// Client: a live object before and after the server's dry run, as read-only documents of the diff editor.
import { commands, type Disposable, type TextDocumentContentProvider, Uri, workspace } from "vscode";
import { texts } from "../texts.ts";

const CHANGE_SCHEME = "taintwise-change";

/** Objects kept for open diffs, two for each change. */
const KEPT = 20;

export class ChangeDocuments implements TextDocumentContentProvider, Disposable {
  readonly #texts = new Map<string, string>();
  readonly #registration: Disposable;
  #count = 0;

  constructor() {
    this.#registration = workspace.registerTextDocumentContentProvider(CHANGE_SCHEME, this);
  }

  provideTextDocumentContent(uri: Uri): string {
    return this.#texts.get(uri.path) ?? `# ${texts.change.gone()}\n`;
  }

  /** Opens the diff editor; `title` names object and context. */
  async showDiff(title: string, before: string, after: string): Promise<void> {
    this.#count += 1;
    const [left, right] = [this.#hold("before", before), this.#hold("after", after)];
    for (const path of [...this.#texts.keys()].slice(0, -KEPT)) this.#texts.delete(path);
    await commands.executeCommand("vscode.diff", left, right, title, { preview: true });
  }

  dispose(): void {
    this.#registration.dispose();
  }

  #hold(side: "before" | "after", text: string): Uri {
    const uri = Uri.from({ scheme: CHANGE_SCHEME, path: `/${this.#count}/${side}.yaml` });
    this.#texts.set(uri.path, text);
    return uri;
  }
}
