// Which manifests an overlay changes, told from kustomization files alone.
import { describe, expect, it } from "vitest";
import { changedFiles, readKustomization } from "../../server/src/analysis/kustomizations.ts";

function changed(files: Readonly<Record<string, string>>, ...paths: readonly string[]): readonly string[] {
  const isChanged = changedFiles(Object.entries(files).map(([folder, text]) => readKustomization(folder, text)));
  return paths.filter(isChanged);
}

const BASE = "resources: [plugin.yaml, ./exporter.yaml, more/]\n";

describe("files behind a kustomization", () => {
  it("are changed when an overlay that takes their base has patches", () => {
    const overlay = "resources:\n  - ../../base\npatches:\n  - path: tolerations.yaml\n";
    const files = { "/w/base": BASE, "/w/base/more": "resources: [x.yaml]\n", "/w/overlays/prod": overlay };
    expect(
      changed(files, "/w/base/plugin.yaml", "/w/base/exporter.yaml", "/w/base/more/x.yaml", "/w/base/unlisted.yaml"),
    ).toEqual(["/w/base/plugin.yaml", "/w/base/exporter.yaml", "/w/base/more/x.yaml"]);
  });

  it("are as written when nothing but names and labels is set", () => {
    const overlay = "namePrefix: x-\nnamespace: y\nresources: [../base]\npatches: []\n";
    expect(changed({ "/w/base": BASE, "/w/prod": overlay }, "/w/base/plugin.yaml")).toEqual([]);
  });

  it.each(["components: [../c]", "replacements: [{source: {kind: X}}]", "patchesJson6902: [{path: p.yaml}]"])(
    "are changed by %s",
    (line) => {
      const files = { "/w/base": BASE, "/w/prod": `bases: [../base]\n${line}\n`, "/w/c": "resources: [c.yaml]\n" };
      expect(changed(files, "/w/base/plugin.yaml")).toEqual(["/w/base/plugin.yaml"]);
    },
  );

  it("end in a circle, and with texts that say nothing", () => {
    const files = {
      "/w/a": "resources: [../b, https://example.com/x, github.com/o/r]\npatches: [{path: p}]\n",
      "/w/b": "resources: [../a, b.yaml]\n",
      "/w/c": "{",
      "/w/d": "resources: nothing\n",
      "/w/e": "",
    };
    expect(changed(files, "/w/b/b.yaml", "/w/a/https:/example.com/x")).toEqual(["/w/b/b.yaml"]);
  });
});
