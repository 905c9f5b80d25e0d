// Client: reports as read-only documents, shown as rendered Markdown beside the editor.
import {
  commands,
  type Disposable,
  EventEmitter,
  type Tab,
  TabInputCustom,
  TabInputText,
  type TextDocumentContentProvider,
  Uri,
  ViewColumn,
  window,
  workspace,
} from "vscode";
import type { Report } from "../../../shared/src/protocol.ts";
import { texts } from "../texts.ts";

const REPORT_SCHEME = "taintwise-report";

/** The built-in Markdown extension's editor that shows the rendered text. */
const MARKDOWN_PREVIEW = "vscode.markdown.preview.editor";

/** Reports kept for open previews; older ones say how to get them again. */
const KEPT = 20;

/** Holds the texts; a report with the same title replaces the one before in place. */
export class ReportDocuments implements TextDocumentContentProvider, Disposable {
  readonly #markdown = new Map<string, string>();
  readonly #followed = new Map<string, () => Promise<string | null>>();
  readonly #changed = new EventEmitter<Uri>();
  readonly #registration: Disposable;

  constructor() {
    this.#registration = workspace.registerTextDocumentContentProvider(REPORT_SCHEME, this);
  }

  readonly onDidChange = this.#changed.event;

  provideTextDocumentContent(uri: Uri): string {
    return this.#markdown.get(uri.path) ?? `# ${texts.report.gone()}\n`;
  }

  /** Shows a report beside the editor and leaves the focus where it is. Resolves with the document's URI. */
  async show(report: Report): Promise<Uri> {
    const uri = reportUri(report.title);
    this.#markdown.delete(uri.path);
    this.#markdown.set(uri.path, report.markdown);
    for (const path of [...this.#markdown.keys()].slice(0, -KEPT)) this.#markdown.delete(path);
    this.#changed.fire(uri);
    const options = { viewColumn: ViewColumn.Beside, preserveFocus: true };
    try {
      await commands.executeCommand("vscode.openWith", uri, MARKDOWN_PREVIEW, options);
    } catch {
      // The built-in Markdown extension may be switched off; its source reads well too.
      await window.showTextDocument(uri, options);
    }
    return uri;
  }

  /** Writes a report that was shown anew, wherever it is open; one that is not kept stays away. */
  update({ title, markdown }: Report): void {
    const uri = reportUri(title);
    if (!this.#markdown.has(uri.path)) return;
    this.#markdown.set(uri.path, markdown);
    // Also where it says the same: an editor that was just opening it may have missed the last change.
    this.#changed.fire(uri);
  }

  /** The Markdown of a report that is still kept; null for any other document. */
  text(uri: Uri): string | null {
    return uri.scheme === REPORT_SCHEME ? (this.#markdown.get(uri.path) ?? null) : null;
  }

  /**
   * The report that a person means where none was clicked: the one in front, else the last that was shown and still is.
   * null when none is open.
   */
  inSight(): Uri | null {
    const { activeTabGroup, all } = window.tabGroups;
    const shown = [activeTabGroup, ...all].flatMap(({ activeTab }) => reportOf(activeTab) ?? []);
    const active = reportOf(activeTabGroup.activeTab);
    if (active !== null) return active;
    const latest = [...this.#markdown.keys()].reverse();
    return shown.sort((left, right) => latest.indexOf(left.path) - latest.indexOf(right.path))[0] ?? null;
  }

  /** Has the report of this title made again at every `followUp`; null keeps what it says. */
  follow(title: string, again: () => Promise<string | null>): void {
    this.#followed.set(reportUri(title).path, again);
  }

  /** Makes the followed reports again where they are still open; what they follow may have changed. */
  async followUp(): Promise<void> {
    for (const [path, again] of this.#followed) {
      const open = workspace.textDocuments.some(({ uri }) => uri.scheme === REPORT_SCHEME && uri.path === path);
      if (!open || !this.#markdown.has(path)) {
        this.#followed.delete(path);
        continue;
      }
      // The server may be down: the report then stays as it is.
      const markdown = await again().catch(() => null);
      if (markdown === null || markdown === this.#markdown.get(path)) continue;
      this.#markdown.set(path, markdown);
      this.#changed.fire(Uri.from({ scheme: REPORT_SCHEME, path }));
    }
  }

  dispose(): void {
    this.#registration.dispose();
    this.#changed.dispose();
  }
}

/** The report that a tab shows, rendered or as its source; null for any other tab. */
function reportOf(tab: Tab | undefined): Uri | null {
  const input: unknown = tab?.input;
  if (!(input instanceof TabInputCustom || input instanceof TabInputText)) return null;
  return input.uri.scheme === REPORT_SCHEME ? input.uri : null;
}

/** The title becomes the tab's label, so it is the file's name; a slash would cut it. */
function reportUri(title: string): Uri {
  return Uri.from({ scheme: REPORT_SCHEME, path: `/${title.replaceAll("/", "∕")}.md` });
}
