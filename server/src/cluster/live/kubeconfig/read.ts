// Live cluster, kubeconfig: one file's text as entries. Names are taken as written ("1e3" stays "1e3"); an entry that
// is half written is kept, so that nobody has to look for it.
import { lineIndex } from "../../../text/line-index.ts";
import type { Span } from "../../../text/span.ts";
import { entryAt, itemsAt, keyText, mappingAt, nodeAt, textAt } from "../../../yaml/locate.ts";
import { isFatal, parseDocument } from "../../../yaml/parse.ts";
import { splitDocuments } from "../../../yaml/scan.ts";
import type { YamlNode } from "../../../yaml/tree.ts";
import type { ClusterEntry, ContextEntry, ExecEntry, KubeconfigFile, KubeconfigProblem, UserEntry } from "./entry.ts";

/** Reads one kubeconfig. Never throws; an empty file is a file without entries. */
export function readKubeconfig(text: string, path: string): KubeconfigFile {
  const index = lineIndex(text);
  const problems: KubeconfigProblem[] = [];
  const report = (span: Span, message: string, severity: KubeconfigProblem["severity"] = "error"): void => {
    const { line, character } = index.positionAt(span.start);
    problems.push({ path, line, character, message, severity });
  };
  const documents = splitDocuments(text).map((document) => parseDocument(text, document));
  const filled = documents.filter((document) => document.root !== null || document.problems.length > 0);
  const first = filled[0];
  const empty = { path, currentContext: "", clusters: [], users: [], contexts: [], problems };
  if (first === undefined) return empty;
  if (filled[1] !== undefined)
    report(filled[1].span, "a kubeconfig has one document; what follows is not read", "information");
  for (const problem of first.problems)
    report(problem.span, problem.message, isFatal(problem) ? "error" : "information");
  const root = first.root;
  if (root?.kind !== "mapping") {
    if (first.problems.length === 0 && !isNull(root))
      report(first.span, "a kubeconfig is a mapping with clusters, users and contexts");
    return empty;
  }
  const foreign = foreignKind(root);
  if (foreign !== null) {
    report(first.span, foreign);
    return empty;
  }
  const named = (list: string, key: string): readonly NamedEntry[] => namedEntries(root, list, key, report);
  return {
    path,
    currentContext: textAt(root, ["current-context"]) ?? "",
    clusters: named("clusters", "cluster").map((entry) => cluster(entry, path, report)),
    users: named("users", "user").map((entry) => user(entry, path, report)),
    contexts: named("contexts", "context").map(({ name, body }) => context(name, body, path)),
    problems,
  };
}

/** What the document is instead of a kubeconfig, in words; null where it is one, or does not say. */
function foreignKind(root: YamlNode): string | null {
  const version = textAt(root, ["apiVersion"]) ?? "v1";
  const kind = textAt(root, ["kind"]) ?? "Config";
  return version === "v1" && kind === "Config" ? null : `this is no kubeconfig (v1 Config) but ${version} ${kind}`;
}

type Report = (span: Span, message: string, severity?: KubeconfigProblem["severity"]) => void;

interface NamedEntry {
  readonly name: string;
  readonly body: YamlNode | null;
}

function namedEntries(root: YamlNode, list: string, key: string, report: Report): readonly NamedEntry[] {
  const node = nodeAt(root, [list]);
  if (node !== null && node.kind !== "sequence" && !isNull(node)) report(node.span, `${list} must be a list`);
  return itemsAt(root, [list]).flatMap((item) => {
    const name = textAt(item, ["name"]) ?? "";
    if (name === "") {
      report(item.span, `an entry of ${list} without a name cannot be used`);
      return [];
    }
    return [{ name, body: mappingAt(item, [key]) }];
  });
}

function cluster({ name, body }: NamedEntry, path: string, report: Report): ClusterEntry {
  return {
    name,
    path,
    server: (textAt(body, ["server"]) ?? "").trim(),
    certificateAuthority: textAt(body, ["certificate-authority"]) ?? "",
    certificateAuthorityData: base64(body, "certificate-authority-data", report),
    insecureSkipTlsVerify: isTrue(body, "insecure-skip-tls-verify", report),
    tlsServerName: textAt(body, ["tls-server-name"]) ?? "",
    proxyUrl: textAt(body, ["proxy-url"]) ?? "",
    damage: notBase64(body, ["certificate-authority-data"]),
  };
}

function user({ name, body }: NamedEntry, path: string, report: Report): UserEntry {
  return {
    name,
    path,
    token: textAt(body, ["token"]) ?? "",
    tokenFile: textAt(body, ["tokenFile"]) ?? "",
    clientCertificate: textAt(body, ["client-certificate"]) ?? "",
    clientCertificateData: base64(body, "client-certificate-data", report),
    clientKey: textAt(body, ["client-key"]) ?? "",
    clientKeyData: base64(body, "client-key-data", report),
    username: textAt(body, ["username"]) ?? "",
    password: textAt(body, ["password"]) ?? "",
    impersonate: textAt(body, ["as"]) ?? "",
    impersonateGroups: texts(body, "as-groups"),
    impersonateUid: textAt(body, ["as-uid"]) ?? "",
    impersonateExtra: Object.fromEntries(entries(body, "as-user-extra").map(([key, value]) => [key, itemTexts(value)])),
    exec: exec(mappingAt(body, ["exec"]), report),
    authProvider: authProvider(mappingAt(body, ["auth-provider"])),
    damage: notBase64(body, ["client-certificate-data", "client-key-data"]) ?? asNobody(body),
  };
}

function context(name: string, body: YamlNode | null, path: string): ContextEntry {
  return {
    name,
    path,
    cluster: textAt(body, ["cluster"]) ?? "",
    user: textAt(body, ["user"]) ?? "",
    namespace: textAt(body, ["namespace"]) ?? "",
  };
}

function exec(body: YamlNode | null, report: Report): ExecEntry | null {
  if (body === null) return null;
  const env = itemsAt(body, ["env"]).flatMap((item): readonly (readonly [string, string])[] => {
    const name = textAt(item, ["name"]);
    return name === null ? [] : [[name, textAt(item, ["value"]) ?? ""]];
  });
  return {
    apiVersion: textAt(body, ["apiVersion"]) ?? "",
    command: textAt(body, ["command"]) ?? "",
    args: texts(body, "args"),
    env: Object.fromEntries(env),
    interactiveMode: textAt(body, ["interactiveMode"]) ?? "",
    provideClusterInfo: isTrue(body, "provideClusterInfo", report),
    installHint: textAt(body, ["installHint"]) ?? "",
  };
}

function authProvider(body: YamlNode | null): UserEntry["authProvider"] {
  if (body === null) return null;
  const config = entries(body, "config").map(([key, value]): [string, string] => [key, textAt(value, []) ?? ""]);
  return { name: textAt(body, ["name"]) ?? "", config: Object.fromEntries(config) };
}

/** Data that must be base64; anything else makes only its entry unusable, with the place. */
function base64(body: YamlNode | null, key: string, report: Report): string {
  const text = (textAt(body, [key]) ?? "").replace(/\s+/g, "");
  if (text === "") return "";
  if (isBase64(text)) return text;
  const span = entryAt(body, key)?.value.span;
  if (span !== undefined) report(span, `${key} is not base64`);
  return "";
}

function isBase64(text: string): boolean {
  return text.length >= 8 && text.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(text);
}

/** The first of the fields that holds something else than base64, as a reason; null when none does. */
function notBase64(body: YamlNode | null, keys: readonly string[]): string | null {
  const damaged = keys.find((key) => {
    const text = (textAt(body, [key]) ?? "").replace(/\s+/g, "");
    return text !== "" && !isBase64(text);
  });
  return damaged === undefined ? null : `${damaged} is not base64`;
}

/** Without a user to act as, groups would be dropped and the request would have the rights of the person: refused, as in kubectl. */
function asNobody(body: YamlNode | null): string | null {
  if ((textAt(body, ["as"]) ?? "") !== "") return null;
  const set = [
    ["as-uid", (textAt(body, ["as-uid"]) ?? "") !== ""],
    ["as-groups", texts(body, "as-groups").length > 0],
    ["as-user-extra", entries(body, "as-user-extra").length > 0],
  ].find(([, given]) => given === true)?.[0];
  return set === undefined ? null : `${set} needs "as": a user to act as`;
}

function texts(body: YamlNode | null, key: string): readonly string[] {
  return itemTexts(nodeAt(body, [key]));
}

function itemTexts(list: YamlNode | null): readonly string[] {
  return itemsAt(list, []).flatMap((item) => textAt(item, []) ?? []);
}

function entries(body: YamlNode | null, key: string): readonly (readonly [string, YamlNode])[] {
  return mappingAt(body, [key])?.entries.map((entry) => [keyText(entry.key), entry.value] as const) ?? [];
}

/** A switch; what is neither true nor false counts as false and is told. */
function isTrue(body: YamlNode | null, key: string, report: Report): boolean {
  const node = nodeAt(body, [key]);
  if (node === null || isNull(node)) return false;
  if (node.kind === "scalar" && node.value.type === "bool") return node.value.value;
  report(node.span, `${key} must be true or false, without quotes; it counts as false`);
  return false;
}

function isNull(node: YamlNode | null): boolean {
  return node === null || (node.kind === "scalar" && node.value.type === "null");
}
