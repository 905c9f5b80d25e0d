// package.json against the code and the files that it names.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { bundleContent, extractTexts } from "../../scripts/l10n.ts";
import { shippedFiles } from "../../scripts/package.ts";
import { ClientCommand } from "../../shared/src/protocol.ts";

const root = new URL("../../", import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), "utf8");
const manifestText = read("package.json");
const manifest = JSON.parse(manifestText);
const contributes = manifest.contributes;

/** Every TypeScript file of the client. */
const clientSources = readdirSync(new URL("client/src", root), { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".ts"))
  .map((path) => ({ path, code: read(`client/src/${path}`) }));

describe("commands", () => {
  const contributed: readonly string[] = contributes.commands.map((command: { command: string }) => command.command);
  const entries = clientSources.map((source) => source.code).join("\n");
  const registered = [...entries.matchAll(/register\((?:"(taintwise\.\w+)"|ClientCommand\.(\w+))/g)].map(
    ([, literal, name]) => literal ?? ClientCommand[name as keyof typeof ClientCommand],
  );

  it("are registered when they are contributed", () => {
    expect(registered).toEqual(expect.arrayContaining([...contributed]));
  });

  it("are contributed when a person can use them", () => {
    // Opening a place needs an argument: only lenses and reports call it.
    expect(registered.filter((command) => !contributed.includes(command))).toEqual([ClientCommand.open]);
  });

  it("exist where menus and the walkthrough name them", () => {
    const named = [...JSON.stringify(contributes).matchAll(/"command":"(taintwise\.\w+)"|onCommand:(taintwise\.\w+)/g)]
      .map(([, menu, event]) => menu ?? event)
      .concat([...read("package.nls.json").matchAll(/\(command:(taintwise\.\w+)\)/g)].map(([, command]) => command!));
    for (const command of named) expect(contributed).toContain(command);
  });
});

describe("menus", () => {
  it("offer what works on a manifest in every language that is checked, and in no other", () => {
    const clauses = [...JSON.stringify(contributes.menus).matchAll(/"when":"([^"]*)"/g)].map(([, clause]) => clause!);
    const asking = clauses.filter((clause) => clause.includes("editorLangId"));
    expect(asking.length).toBeGreaterThan(0);
    for (const clause of asking) expect(clause).toMatch(/^editorLangId in taintwise\.languages( |$)/);
  });
});

describe("texts", () => {
  it("of package.json are all in package.nls.json, and none is left over", () => {
    const used = [...manifestText.matchAll(/"%([^%"]+)%"/g)].map(([, key]) => key!);
    expect([...new Set(used)].sort()).toEqual(Object.keys(JSON.parse(read("package.nls.json"))).sort());
  });

  it("of the client are all in the bundle to translate", () => {
    expect(read("l10n/bundle.l10n.json")).toBe(bundleContent());
  });

  it("of the client are found when they are written over several lines", () => {
    expect(extractTexts('l10n.t(\n  "a {b}",\n { b })')).toEqual({ "a {b}": "a {b}" });
    expect(() => extractTexts("l10n.t(`a ${b}`)")).toThrow("not a plain text");
  });

  it("of the client come from one place", () => {
    const elsewhere = clientSources.filter(({ path, code }) => path !== "texts.ts" && code.includes("l10n"));
    expect(elsewhere.map(({ path }) => path)).toEqual([]);
  });
});

describe("the package", () => {
  it("ships every file that package.json names", () => {
    const named = [...manifestText.matchAll(/"(?:\.\/)?((?:media|syntaxes|shared)\/[^"]+)"/g)].map(([, path]) => path!);
    for (const path of named) {
      expect(existsSync(new URL(path, root)), path).toBe(true);
      expect(shippedFiles()).toContain(path);
    }
  });

  it("ships the files that the client opens, and shows people no path that they do not have", () => {
    const opened = clientSources.flatMap(({ code }) =>
      [...code.matchAll(/extensionUri, ((?:"[^"]+"(?:, )?)+)\)/g)].map(([, words]) =>
        words!.replaceAll(/"(?:, ")?/g, "/"),
      ),
    );
    const paths = opened.map((path) => path.slice(1, -1)).filter((path) => !path.startsWith("dist/"));
    expect(paths).toContain("docs/rbac.yaml");
    for (const path of paths) expect(shippedFiles()).toContain(path);
    expect(read("package.nls.json")).not.toMatch(/docs\/[\w/-]+\.\w+/);
  });

  it("ships the two bundles, what they show, and pages and the example to read; nothing else", () => {
    const kinds = shippedFiles().map((path) =>
      path
        .replace(/^docs\/(diagnostics|findings)\/[\w-]+\.md$/, "docs/$1/CODE.md")
        .replace(/^docs\/images\/[\w-]+\.png$/, "docs/images/PICTURE.png")
        .replace(/^media\/walkthrough\/\w+\.svg$/, "media/walkthrough/STEP.svg")
        .replace(/^examples\/rdma-incident\/.*[^/]\.(yaml|md|json)$/, "examples/rdma-incident/FILE.$1"),
    );
    // What the build writes is there after `npm run build` only.
    const known = [...new Set(kinds)].filter((path) => !path.startsWith("dist/"));
    expect(known).toEqual([
      "CHANGELOG.md",
      "LICENSE",
      "README.md",
      "docs/diagnostics/CODE.md",
      "docs/findings/CODE.md",
      "docs/images/PICTURE.png",
      "docs/rbac-changes.yaml",
      "docs/rbac.yaml",
      "examples/rdma-incident/FILE.json",
      "examples/rdma-incident/FILE.md",
      "examples/rdma-incident/FILE.yaml",
      "l10n/bundle.l10n.json",
      "media/explorer.svg",
      "media/icon.png",
      "media/walkthrough/STEP.svg",
      "package.json",
      "package.nls.json",
      "shared/taintwise.schema.json",
      "syntaxes/taintwise-comments.tmLanguage.json",
      "syntaxes/taintwise.tmLanguage.json",
    ]);
    const built = kinds.filter((path) => path.startsWith("dist/"));
    for (const path of built) expect(["dist/coverage.js", "dist/extension.cjs", "dist/server.cjs"]).toContain(path);
  });

  it("ships no source, test, map or dependency", () => {
    const foreign = shippedFiles().filter((path) =>
      /(^|\/)(test|node_modules|src|scripts)\/|\.(ts|map|mjs|svg~)$/.test(path),
    );
    expect(foreign).toEqual([]);
  });

  it("has pictures that the walkthrough can show: no style sheet, which the editor blocks", () => {
    for (const step of contributes.walkthroughs[0].steps) {
      expect(read(step.media.svg), step.media.svg).not.toMatch(/<style|style=|class=|<script/);
    }
  });

  it("describes every picture of the walkthrough for those who cannot see it", () => {
    for (const step of contributes.walkthroughs[0].steps) expect(step.media.altText).toMatch(/^%.+%$/);
  });
});
