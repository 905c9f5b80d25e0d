// Client: the one status bar item. Left, beside the branch; a click chooses the cluster, or starts a stopped server.
import { hostname } from "node:os";
import {
  type Disposable,
  env,
  MarkdownString,
  StatusBarAlignment,
  type StatusBarItem,
  ThemeColor,
  window,
} from "vscode";
import type { LanguageServer } from "../connection/language-server.ts";
import { markdownText } from "../markdown-text.ts";
import { texts } from "../texts.ts";
import type { ClusterSource } from "./cluster-source.ts";
import { statusWords } from "./status-words.ts";

/** Milliseconds; the smallest unit of an age is a minute. */
const REDRAW = 60_000;

/** Shows and keeps up to date until disposed. */
export function showClusterStatus(server: LanguageServer, source: ClusterSource): Disposable {
  const item = window.createStatusBarItem("cluster", StatusBarAlignment.Left, 40);
  item.name = texts.status.name();
  const draw = (): void => drawStatus(item, server, source);
  const subscriptions = [server.onPhaseChanged(draw), source.onChanged(draw)];
  // The age grows while nothing happens.
  const timer = setInterval(draw, REDRAW);
  draw();
  item.show();
  return {
    dispose: () => {
      clearInterval(timer);
      for (const subscription of subscriptions) subscription.dispose();
      item.dispose();
    },
  };
}

function drawStatus(item: StatusBarItem, server: LanguageServer, source: ClusterSource): void {
  const words = statusWords(server.phase, source.state, Date.now(), env.remoteName === undefined ? null : hostname());
  item.text = words.text;
  const tooltip = new MarkdownString();
  for (const line of words.tooltip) tooltip.appendMarkdown(`${markdownText(line)}\n\n`);
  item.tooltip = tooltip;
  item.accessibilityInformation = { label: words.spoken, role: "button" };
  item.backgroundColor =
    words.prominence === "normal" ? undefined : new ThemeColor(`statusBarItem.${words.prominence}Background`);
  item.command = server.phase === "stopped" ? "taintwise.restartServer" : "taintwise.selectCluster";
}
