// Command-line layer: the clusters that a command judges against: --cluster, --context, else the workspace file's.
import { relative, resolve } from "node:path";
import type { Circumstances } from "../../analysis/engine.ts";
import { loadClusterFile } from "../../cluster/file/load.ts";
import type { ClusterModel } from "../../cluster/model.ts";
import { type ClusterProblem, formatClusterProblem } from "../../cluster/problem.ts";
import { WORKSPACE_FILE, type WorkspaceConfig } from "../../config/workspace.ts";
import type { Arguments } from "../arguments.ts";
import type { Host } from "../host.ts";
import { nowOf } from "../settings.ts";
import { Unusable } from "../unusable.ts";
import { readContext } from "./live-clusters.ts";
import { NO_CLUSTER } from "./notes.ts";
import type { Workspace, Workspaces } from "./workspace.ts";

export interface ClusterSources {
  /**
   * What manifests of a workspace are judged by: its clusters, read when first asked for, and its configuration. Where
   * --cluster or --context name none of the clusters that its path mappings speak of, the mappings do not count.
   */
  readonly of: (workspace: Workspace) => Promise<Circumstances>;
  /** Absolute paths, with `/`, of the files and folders that clusters are or may be read from. */
  readonly files: (workspace: Workspace) => ReadonlySet<string>;
  /** Every cluster that was asked for so far. */
  readonly used: () => readonly ClusterModel[];
  /** What was odd about the sources, in sentences. */
  readonly notes: () => readonly string[];
}

/** A cluster by name and where it comes from. */
interface Wanted {
  readonly name: string | null;
  /** As people wrote it; `-` is standard input. */
  readonly file: string | null;
  readonly context: string | null;
  /** Absolute folder that `file` is relative to. */
  readonly folder: string;
}

/**
 * The sources of a command. --cluster and --context are read at once and count for every manifest; without them each
 * workspace file's own clusters count. Throws Unusable when a source cannot be used, or there is none and
 * --require-cluster is given.
 */
export async function clusterSources(args: Arguments, host: Host, workspaces: Workspaces): Promise<ClusterSources> {
  const given: readonly Wanted[] = [
    ...args.all("cluster").map((file) => ({ name: null, file, context: null, folder: host.cwd })),
    ...args.all("context").map((context) => ({ name: context, file: null, context, folder: host.cwd })),
  ];
  if (given.filter((wanted) => wanted.file === "-").length + args.operands.filter((word) => word === "-").length > 1) {
    throw new Unusable("Standard input (-) can be read only once.");
  }
  // Told at once, also where no cluster is read.
  const now = nowOf(args);
  const notes: string[] = [];
  const read = new Map<string, Promise<ClusterModel>>();
  const used: ClusterModel[] = [];
  const readAll = async (wanted: readonly Wanted[]): Promise<readonly ClusterModel[]> => {
    const models: ClusterModel[] = [];
    for (const one of wanted) {
      const key = JSON.stringify([one.name, one.file, one.context, one.folder]);
      const pending = read.get(key) ?? readOne(one, now, args, host, notes);
      read.set(key, pending);
      const model = await pending;
      if (!used.includes(model)) used.push(model);
      models.push(model);
    }
    return distinctNames(models, wanted);
  };
  const explicit = given.length === 0 ? null : await readAll(given);
  if (explicit === null && args.has("require-cluster")) {
    if (configuredClusters(workspaces.of(host.cwd)).length === 0) throw new Unusable(NO_CLUSTER);
  }
  return {
    of: async (workspace) => {
      const { config } = workspace;
      if (explicit !== null) return { clusters: explicit, config: withFittingPaths(config, explicit) };
      for (const note of unreadNotes(config)) if (!notes.includes(note)) notes.push(note);
      return { clusters: await readAll(configuredClusters(workspace)), config };
    },
    files: (workspace) => {
      const wanted = given.length === 0 ? configuredClusters(workspace) : given;
      return new Set(
        wanted.flatMap(({ file, folder }) =>
          file === null || file === "-" ? [] : [resolve(folder, file).replaceAll("\\", "/")],
        ),
      );
    },
    used: () => (explicit === null ? used : explicit),
    notes: () => notes,
  };
}

/** The clusters of a command that works on clusters alone. Throws Unusable when there is none. */
export async function requiredClusters(args: Arguments, host: Host, workspaces: Workspaces): Promise<ClusterSources> {
  const sources = await clusterSources(args, host, workspaces);
  const { clusters } = await sources.of(workspaces.of(host.cwd));
  if (clusters.length === 0) {
    throw new Unusable("No cluster. Give one with --cluster FILE (- for standard input) or --context NAME.");
  }
  return sources;
}

/** The clusters that a workspace file reads from files. Live ones are read only when a person names them. */
function configuredClusters(workspace: Workspace): readonly Wanted[] {
  return workspace.config.clusters
    .filter(({ file }) => file !== null)
    .map(({ name, file }) => ({ name, file, context: null, folder: workspace.folder }));
}

/** One sentence for each cluster that the workspace file speaks of and that is not read. */
function unreadNotes(config: WorkspaceConfig): readonly string[] {
  const mapped = new Set(config.paths.flatMap((mapping) => mapping.clusters));
  const known = config.clusters.map((cluster) => cluster.name);
  return [
    ...config.clusters.flatMap(({ name, context }) =>
      context === null ? [] : [`${name}: context ${context} was not read; name it with --context ${context}.`],
    ),
    ...[...mapped]
      .filter((name) => !known.includes(name))
      .map((name) => `${name}: ${WORKSPACE_FILE} maps paths to this cluster, but lists no file for it.`),
  ];
}

function withFittingPaths(config: WorkspaceConfig, clusters: readonly ClusterModel[]): WorkspaceConfig {
  const mapped = new Set(config.paths.flatMap((mapping) => mapping.clusters));
  return clusters.some((cluster) => mapped.has(cluster.name)) ? config : { ...config, paths: [] };
}

async function readOne(
  wanted: Wanted,
  now: number | null,
  args: Arguments,
  host: Host,
  notes: string[],
): Promise<ClusterModel> {
  if (wanted.context !== null) return readContext(wanted.context, args, host, notes);
  const { model, problems } = await loadClusterFile(pathOf(wanted, host.cwd), {
    name: wanted.name,
    now,
    readStdin: host.readStdin,
  });
  const error = problems.find((problem) => problem.severity === "error");
  if (error !== undefined) {
    // What could not be read is most often why the rest is not enough.
    const lost = problems.find((problem) => problem.severity === "warning");
    throw new Unusable([error, ...(lost === undefined ? [] : [lost])].map(sentence).join(" "));
  }
  notes.push(...problems.map(sentence));
  return model;
}

function sentence(problem: ClusterProblem): string {
  return `${formatClusterProblem(problem)}.`;
}

/** The path to read, as people would write it from where they stand. */
function pathOf({ file, folder }: Wanted, cwd: string): string {
  if (file === null || file === "-" || folder === cwd) return file ?? "-";
  return relative(cwd, resolve(folder, file)) || ".";
}

/** Two files of one name are told apart by the paths they were given as. */
function distinctNames(models: readonly ClusterModel[], wanted: readonly Wanted[]): readonly ClusterModel[] {
  return models.map((model, index) => {
    const twice = models.some((other, at) => at !== index && other !== model && other.name === model.name);
    const file = wanted[index]?.file ?? null;
    return twice && file !== null ? { ...model, name: file } : model;
  });
}
