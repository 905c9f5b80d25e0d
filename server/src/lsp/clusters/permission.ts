// LSP layer: what a live context may do without a person's word, and what the client is asked about. A plugin that a
// workspace brings along, and one that could open a login window nobody asked for, need a word.
import { realpathSync } from "node:fs";
import { isAbsolute, relative } from "node:path";
import type { Connection } from "vscode-languageserver";
import { AskPermission, type PermissionAnswer, type PermissionQuestion } from "../../../../shared/src/protocol.ts";
import type { Permission, PluginRun } from "../../cluster/live/credentials/exec-plugin.ts";
import { describeError, type ServerLog } from "../boundary.ts";
import { type ClusterSource, sourceKey } from "./source.ts";

export interface PermissionSetting {
  /** Folders of the workspace. */
  readonly folders: readonly string[];
  /** Whether the client can ask a person. */
  readonly askable: boolean;
  /** Whether a person chose this context since the start. */
  readonly chosen: boolean;
  readonly ask: (question: PermissionQuestion) => Promise<boolean>;
}

export interface PermissionsSetup {
  readonly connection: Connection;
  readonly log: ServerLog;
  /** Absolute paths of the workspace's folders. */
  readonly folders: () => readonly string[];
  /** Whether the client answers AskPermission. */
  readonly askable: () => boolean;
}

/** Remembers what a person chose since the start, and asks the client about the rest; the client remembers answers. */
export class Permissions {
  readonly #setup: PermissionsSetup;
  /** Keys of sources. */
  readonly #chosen = new Set<string>();

  constructor(setup: PermissionsSetup) {
    this.#setup = setup;
  }

  /** A person chose this source: its plugin may run, unless the workspace brings it along. */
  choose(source: ClusterSource): void {
    this.#chosen.add(sourceKey(source));
  }

  /** What holds for a source now. */
  of(source: ClusterSource): PermissionSetting {
    return {
      folders: this.#setup.folders(),
      askable: this.#setup.askable(),
      chosen: this.#chosen.has(sourceKey(source)),
      ask: (question) => this.#ask(question),
    };
  }

  /** Where the client cannot be asked, the answer is no. */
  async #ask(question: PermissionQuestion): Promise<boolean> {
    const { connection, log, askable } = this.#setup;
    if (!askable()) return false;
    try {
      const answer: PermissionAnswer = await connection.sendRequest(AskPermission.method, question);
      return answer.allowed;
    } catch (error) {
      log.warn(`the client did not answer whether this is allowed: ${describeError(error)}`);
      return false;
    }
  }
}

/** Whether a credential plugin of a context may run; false never comes without its reason. */
export async function mayRunPlugin(
  context: string,
  { kubeconfig, command }: PluginRun,
  { folders, askable, chosen, ask }: PermissionSetting,
): Promise<Permission> {
  const inWorkspace = folders.some((folder) => holds(folder, kubeconfig) || holds(folder, command[0] ?? ""));
  if (!inWorkspace && (chosen || !askable)) return true;
  if (!askable) {
    return `${kubeconfig} lies in the workspace, and this editor cannot ask whether its plugin may run; use a kubeconfig outside of it`;
  }
  const why = inWorkspace ? "workspace" : "unasked";
  if (await ask({ kind: "plugin", context, kubeconfig, command, why })) return true;
  return "it was not allowed to; choose the context again to be asked";
}

/** Whether a file is in a folder, also by another name for either. */
function holds(folder: string, path: string): boolean {
  if (!isAbsolute(path)) return false;
  return inside(folder, path) || inside(real(folder), real(path));
}

function inside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== "" && !way.startsWith("..") && !isAbsolute(way);
}

function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // What is not there has no other name.
    return path;
  }
}
