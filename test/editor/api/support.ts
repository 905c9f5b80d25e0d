// What the tests inside the extension host share.
import { commands, type Diagnostic, extensions, languages, type TextDocument, Uri, window, workspace } from "vscode";
import type { TaintwiseApi } from "../../../client/src/extension.ts";

export interface ApiTest {
  readonly name: string;
  readonly body: () => Promise<void>;
}

/** Polls; every wait of the suite goes through here. */
export async function until<T>(what: string, probe: () => T | Thenable<T>, limit = 15_000): Promise<NonNullable<T>> {
  for (const end = Date.now() + limit; ; ) {
    const value = await probe();
    if (value) return value;
    if (Date.now() > end) throw new Error(`timed out waiting for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** A file of the opened folder. */
export function file(path: string): Uri {
  const folder = workspace.workspaceFolders?.[0];
  if (!folder) throw new Error("no folder is open");
  return Uri.joinPath(folder.uri, path);
}

/** The extension under test, active. */
export async function taintwise(): Promise<TaintwiseApi> {
  const extension = extensions.getExtension<TaintwiseApi>("taintwise.taintwise");
  if (!extension) throw new Error("the extension is not installed");
  return extension.activate();
}

/** Our diagnostics of a document, by code and line. */
export function problems(uri: Uri): readonly Diagnostic[] {
  return languages.getDiagnostics(uri).filter((diagnostic) => diagnostic.source === "taintwise");
}

/** `code` of a diagnostic, which may carry a link. */
export function codeOf(diagnostic: Diagnostic): string {
  const { code } = diagnostic;
  return String(typeof code === "object" ? code.value : code);
}

/** Opens a document in an editor, as a person does. */
export async function show(target: Uri | TextDocument): Promise<TextDocument> {
  const document = target instanceof Uri ? await workspace.openTextDocument(target) : target;
  await window.showTextDocument(document);
  return document;
}

/** Waits until our diagnostics of a document have exactly these codes, in any order. */
export async function expectCodes(uri: Uri, codes: readonly string[]): Promise<readonly Diagnostic[]> {
  const wanted = [...codes].sort().join(", ");
  const found = () => problems(uri).map(codeOf).sort().join(", ");
  try {
    return await until("diagnostics", () => (found() === wanted ? problems(uri) : null));
  } catch {
    throw new Error(`expected «${wanted}» in ${uri.path}, found «${found()}»`);
  }
}

/** Holds the manifests against a cluster file of the folder. */
export async function useCluster(path: string): Promise<void> {
  await commands.executeCommand("taintwise.useAsCluster", file(path));
}
