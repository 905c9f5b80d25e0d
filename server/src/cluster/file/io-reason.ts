// Cluster layer, files: why the file system refused something, in words.

const REASONS: ReadonlyMap<string, string> = new Map([
  ["ENOENT", "there is no such file or folder"],
  ["ENOTDIR", "there is no such file or folder"],
  ["EACCES", "it may not be read (permission denied)"],
  ["EPERM", "it may not be read (permission denied)"],
  ["ELOOP", "its symbolic links form a loop"],
  ["EISDIR", "it is a folder"],
  ["EMFILE", "too many files are open"],
  ["ERR_FS_FILE_TOO_LARGE", "it is larger than 2 GiB: split it by kind, or use taintwise snapshot"],
]);

/** The reason in words. Errors that do not come from the system are faults of ours and go on. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "string") throw error;
  return REASONS.get(error.code) ?? `it cannot be read (${error.code})`;
}
