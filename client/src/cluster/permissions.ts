// Client: what the server may not do without a person's word: run the credential plugin that a workspace brings along, or
// one that could open a login window nobody asked for, and talk to another machine in clear text.
import { type Memento, window } from "vscode";
import { AskPermission, type PermissionAnswer, type PermissionQuestion } from "../../../shared/src/protocol.ts";
import type { LanguageServer } from "../connection/language-server.ts";
import { texts } from "../texts.ts";

const WORKSPACE_KEY = "permissions.workspace";
const ALWAYS_KEY = "permissions.always";

/** Where answers are remembered. */
export interface PermissionMemory {
  /** Of this workspace: what comes with it, and clear text. */
  readonly workspace: Memento;
  /** Of this person: contexts that may sign in at every start. */
  readonly person: Memento;
}

/** Answers the server's questions. Call before the server starts. */
export function answerPermissions(server: LanguageServer, memory: PermissionMemory): void {
  server.onRequest(AskPermission, (question) => answerPermission(question, memory));
}

/** Asks the person, unless the same was allowed before. A question that is closed counts as no, and is asked again. */
export async function answerPermission(
  question: PermissionQuestion,
  memory: PermissionMemory,
): Promise<PermissionAnswer> {
  const mark = markOf(question);
  const lasting = question.kind === "plugin" && question.why === "unasked";
  const [state, key] = lasting ? [memory.person, ALWAYS_KEY] : [memory.workspace, WORKSPACE_KEY];
  const known = remembered(state.get(key));
  if (known.includes(mark)) return { allowed: true };
  const answer = await ask(question);
  if (answer === "always") await state.update(key, [...known, mark]);
  return { allowed: answer !== "no" };
}

/** `always`: yes, and the same need not be asked again. */
type Answer = "always" | "once" | "no";

async function ask(question: PermissionQuestion): Promise<Answer> {
  const { permission } = texts;
  if (question.kind === "plain-http") {
    const detail = permission.plainHttpDetail(question.server);
    const answer = await window.showWarningMessage(
      permission.plainHttp(question.context),
      { modal: true, detail },
      permission.connect(),
    );
    return answer === undefined ? "no" : "always";
  }
  const command = commandLine(question.command);
  if (question.why === "workspace") {
    const answer = await window.showWarningMessage(
      permission.plugin(question.context),
      { modal: true, detail: permission.pluginDetail(command, question.kubeconfig) },
      permission.run(),
    );
    return answer === undefined ? "no" : "always";
  }
  const answer = await window.showInformationMessage(
    permission.signIn(question.context, command),
    permission.now(),
    permission.always(),
  );
  if (answer === undefined) return "no";
  return answer === permission.always() ? "always" : "once";
}

/** Equal for the same question: another argument, file or server is another one. */
function markOf(question: PermissionQuestion): string {
  return question.kind === "plugin"
    ? JSON.stringify(["plugin", question.kubeconfig, ...question.command])
    : JSON.stringify(["plain-http", question.context, question.server]);
}

/** A command line that a shell would read as these words. */
export function commandLine(words: readonly string[]): string {
  return words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)).join(" ");
}

function remembered(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}
