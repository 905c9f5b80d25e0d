// What the client asks a person before the server may act, and what it remembers of the answers.
import { beforeEach, expect, test, vi } from "vitest";
import type { Memento } from "vscode";
import { answerPermission, commandLine, type PermissionMemory } from "../../client/src/cluster/permissions.ts";
import type { PermissionQuestion } from "../../shared/src/protocol.ts";
import { window } from "./vscode.ts";

function memento(): Memento {
  const held = new Map<string, unknown>();
  return {
    keys: () => [...held.keys()],
    get: (key: string) => held.get(key),
    update: async (key: string, value: unknown) => void held.set(key, value),
  } as Memento;
}

let memory: PermissionMemory;
beforeEach(() => {
  memory = { workspace: memento(), person: memento() };
});

/** Shows the question to a person who presses a button, or closes it; what was shown. */
async function asked(question: PermissionQuestion, button: string | undefined) {
  const warning = vi.spyOn(window, "showWarningMessage").mockResolvedValue(button);
  const information = vi.spyOn(window, "showInformationMessage").mockResolvedValue(button);
  const { allowed } = await answerPermission(question, memory);
  const shown = [...warning.mock.calls, ...information.mock.calls];
  vi.restoreAllMocks();
  return { allowed, shown };
}

const PLUGIN = {
  kind: "plugin",
  context: "dev",
  kubeconfig: "/ws/kc.yaml",
  command: ["/ws/bin/run-me", "--for", "it's me"],
  why: "workspace",
} as const;

test("the workspace's plugin is asked about in a dialog with file and command line, once for the workspace", async () => {
  const first = await asked(PLUGIN, "Run");
  expect(first.allowed).toBe(true);
  expect(first.shown).toEqual([
    [
      "The context dev runs a program to sign in, and it comes from this workspace. Run it?",
      {
        modal: true,
        detail:
          "/ws/bin/run-me --for 'it'\\''s me'\n\nnamed in /ws/kc.yaml\n\nRun it only if you trust who wrote it. The answer is remembered for this workspace.",
      },
      "Run",
    ],
  ]);
  expect(await asked(PLUGIN, undefined)).toEqual({ allowed: true, shown: [] });
  const changed = await asked({ ...PLUGIN, command: ["/ws/bin/run-me", "--for", "somebody else"] }, undefined);
  expect([changed.allowed, changed.shown.length]).toEqual([false, 1]);
  expect(memory.person.keys()).toEqual([]);
});

test("a dialog that is closed means no, and is asked again", async () => {
  expect((await asked(PLUGIN, undefined)).allowed).toBe(false);
  expect((await asked(PLUGIN, undefined)).shown).toHaveLength(1);
});

test("a sign-in at the start is a message: once, always, or not", async () => {
  const question = { ...PLUGIN, kubeconfig: "/home/u/.kube/config", why: "unasked" } as const;
  expect((await asked(question, undefined)).allowed).toBe(false);
  expect((await asked(question, "Sign In")).allowed).toBe(true);
  expect((await asked(question, "Always at Start")).allowed).toBe(true);
  expect(await asked(question, undefined)).toEqual({ allowed: true, shown: [] });
  // What a person allowed for the start says nothing of a workspace that names the same.
  expect((await asked({ ...question, why: "workspace" }, undefined)).allowed).toBe(false);
});

test("clear text to another machine is a dialog that names the server", async () => {
  const question = { kind: "plain-http", context: "dev", server: "http://10.1.2.3:8001" } as const;
  const { allowed, shown } = await asked(question, "Connect");
  expect(allowed).toBe(true);
  expect(JSON.stringify(shown)).toContain("http://10.1.2.3:8001");
  expect((await asked(question, undefined)).shown).toEqual([]);
});

test("words that a shell would split are quoted", () => {
  expect(commandLine(["a b", "--x=1", ""])).toBe("'a b' --x=1 ''");
});
