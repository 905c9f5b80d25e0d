// Names and messages that would move the cursor, ring, colour or turn a terminal's text around: none of them gets there.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { clipped, colourMark, printable, terminalText } from "../../server/src/report/printable.ts";
import { taintwise } from "./command.ts";

const ESCAPE = "\u001b";
/** A title, a bell, a cleared screen, a colour in C1, a lone carriage return, a change of direction. */
const HOSTILE = `${ESCAPE}]0;x\u0007${ESCAPE}[2J\u009b31m\rgone\u202e`;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const OBEYED = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\ufdd0\ufdd1]/;

let folder = "";

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "taintwise-"));
  const condition = { type: "Ready", status: "False", reason: HOSTILE, message: HOSTILE };
  const taints = [{ key: "dedicated", value: HOSTILE, effect: "NoSchedule" }];
  const template = {
    metadata: { labels: { app: "a" } },
    spec: {
      nodeSelector: { [HOSTILE]: HOSTILE },
      tolerations: [{ key: HOSTILE, operator: HOSTILE, value: HOSTILE }],
      containers: [{ name: "c", image: HOSTILE, resources: { requests: { [`a/${HOSTILE}`]: "1" } } }],
      volumes: [{ name: "logs", hostPath: { path: "/var/log/pods" } }],
    },
  };
  const daemonSet = {
    apiVersion: "apps/v1",
    kind: "DaemonSet",
    metadata: { name: `agent${HOSTILE}`, namespace: HOSTILE },
    spec: { selector: { matchLabels: { app: "a" } }, template },
  };
  const cluster = {
    apiVersion: "v1",
    kind: "List",
    items: [
      {
        apiVersion: "v1",
        kind: "Node",
        metadata: { name: `n1${HOSTILE}`, labels: { pool: HOSTILE } },
        spec: { taints },
        status: { conditions: [condition], allocatable: { [`b/${HOSTILE}`]: "1" } },
      },
      {
        ...daemonSet,
        spec: {
          ...daemonSet.spec,
          template: { ...template, spec: { ...template.spec, nodeSelector: {}, tolerations: [] } },
        },
      },
      {
        apiVersion: "v1",
        kind: "Event",
        metadata: { name: "e", namespace: "default" },
        involvedObject: { kind: "Node", name: `n1${HOSTILE}` },
        type: "Warning",
        reason: HOSTILE,
        message: HOSTILE,
        count: 9,
        firstTimestamp: "2026-03-02T09:00:00Z",
        lastTimestamp: "2026-03-02T09:59:00Z",
      },
    ],
  };
  writeFileSync(join(folder, "cluster.json"), JSON.stringify(cluster));
  writeFileSync(join(folder, `agent${ESCAPE}[31m.json`), JSON.stringify(daemonSet));
  // Both kinds of quotes hold the escape as JSON and YAML write it.
  writeFileSync(join(folder, "raw.yaml"), `kind: Pod\nspec: {tolerations: ["${ESCAPE}[2J"]}\n`);
});

afterAll(() => rmSync(folder, { recursive: true }));

const CLUSTER = ["--cluster", "cluster.json"];

describe("no command passes on what a terminal would obey", () => {
  it.each(
    [
      ...["text", "json", "markdown", "sarif", "github"].flatMap((format) => [
        ["check", ".", ...CLUSTER, "--format", format],
        ["triage", ...CLUSTER, "--format", format],
      ]),
      ...["text", "json", "markdown"].flatMap((format) => [
        ["explain", ".", ...CLUSTER, "--format", format],
        ["explain", ...CLUSTER, "--format", format],
        ["nodes", ...CLUSTER, "--format", format],
        ["preflight", "--selector", "pool", "--taint", "a=b:NoExecute", ...CLUSTER, "--format", format],
      ]),
      ["coverage", ...CLUSTER],
      ["coverage", ...CLUSTER, "--format", "json"],
      ["fix", ".", ...CLUSTER, "--code", "toleration-gap", "--dry-run", "--format", "json"],
      ["explain", `ds/${HOSTILE}`, ...CLUSTER],
      ["check", `${HOSTILE}.yaml`],
      ["nodes", "--cluster", `${HOSTILE}.yaml`],
    ].map((words) => [words.map(printable).join(" "), words] as const),
  )("%s", (_, words) => {
    const { stdout, stderr } = taintwise(words, { cwd: folder });
    expect(OBEYED.exec(stdout)).toBeNull();
    expect(OBEYED.exec(stderr)).toBeNull();
    expect(stdout + stderr).not.toContain("Internal error");
  });
});

it("colours are ours alone", () => {
  const { stdout } = taintwise(["nodes", ...CLUSTER, "--color", "always"], { cwd: folder });
  expect(stdout).toContain(`${ESCAPE}[1m`);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: our colours begin with one
  expect(stdout.replaceAll(/\u001b\[(?:1|22|3[1-9]|90)m/g, "")).not.toMatch(OBEYED);
});

it("JSON reads back as it was", () => {
  const { stdout } = taintwise(["nodes", ...CLUSTER, "--format", "json"], { cwd: folder });
  expect(JSON.parse(stdout).nodes[0].name).toBe(`n1${HOSTILE}`);
});

describe("text for a terminal", () => {
  it("keeps tabs and line breaks of both kinds", () => {
    expect(terminalText("a\tb\r\nc\rd\n")).toBe("a\tb\r\nc\ufffdd\n");
  });

  it("turns marks into colours, and shows the rest", () => {
    expect(terminalText(`${colourMark(31)}${ESCAPE}[2Jx${colourMark(39)}`)).toBe(
      `${ESCAPE}[31m\ufffd[2Jx${ESCAPE}[39m`,
    );
  });

  it("is cut at a width with its colours ended", () => {
    expect(clipped(`ab${colourMark(31)}cd${colourMark(39)}ef`, 3)).toBe(`ab${colourMark(31)}c${colourMark(39)}`);
  });
});
