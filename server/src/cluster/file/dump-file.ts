// Cluster layer, files: which files of a folder or an archive are part of a dump.

const EXTENSION = /\.(?:ya?ml|json|jsonl|ndjson)(?:\.gz)?$/i;
const LEFT_ALONE = /(?:^|\/)(?:\.git|node_modules)\//;
/** macOS puts its own attributes beside every file of an archive. */
const APPLE_DOUBLE = /(?:^|\/)\._[^/]*$/;

/** Whether a file, by its path with `/`, is read; logs and everything else are left alone. */
export function isDumpFile(path: string): boolean {
  return EXTENSION.test(path) && !LEFT_ALONE.test(path) && !APPLE_DOUBLE.test(path);
}
