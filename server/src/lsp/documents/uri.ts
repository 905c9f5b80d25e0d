// LSP layer: one file, several spellings of its URI. Comparison goes through one normal form; answers use the client's.
import { fileURLToPath, pathToFileURL } from "node:url";

/** The schemes whose documents are read: files, and documents that are not saved yet. Others are second copies of a path. */
const SCHEMES: ReadonlySet<string> = new Set(["file", "untitled"]);

/** Whether documents of this URI are ours at all (git's side of a diff, output channels and notebook cells are not). */
export function isOurs(uri: string): boolean {
  return SCHEMES.has(schemeOf(uri));
}

function schemeOf(uri: string): string {
  return uri.slice(0, Math.max(0, uri.indexOf(":"))).toLowerCase();
}

/**
 * The form that equal URIs share: decoded, with a drive letter in lower case. Composed and decomposed accents stay
 * apart, as they do on disk.
 */
export function uriKey(uri: string): string {
  const path = pathOf(uri);
  if (path === null) return uri;
  return `file:${path.replace(/^\/?[A-Z]:/, (drive) => drive.toLowerCase())}`;
}

/** The path of a file URI with `/` between its parts; null for every other scheme and for URIs that name no local path. */
export function pathOf(uri: string): string | null {
  if (schemeOf(uri) !== "file") return null;
  try {
    return fileURLToPath(uri).replaceAll("\\", "/");
  } catch {
    // A URI with an encoded slash or of another host names no file here.
    return null;
  }
}

/** The URI of an absolute path. */
export function uriOf(path: string): string {
  return pathToFileURL(path).href;
}
