// Cluster layer, files: the thin part that touches the disk.
import { readFile, stat } from "node:fs/promises";
import { fileProblem } from "../problem.ts";
import { ClusterReader, type ClusterReading, type ReadingOptions } from "./cluster-reader.ts";
import { reasonOf } from "./io-reason.ts";
import { walkDump } from "./walk.ts";

export interface LoadOptions extends ReadingOptions {
  /** Standard input, read when the path is `-`. */
  readonly readStdin: () => Promise<Uint8Array>;
}

/**
 * Reads a cluster from what `--cluster` names: a file, a folder of files, `-` for standard input; each plain or gzip.
 * Never throws for what it finds there: problems say it, and an `error` among them that the cluster cannot be used.
 */
export async function loadClusterFile(path: string, options: LoadOptions): Promise<ClusterReading> {
  const reader = new ClusterReader();
  if (path === "-") reader.add({ path, bytes: await options.readStdin(), named: true });
  else await addPath(path, reader);
  return reader.finish(path, options);
}

async function addPath(path: string, reader: ClusterReader): Promise<void> {
  let folder: boolean;
  try {
    folder = (await stat(path)).isDirectory();
  } catch (error) {
    reader.fail(fileProblem(path, reasonOf(error)));
    return;
  }
  await (folder ? addFolder(path, reader) : addFile(path, true, reader));
}

async function addFolder(folder: string, reader: ClusterReader): Promise<void> {
  for await (const step of walkDump(folder)) {
    if (step.problem !== null) reader.fail(step.problem);
    else await addFile(step.path, false, reader);
  }
}

async function addFile(path: string, named: boolean, reader: ClusterReader): Promise<void> {
  let bytes: Uint8Array;
  try {
    bytes = await readFile(path);
  } catch (error) {
    reader.fail(fileProblem(path, reasonOf(error), named ? "error" : "warning"));
    return;
  }
  reader.add({ path, bytes, named });
}
