// Command-line layer: the one way to end a command early.

/**
 * What was asked for cannot be done: a path, flag, cluster or configuration is unusable. The message is one line
 * for a person (what, where, what to do). `run` prints it and exits with 2.
 */
export class Unusable extends Error {
  override readonly name = "Unusable";
}

/** What a caught value says about itself, on one line and without a stack. */
export function reasonOf(error: unknown): string {
  if (error instanceof Error) {
    const code = "code" in error && typeof error.code === "string" ? FILE_ERRORS[error.code] : undefined;
    return code ?? (error.message.split("\n", 1)[0] || error.name);
  }
  return String(error);
}

/** Node's file errors in words. */
const FILE_ERRORS: Readonly<Record<string, string>> = {
  ENOENT: "no such file or folder",
  EACCES: "permission denied",
  EPERM: "not permitted",
  EISDIR: "is a folder",
  ENOTDIR: "a part of the path is not a folder",
  ELOOP: "too many symbolic links",
  EROFS: "the file system is read-only",
  ENOSPC: "no space left on the device",
  ENAMETOOLONG: "the name is too long",
  ERR_FS_FILE_TOO_LARGE: "the file is larger than 2 GiB",
  ERR_STRING_TOO_LONG: "the file is too large to be read as one text",
};
