// Config layer: reads `taintwise.yaml` into a typed value; bad parts are reported and fall back to their defaults.
import { parseDocument } from "../yaml/parse.ts";
import { splitDocuments } from "../yaml/scan.ts";
import type { YamlDocument } from "../yaml/tree.ts";
import { matchesPath } from "./pattern.ts";
import type { ConfigProblem } from "./shape.ts";
import { DEFAULT_CONFIG, type DeclaredPool, type ExpectedGap, type WorkspaceConfig } from "./workspace.ts";
import { workspaceShape } from "./workspace-shape.ts";

type Fields = NonNullable<ReturnType<typeof workspaceShape.read>>;

/** Reads the text of a workspace file; see `readWorkspace`. An empty text gives the defaults. */
export function readWorkspaceText(text: string): ReturnType<typeof readWorkspace> {
  return readWorkspace(splitDocuments(text).map((document) => parseDocument(text, document)));
}

/**
 * Reads the documents of a workspace file (one is expected). In: parsed documents; out: the configuration with
 * defaults for whatever is missing or unusable, and every problem with its place, in UTF-16 offsets.
 */
export function readWorkspace(documents: readonly YamlDocument[]): {
  readonly config: WorkspaceConfig;
  readonly problems: readonly ConfigProblem[];
} {
  const problems: ConfigProblem[] = documents.flatMap((document) =>
    document.problems.map((problem) => ({ message: problem.message, span: problem.span })),
  );
  const written = documents.filter((document) => document.root !== null);
  for (const extra of written.slice(1)) {
    problems.push({ message: "Only the first document of this file is read.", span: extra.root?.span ?? extra.span });
  }
  const root = written[0]?.root ?? null;
  const empty = root === null || (root.kind === "scalar" && root.value.type === "null");
  const fields: Fields = empty ? {} : (workspaceShape.read(root, "", problems) ?? {});
  problems.push(...contradictions(fields).map((message) => ({ message, span: root?.span ?? { start: 0, end: 0 } })));
  return { config: fromFields(fields), problems: problems.sort((a, b) => a.span.start - b.span.start) };
}

function fromFields(fields: Fields): WorkspaceConfig {
  return {
    clusters: (fields.clusters ?? []).flatMap(({ name, file, context }) =>
      name === undefined ? [] : [{ name, file: file ?? null, context: context ?? null }],
    ),
    paths: (fields.paths ?? []).flatMap(({ path, clusters }) =>
      path === undefined || clusters === undefined ? [] : [{ paths: path, clusters }],
    ),
    pools: (fields.pools ?? []).flatMap((pool) => (pool.name === undefined ? [] : [declaredPool(pool.name, pool)])),
    roles: (fields.roles ?? []).flatMap(({ workload, role }) =>
      workload === undefined || role === undefined ? [] : [{ workload, role }],
    ),
    expected: (fields.expected ?? []).map(expectedGap).filter(isConditional),
    ignoredTaints: fields.ignoredTaints ?? [],
    transientTaints: fields.transientTaints ?? [],
    exclude: fields.exclude ?? [],
    severity: fields.severity ?? {},
    kubernetes: {
      minorVersion: fields.kubernetes?.version ?? DEFAULT_CONFIG.kubernetes.minorVersion,
      comparisonOperators: fields.kubernetes?.featureGates?.TaintTolerationComparisonOperators ?? false,
    },
  };
}

function declaredPool(name: string, pool: NonNullable<Fields["pools"]>[number]): DeclaredPool {
  return {
    name,
    clusters: pool.clusters ?? [],
    labels: {
      "kubernetes.io/os": pool.os ?? "linux",
      ...(pool.arch === undefined ? {} : { "kubernetes.io/arch": pool.arch }),
      ...pool.labels,
    },
    taints: pool.taints ?? [],
    allocatable: pool.allocatable ?? null,
  };
}

function expectedGap(entry: NonNullable<Fields["expected"]>[number]): ExpectedGap {
  return {
    workload: entry.workload ?? null,
    role: entry.role ?? null,
    taint: entry.taint ?? null,
    nodes: entry.nodes ?? [],
    clusters: entry.clusters ?? [],
    reason: entry.reason ?? "",
  };
}

function isConditional(gap: ExpectedGap): boolean {
  return gap.workload !== null || gap.role !== null || gap.taint !== null || gap.nodes.length > 0;
}

/** What reads well field by field but makes no sense together. */
function contradictions(fields: Fields): readonly string[] {
  const names = (fields.clusters ?? []).map((cluster) => cluster.name);
  const twice = names.filter((name, index) => names.indexOf(name) !== index);
  const sources = (fields.clusters ?? []).filter(
    (cluster) => (cluster.file === undefined) === (cluster.context === undefined),
  );
  const unconditional = (fields.expected ?? []).filter((entry) => !isConditional(expectedGap(entry)));
  return [
    ...twice.map((name) => `clusters: ${name} is listed twice.`),
    ...sources.map((cluster) => `clusters: ${cluster.name} needs either file or context.`),
    ...unconditional.map(() => "expected: an entry without workload, role, taint or nodes would mean every gap."),
  ];
}

/**
 * The names of the clusters that a manifest belongs to. In: the path with `/`, relative to the workspace file's
 * folder. Out: null when nothing is mapped (all clusters), else the names, none for a file outside every mapping.
 */
export function clustersForPath(config: WorkspaceConfig, path: string): readonly string[] | null {
  if (config.paths.length === 0) return null;
  const hits = config.paths.filter((mapping) => mapping.paths.some((glob) => matchesPath(glob, path)));
  return [...new Set(hits.flatMap((mapping) => mapping.clusters))];
}
