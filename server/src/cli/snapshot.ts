// Command-line layer: `taintwise snapshot`.
import { existsSync } from "node:fs";
import { stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { saveSnapshot } from "../cluster/snapshot/save-snapshot.ts";
import { type CommonJson, commonJson, jsonText } from "../report/document.ts";
import { count } from "../report/text-layout.ts";
import { isoTime } from "../report/time.ts";
import type { Arguments } from "./arguments.ts";
import type { ExitCode, Host } from "./host.ts";
import { printNotes } from "./report-options.ts";
import { formatOf } from "./settings.ts";
import { requiredClusters } from "./source/clusters.ts";
import { Workspaces } from "./source/workspace.ts";
import { reasonOf, Unusable } from "./unusable.ts";

interface SnapshotJson extends CommonJson {
  /** As it was named. */
  readonly file: string;
  readonly bytes: number;
}

/** Writes one cluster into a snapshot file. Its folder must be there: a mistyped path is told, not made. */
export async function run(args: Arguments, host: Host): Promise<ExitCode> {
  const format = formatOf(args, "snapshot", ["text", "json"]);
  const [extra] = args.operands;
  if (extra !== undefined)
    throw new Unusable(`snapshot takes no operand, but got "${extra}"; write to a file with -o FILE.`);
  const file = args.one("output");
  if (file === null || file === "-") throw new Unusable("snapshot needs a file to write: -o FILE.");
  const path = resolve(host.cwd, file);
  if (!existsSync(dirname(path))) {
    throw new Unusable(`${file}: cannot be written: there is no folder ${dirname(file)}. Make it first.`);
  }
  const sources = await requiredClusters(args, host, new Workspaces(host.cwd, args.one("config")));
  const [cluster, second] = sources.used();
  if (cluster === undefined) throw new Unusable("There is no cluster to write.");
  if (second !== undefined) {
    throw new Unusable(
      `A snapshot holds one cluster, but there are ${cluster.name} and ${second.name}; name one with --cluster.`,
    );
  }
  if (cluster.origin === "cache" && args.all("context").length > 0) {
    // The time is in the file, but whoever takes a snapshot now means the cluster of now.
    throw new Unusable(`${sources.notes().join(" ")} A remembered state is not written as a snapshot.`);
  }
  try {
    await saveSnapshot(path, cluster);
  } catch (error) {
    throw new Unusable(`${file}: cannot be written: ${reasonOf(error)}.`);
  }
  const { size } = await stat(path);
  printNotes(sources.notes(), host);
  if (format === "json") {
    const written: SnapshotJson = { ...commonJson([cluster]), file, bytes: size };
    host.stdout.write(jsonText(written));
    return 0;
  }
  const observed = isoTime(cluster.observedAt) ?? "an unknown time";
  host.stdout.write(
    `${file}: ${cluster.name} with ${count(cluster.nodes.size, "node")} and ${count(cluster.pods.length, "pod")}, observed at ${observed}, ${Math.ceil(size / 1024)} KiB.\n`,
  );
  return 0;
}
