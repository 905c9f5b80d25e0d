// The session: one writer, snapshots that never change, and results that follow the documents' own text.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Engine, FileFacts } from "../../server/src/analysis/engine.ts";
import { Session } from "../../server/src/analysis/session.ts";
import { emptyModel } from "../../server/src/cluster/empty.ts";
import { DEFAULT_CONFIG } from "../../server/src/config/workspace.ts";
import { readManifest } from "../../server/src/workload/read.ts";

interface Note {
  readonly at: number;
  readonly text: string;
}

/** An engine that notes every workload's name, and remembers which documents it was asked to judge. */
function notingEngine(): { readonly engine: Engine<Note>; readonly judged: string[] } {
  const judged: string[] = [];
  const engine: Engine<Note> = {
    read: (text, facts, previous) => readManifest(text, { path: facts.location, inChart: facts.inChart, previous }),
    judge:
      (_file, facts, { clusters }) =>
      (document) =>
        document.workloads.map(({ workload, nameSpan }) => {
          judged.push(workload.name ?? "");
          return { at: nameSpan.start, text: `${facts.path} ${workload.name} ${clusters.map(({ name }) => name)}` };
        }),
    shift: (note, by) => ({ ...note, at: note.at + by }),
  };
  return { engine, judged };
}

const FACTS: FileFacts = { path: "a.yaml", location: "/w/a.yaml", inChart: null, rendered: false };

function pod(name: string): string {
  return `apiVersion: v1\nkind: Pod\nmetadata: {name: ${name}}\nspec: {containers: [{name: c, image: i}]}\n`;
}

const newSession = (engine: Engine<Note>): Session<Note> =>
  new Session(engine, { clusters: [emptyModel("prod", "file")], config: DEFAULT_CONFIG });

describe("an edit", () => {
  it("judges only the document that changed, and moves the results of the others", () => {
    const { engine, judged } = notingEngine();
    const session = newSession(engine);
    const before = `${pod("one")}---\n${pod("two")}---\n${pod("three")}`;
    session.setFile("a", { facts: FACTS, text: before }).diagnoses("a");
    expect(judged).toEqual(["one", "two", "three"]);

    const after = `${pod("one")}---\n${pod("a-longer-name")}---\n${pod("three")}`;
    const notes = session.setFile("a", { facts: FACTS, text: after }).diagnoses("a");
    expect(judged.slice(3)).toEqual(["a-longer-name"]);
    expect(notes).toEqual([
      { at: after.indexOf("one"), text: "a.yaml one prod" },
      { at: after.indexOf("a-longer-name"), text: "a.yaml a-longer-name prod" },
      { at: after.indexOf("three"), text: "a.yaml three prod" },
    ]);
  });

  it("judges a document again when a comment above it comes", () => {
    const { engine, judged } = notingEngine();
    const session = newSession(engine);
    session.setFile("a", { facts: FACTS, text: `${pod("one")}---\n${pod("two")}` }).diagnoses("a");
    const text = `${pod("one")}---\n# taintwise-ignore: unschedulable\n${pod("two")}`;
    session.setFile("a", { facts: FACTS, text }).diagnoses("a");
    expect(judged).toEqual(["one", "two", "two"]);
  });

  it("gives what a fresh session gives, whatever was typed before", () => {
    const piece = fc.constantFrom(
      pod("one"),
      pod("two"),
      "---\n",
      "# note\n",
      "{",
      "}",
      "spec: [\n",
      "x",
      "\n",
      "kind: List\nitems:\n",
    );
    fc.assert(
      fc.property(fc.array(fc.array(piece, { maxLength: 6 }), { minLength: 1, maxLength: 6 }), (texts) => {
        const { engine } = notingEngine();
        const session = newSession(engine);
        for (const pieces of texts) {
          const text = pieces.join("");
          const typed = session.setFile("a", { facts: FACTS, text }).diagnoses("a");
          const fresh = newSession(notingEngine().engine).setFile("a", { facts: FACTS, text }).diagnoses("a");
          expect(typed).toEqual(fresh);
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe("a snapshot", () => {
  it("stays as it was when the session goes on", () => {
    const { engine } = notingEngine();
    const session = newSession(engine);
    const first = session.setFile("a", { facts: FACTS, text: pod("old") });
    const second = session.setFile("a", { facts: FACTS, text: pod("new") });
    session.removeFile("a");
    expect(second.diagnoses("a")?.map((note) => note.text)).toEqual(["a.yaml new prod"]);
    expect(first.diagnoses("a")?.map((note) => note.text)).toEqual(["a.yaml old prod"]);
    expect(first.manifest("a")?.text).toBe(pod("old"));
    expect(session.snapshot.diagnoses("a")).toBeNull();
    expect(session.snapshot.version).toBe(3);
  });

  it("keeps results while nothing changes, and drops them when a cluster does", () => {
    const { engine, judged } = notingEngine();
    const session = newSession(engine);
    session.setFile("a", { facts: FACTS, text: pod("one") }).diagnoses("a");
    const kept = session.snapshot.diagnoses("a");
    expect(session.setConfig(DEFAULT_CONFIG).diagnoses("a")).toBe(kept);
    expect(judged).toEqual(["one"]);
    const changed = session.setClusters([emptyModel("stage", "file")]).diagnoses("a");
    expect(changed?.map((note) => note.text)).toEqual(["a.yaml one stage"]);
  });
});

it("judges a text that is not open, and keeps nothing of it", () => {
  const { engine } = notingEngine();
  const { snapshot } = newSession(engine);
  const { file, diagnoses } = snapshot.judge(pod("one"), FACTS);
  expect(file.text).toBe(pod("one"));
  expect(diagnoses.map((note) => note.text)).toEqual(["a.yaml one prod"]);
  expect(snapshot.judge("kind: ConfigMap\n", FACTS).diagnoses).toEqual([]);
  expect(snapshot.files.size).toBe(0);
});
