// Which files a walk finds: names, ignore files, exclusions, links.
import { describe, expect, it } from "vitest";
import { type FileTree, type FolderEntry, walk } from "../../server/src/analysis/file-walk.ts";

/** A tree in memory: paths to a text, or to `-> target` for a link. */
function treeOf(files: Readonly<Record<string, string>>): FileTree {
  const paths = Object.keys(files);
  const linkOf = (path: string): string | null => (files[path]?.startsWith("-> ") ? files[path].slice(3) : null);
  const resolve = (path: string): string => {
    for (let length = 1; length <= path.split("/").length; length += 1) {
      const head = path.split("/").slice(0, length).join("/");
      const target = linkOf(head);
      if (target !== null) return resolve(target + path.slice(head.length));
    }
    return path;
  };
  const isFolder = (path: string): boolean => paths.some((other) => other.startsWith(`${path}/`));
  return {
    list: (folder) => {
      const real = resolve(folder);
      if (files[`${real}/!unreadable`] !== undefined) throw new Error("permission denied");
      const names = new Set(
        paths.filter((path) => path.startsWith(`${real}/`)).map((path) => path.slice(real.length + 1).split("/")[0]!),
      );
      return [...names].map((name): FolderEntry => {
        const path = `${real}/${name}`;
        return { name, kind: linkOf(path) !== null ? "link" : isFolder(path) ? "folder" : "file" };
      });
    },
    readText: (path) => files[resolve(path)] ?? null,
    resolve: (path) => {
      const real = resolve(path);
      if (isFolder(real)) return { path: real, kind: "folder" };
      return files[real] === undefined ? null : { path: real, kind: "file" };
    },
  };
}

function found(files: Readonly<Record<string, string>>, root = "/w", excluded?: (path: string) => boolean): string[] {
  return [...walk(root, treeOf(files), excluded)].map((step) =>
    step.type === "file" ? step.path : `${step.path}: ${String(step.error)}`,
  );
}

describe("a walk through a folder", () => {
  it("finds YAML and JSON in the order of names, and leaves git's and npm's folders alone", () => {
    expect(
      found({
        "/w/b.yaml": "",
        "/w/a/x.YML": "",
        "/w/a/y.json": "",
        "/w/README.md": "",
        "/w/.git/config.yaml": "",
        "/w/node_modules/p/p.yaml": "",
        "/w/.github/wf.yml": "",
      }),
    ).toEqual(["/w/.github/wf.yml", "/w/a/x.YML", "/w/a/y.json", "/w/b.yaml"]);
  });

  it("respects ignore files, the deepest and last rule winning", () => {
    expect(
      found({
        "/w/.gitignore": "out/\n*.gen.yaml\n/only-here.yaml\n!keep.gen.yaml\ndocs/**/draft.yaml\n",
        "/w/out/x.yaml": "",
        "/w/a.gen.yaml": "",
        "/w/keep.gen.yaml": "",
        "/w/only-here.yaml": "",
        "/w/sub/only-here.yaml": "",
        "/w/sub/.gitignore": "!b.gen.yaml\n",
        "/w/sub/b.gen.yaml": "",
        "/w/docs/a/b/draft.yaml": "",
        "/w/docs/draft.yaml": "",
      }),
    ).toEqual(["/w/keep.gen.yaml", "/w/sub/b.gen.yaml", "/w/sub/only-here.yaml"]);
  });

  it("respects the ignore files above it up to the top of the work tree, but walks a folder that was named", () => {
    const files = {
      "/repo/.git/HEAD": "",
      "/repo/.gitignore": "cache/\nsecret.yaml\n",
      "/repo/cache/a.yaml": "",
      "/repo/cache/secret.yaml": "",
      "/.gitignore": "*.yaml",
    };
    expect(found(files, "/repo/cache")).toEqual(["/repo/cache/a.yaml"]);
    expect(found(files, "/repo")).toEqual([]);
  });

  it("takes ignore patterns as git does", () => {
    expect(
      found({
        "/w/.gitignore": "# comment\n\\#x.yaml\n[ab]?.yaml\n[!c]z.yaml\nq\\*.yaml\ntrailing.yaml   \n[broken.yaml\n",
        "/w/#x.yaml": "",
        "/w/a1.yaml": "",
        "/w/c1.yaml": "",
        "/w/cz.yaml": "",
        "/w/dz.yaml": "",
        "/w/q*.yaml": "",
        "/w/qq.yaml": "",
        "/w/trailing.yaml": "",
        "/w/[broken.yaml": "",
      }),
    ).toEqual(["/w/[broken.yaml", "/w/c1.yaml", "/w/cz.yaml", "/w/qq.yaml"]);
  });

  it("leaves excluded files and folders out", () => {
    const excluded = (path: string): boolean => path.endsWith("/vendor") || path.endsWith("/x.yaml");
    expect(found({ "/w/vendor/a.yaml": "", "/w/x.yaml": "", "/w/y.yaml": "" }, "/w", excluded)).toEqual(["/w/y.yaml"]);
  });

  it("says which folder cannot be read, and goes on", () => {
    expect(found({ "/w/a/!unreadable": "", "/w/b.yaml": "" })).toEqual(["/w/a: Error: permission denied", "/w/b.yaml"]);
  });
});

describe("links", () => {
  it("ends in a loop of links, and visits nothing twice", () => {
    expect(
      found({
        "/w/a/x.yaml": "",
        "/w/a/up": "-> /w",
        "/w/b": "-> /w/a",
        "/w/self": "-> /w/self2",
        "/w/self2": "-> /gone",
      }),
    ).toEqual(["/w/a/x.yaml"]);
  });

  it("follows a link to a folder outside once, and to a file outside", () => {
    expect(
      found({
        "/w/one": "-> /shared",
        "/w/two": "-> /shared",
        "/w/f.yaml": "-> /other/f.txt",
        "/shared/s.yaml": "",
        "/shared/back": "-> /w",
        "/other/f.txt": "",
      }),
    ).toEqual(["/w/f.yaml", "/w/one/s.yaml"]);
  });

  it("does not follow a link to a folder that holds the walk's root", () => {
    expect(found({ "/w/x.yaml": "", "/w/up": "-> /", "/z/z.yaml": "" })).toEqual(["/w/x.yaml"]);
  });
});
