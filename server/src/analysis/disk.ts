// Analysis layer: the real file system behind the walk; the one file of this room that touches a disk.
import { readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import type { FileTree, FolderEntry } from "./file-walk.ts";

/** The disk with `/` between folders on every platform. */
export const DISK: FileTree = {
  list: (folder) =>
    readdirSync(folder, { withFileTypes: true }).map((entry): FolderEntry => {
      const kind = entry.isFile() ? "file" : entry.isDirectory() ? "folder" : entry.isSymbolicLink() ? "link" : "other";
      return { name: entry.name, kind };
    }),
  readText: (path) => {
    try {
      return readFileSync(path, "utf8");
    } catch {
      // An ignore file that is absent or cannot be read ignores nothing.
      return null;
    }
  },
  resolve: (path) => {
    try {
      const real = realpathSync(path);
      const stats = statSync(real);
      const kind = stats.isFile() ? "file" : stats.isDirectory() ? "folder" : "other";
      return { path: real.replaceAll("\\", "/"), kind };
    } catch {
      // Leads nowhere: the caller treats it as not there.
      return null;
    }
  },
};
