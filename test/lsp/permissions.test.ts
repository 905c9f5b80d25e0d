// A credential plugin runs when a person chose its context, and not before; one that the workspace brings along runs only
// after a word, with the whole command line shown.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import {
  AskPermission,
  GetClusterState,
  GetContexts,
  type PermissionQuestion,
  SelectCluster,
} from "../../shared/src/protocol.ts";
import { list, node, openWatch, startApiServer, status } from "../live/api-server.ts";
import { createAuthority } from "../live/certificates.ts";
import { type Editor, type EditorOptions, startEditor } from "./editor.ts";

interface Setting {
  /** URL of a server that accepts the plugin's token. */
  readonly server: string;
  readonly authority: string;
}

async function cluster(): Promise<Setting> {
  const authority = createAuthority("Test");
  const server = await startApiServer(
    (request, response) => {
      if (request.headers.authorization !== "Bearer A") return status(response, 401, "Unauthorized", "who?");
      if (request.watch) openWatch(response);
      else list(response, "10", request.path.endsWith("/nodes") ? [node("a", "1")] : []);
    },
    authority.sign("kube", ["127.0.0.1"]),
  );
  onTestFinished(() => server.stop());
  return { server: server.url, authority: Buffer.from(authority.cert).toString("base64") };
}

/** Writes a kubeconfig and its plugin into a folder; the plugin notes each run. */
function kubeconfig(folder: string, { server, authority }: Setting, body = ""): string {
  mkdirSync(join(folder, "bin"), { recursive: true });
  const credential = { kind: "ExecCredential", apiVersion: "client.authentication.k8s.io/v1", status: { token: "A" } };
  writeFileSync(
    join(folder, "bin/login"),
    `#!/bin/sh\necho run >> "${folder}/runs"\n${body}\necho '${JSON.stringify(credential)}'\n`,
  );
  chmodSync(join(folder, "bin/login"), 0o755);
  const path = join(folder, "kc.yaml");
  writeFileSync(
    path,
    `clusters: [{name: c, cluster: {server: "${server}", certificate-authority-data: ${authority}}}]
contexts: [{name: dev, context: {cluster: c, user: u}}]
users:
- name: u
  user:
    exec: {apiVersion: client.authentication.k8s.io/v1, interactiveMode: Never, command: ./bin/login, args: [--as, jo]}
`,
  );
  return path;
}

const runs = (folder: string): number =>
  existsSync(join(folder, "runs")) ? readFileSync(join(folder, "runs"), "utf8").trim().split("\n").length : 0;

function home(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "taintwise-home-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Answers questions from a list of answers, in order; what was asked. */
function answering(editor: Editor, ...answers: readonly boolean[]): readonly PermissionQuestion[] {
  const asked: PermissionQuestion[] = [];
  editor.connection.onRequest(AskPermission.method, (question: PermissionQuestion) => {
    asked.push(question);
    return { allowed: answers[asked.length - 1] ?? false };
  });
  return asked;
}

const choose = (editor: Editor, path: string) =>
  editor.request(SelectCluster, { choice: { kind: "context", name: "dev", kubeconfig: path } });

const start = (options: EditorOptions["options"]) =>
  startEditor({ options: { trusted: true, permissions: true, ...options } });

async function live(editor: Editor): Promise<void> {
  for (let tries = 0; tries < 500; tries += 1) {
    const { clusters } = await editor.request(GetClusterState, {});
    if (clusters.some(({ origin, nodes }) => origin === "live" && nodes === 1)) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error("never live");
}

test("a kubeconfig in the workspace asks before its first run, with the file and the whole command line", async () => {
  const editor = await start({});
  const path = kubeconfig(editor.root, await cluster());
  const asked = answering(editor, false, true);
  const refused = await choose(editor, path);
  expect(asked).toEqual([
    {
      kind: "plugin",
      context: "dev",
      kubeconfig: path,
      command: [join(editor.root, "bin/login"), "--as", "jo"],
      why: "workspace",
    },
  ]);
  expect(refused.problems).toEqual([
    'the credential plugin "./bin/login" was not started: it was not allowed to; choose the context again to be asked',
  ]);
  expect(runs(editor.root)).toBe(0);
  await choose(editor, path);
  await live(editor);
  expect(runs(editor.root)).toBe(1);
});

test("a kubeconfig outside runs its plugin when a person chooses it, without another question", async () => {
  const folder = home();
  const editor = await start({});
  const asked = answering(editor);
  await choose(editor, kubeconfig(folder, await cluster()));
  await live(editor);
  expect(asked).toEqual([]);
  expect(runs(folder)).toBe(1);
});

test("a hundred contexts: listing them runs no plugin and contacts nobody; one that is chosen is live whatever the others are", async () => {
  const folder = home();
  const setting = await cluster();
  const good = kubeconfig(folder, setting);
  const silent = await startApiServer(() => undefined);
  onTestFinished(() => silent.stop());
  const indexes = Array.from({ length: 99 }, (_, index) => index);
  const path = join(folder, "many.yaml");
  writeFileSync(
    path,
    `clusters: [${indexes.map((index) => `{name: c${index}, cluster: {server: "${silent.url}"}}`).join(", ")}]
contexts: [${indexes.map((index) => `{name: x${index}, context: {cluster: c${index}, user: u}}`).join(", ")}]
users: [{name: u, user: {exec: {apiVersion: client.authentication.k8s.io/v1, interactiveMode: Never, command: ./bin/login}}}]
`,
  );
  const editor = await startEditor({
    options: { trusted: true, permissions: true },
    environment: { KUBECONFIG: `${path}:${good}`, HOME: folder },
  });
  const { contexts } = await editor.request(GetContexts, {});
  expect(contexts).toHaveLength(100);
  expect([runs(folder), silent.connections().opened]).toEqual([0, 0]);
  await choose(editor, good);
  await live(editor);
  expect([runs(folder), silent.connections().opened]).toEqual([1, 0]);
});

test("a folder for plugins that is set later is searched without a reload", async () => {
  const folder = home();
  const path = kubeconfig(folder, await cluster());
  writeFileSync(path, readFileSync(path, "utf8").replace("./bin/login", "login"));
  const editor = await start({});
  answering(editor);
  expect((await choose(editor, path)).problems[0]).toMatch(/^the credential plugin "login" was not found; searched: /);
  await editor.changeSettings({ cluster: { extraPath: [join(folder, "bin")] } });
  await live(editor);
  expect(runs(folder)).toBe(1);
});

test("a plugin in the workspace that a kubeconfig outside names is the workspace's", async () => {
  const folder = home();
  const editor = await start({});
  const path = kubeconfig(folder, await cluster());
  kubeconfig(editor.root, await cluster());
  const asked = answering(editor);
  writeFileSync(path, readFileSync(path, "utf8").replace("./bin/login", join(editor.root, "bin/login")));
  await choose(editor, path);
  expect(asked.map((question) => question.kind === "plugin" && question.why)).toEqual(["workspace"]);
});

test("what was followed last time is followed again, but opens no login window unasked", async () => {
  const folder = home();
  const path = kubeconfig(folder, await cluster());
  const editor = await start({ cluster: { kind: "context", name: "dev", kubeconfig: path } });
  const asked = answering(editor, false);
  for (let tries = 0; tries < 500 && asked.length === 0; tries += 1) await new Promise((next) => setTimeout(next, 20));
  expect(asked).toMatchObject([{ kind: "plugin", why: "unasked" }]);
  expect(runs(folder)).toBe(0);
  await choose(editor, path);
  await live(editor);
  expect(asked).toHaveLength(1);
});

test("an editor that cannot ask runs no plugin of the workspace, and says what to do", async () => {
  const editor = await startEditor({ options: { trusted: true } });
  const path = kubeconfig(editor.root, await cluster());
  const { problems } = await choose(editor, path);
  expect(problems).toEqual([
    `the credential plugin "./bin/login" was not started: ${path} lies in the workspace, and this editor cannot ask whether its plugin may run; use a kubeconfig outside of it`,
  ]);
  expect(runs(editor.root)).toBe(0);
});

test("plain http to another machine is asked about first", async () => {
  const folder = home();
  const path = join(folder, "kc.yaml");
  writeFileSync(
    path,
    'clusters: [{name: c, cluster: {server: "http://10.255.255.1:8080"}}]\ncontexts: [{name: dev, context: {cluster: c}}]\n',
  );
  const editor = await start({});
  const asked = answering(editor, false);
  const { problems } = await choose(editor, path);
  expect(asked).toEqual([{ kind: "plain-http", context: "dev", server: "http://10.255.255.1:8080" }]);
  expect(problems[0]).toMatch(/^http:\/\/10\.255\.255\.1:8080 is plain http to another machine/);
});

test("a sign-in that takes its time is shown with what it says, and can be cancelled", async () => {
  const folder = home();
  const path = kubeconfig(folder, await cluster(), 'echo "enter ABCD at https://login.example" >&2; exec sleep 30');
  const editor = await startEditor({
    options: { trusted: true, permissions: true },
    capabilities: { window: { workDoneProgress: true } },
    environment: { PATH: process.env.PATH ?? "" },
  });
  answering(editor);
  const shown: unknown[] = [];
  editor.connection.onNotification("$/progress", ({ token, value }: { token: string; value: { kind: string } }) => {
    shown.push(value);
    if (value.kind === "begin") editor.notify("window/workDoneProgress/cancel", { token });
  });
  editor.connection.onRequest("window/workDoneProgress/create", () => null);
  const { problems } = await choose(editor, path);
  expect(shown[0]).toMatchObject({
    kind: "begin",
    title: `Signing in with ${join(folder, "bin/login")}`,
    message: "enter ABCD at https://login.example",
    cancellable: true,
  });
  expect(problems).toEqual([
    'the credential plugin "./bin/login" was ended by its cancellation: enter ABCD at https://login.example',
  ]);
});
