// Command-line layer: `taintwise snapshot`.
import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { saveSnapshot } from "../cluster/snapshot/save-snapshot.ts";
import { count } from "../report/text-layout.ts";
import { isoTime } from "../report/time.ts";
import type { Arguments } from "./arguments.ts";
import type { ExitCode, Host } from "./host.ts";
import { printNotes } from "./report-options.ts";
import { requiredClusters } from "./source/clusters.ts";
import { Workspaces } from "./source/workspace.ts";
import { reasonOf, Unusable } from "./unusable.ts";

/** Writes one cluster into a snapshot file. */
export async function run(args: Arguments, host: Host): Promise<ExitCode> {
  const [extra] = args.operands;
  if (extra !== undefined)
    throw new Unusable(`snapshot takes no operand, but got "${extra}"; write to a file with -o FILE.`);
  const file = args.one("output");
  if (file === null || file === "-") throw new Unusable("snapshot needs a file to write: -o FILE.");
  const sources = await requiredClusters(args, host, new Workspaces(host.cwd, args.one("config")));
  const [cluster, second] = sources.used();
  if (cluster === undefined) throw new Unusable("There is no cluster to write.");
  if (second !== undefined) {
    throw new Unusable(
      `A snapshot holds one cluster, but there are ${cluster.name} and ${second.name}; name one with --cluster.`,
    );
  }
  const path = resolve(host.cwd, file);
  try {
    await saveSnapshot(path, cluster);
  } catch (error) {
    throw new Unusable(`${file}: cannot be written: ${reasonOf(error)}.`);
  }
  const { size } = await stat(path);
  printNotes(sources.notes(), host);
  const observed = isoTime(cluster.observedAt) ?? "an unknown time";
  host.stdout.write(
    `${file}: ${cluster.name} with ${count(cluster.nodes.size, "node")} and ${count(cluster.pods.length, "pod")}, observed at ${observed}, ${Math.ceil(size / 1024)} KiB.\n`,
  );
  return 0;
}
