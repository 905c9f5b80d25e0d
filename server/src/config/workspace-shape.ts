// Config layer: the shape of `taintwise.yaml`: every field with its reader and its description for editors.
import { DIAGNOSTIC_CODES } from "../../../shared/src/codes.ts";
import { SEVERITIES } from "../../../shared/src/severity.ts";
import { isHardEffect, type Taint, type TaintEffect } from "../kube/taint.ts";
import { matchesPath, parseTaintPattern, parseWorkloadPattern } from "./pattern.ts";
import { flag, type JsonSchema, list, object, oneOf, oneOrMany, parsed, record, text } from "./shape.ts";
import { ROLE_NAMES, type SeveritySetting } from "./workspace.ts";

const SEVERITY_SETTINGS: readonly SeveritySetting[] = [...SEVERITIES, "off"];

const glob = text(
  { description: "A glob relative to this file: `*` within a folder, `**` across folders." },
  (value) =>
    value.startsWith("/") || value.startsWith("..") ? "must be relative to this file and inside its folder." : null,
);
const clusterName = text({ description: "The name of a cluster listed under `clusters`, or of a context." });
const clusterNames = oneOrMany(clusterName, { description: "Names of clusters." });
const taintPattern = parsed(
  { description: "`key`, `key:Effect`, `key=value` or `key=value:Effect`, with `*` for any characters." },
  "a taint such as dedicated=rdma:NoSchedule or example.com/*",
  parseTaintPattern,
);
const workloadPattern = parsed(
  { description: "`Kind/namespace/name`, `Kind/name` or `name`, with `*` for any characters." },
  "Kind/namespace/name, Kind/name or a name",
  parseWorkloadPattern,
);
const role = oneOf(ROLE_NAMES, { description: "What the workload does for its node." });

/** A whole taint as kubectl writes it; null when a part is missing or wrong. */
function parseTaint(value: string): Taint | null {
  const pattern = parseTaintPattern(value);
  if (pattern === null || /[*?]/.test(value) || !isEffect(pattern.effect)) return null;
  return { key: pattern.key, value: pattern.value ?? "", effect: pattern.effect, timeAdded: null };
}

function isEffect(effect: string | null): effect is TaintEffect {
  return effect !== null && (isHardEffect(effect) || effect === "PreferNoSchedule");
}

/** `1.37` → 37; null for anything that is no version of Kubernetes 1. */
function parseMinor(value: string): number | null {
  const match = /^v?1\.(\d{1,3})(?:\.\d+)?$/.exec(value);
  return match?.[1] === undefined ? null : Number(match[1]);
}

/** A decimal or binary quantity as the API server reads it, not negative. */
const quantity = text({ type: ["string", "number"] }, (value) =>
  /^\+?(\d+\.?\d*|\.\d+)([numkMGTPE]|[KMGTPE]i|[eE][+-]?\d+)?$/.test(value)
    ? null
    : `"${value}" is no quantity such as 8, 500m or 16Gi.`,
);

const cluster = object(
  {
    name: text({ description: "How path mappings, pools and outputs name the cluster." }),
    file: text({
      description: "A dump or snapshot, or a folder of them, relative to this file.",
    }),
    context: text({ description: "A kubeconfig context." }),
  },
  ["name"],
);

const pool = object(
  {
    name: text({ description: "The pool's name, for messages." }),
    clusters: clusterNames,
    labels: record(text(), { description: "Labels that its nodes carry." }),
    taints: list(
      parsed(
        { description: "`key=value:Effect` or `key:Effect`." },
        "a taint such as dedicated=rdma:NoSchedule",
        parseTaint,
      ),
      { description: "Taints that its nodes carry." },
    ),
    allocatable: record(quantity, { description: "What an empty node of the pool offers, by resource." }),
    os: oneOf(["linux", "windows"], { description: "The nodes' operating system; linux when left out." }),
    arch: text({ description: "The nodes' architecture, such as amd64 or arm64." }),
  },
  ["name"],
);

const expected = object({
  workload: workloadPattern,
  role,
  taint: taintPattern,
  nodes: oneOrMany(text({ description: "A node name, with `*` for any characters." })),
  clusters: clusterNames,
  reason: text({ description: "Why, for the next reader." }),
});

const severity = record(
  oneOf(SEVERITY_SETTINGS),
  {
    description: "Severity per diagnostic code; off silences it.",
    propertyNames: { enum: DIAGNOSTIC_CODES },
    additionalProperties: { enum: SEVERITY_SETTINGS },
  },
  (name) =>
    DIAGNOSTIC_CODES.some((code) => code === name)
      ? null
      : `${name} is no diagnostic code; known: ${DIAGNOSTIC_CODES.join(", ")}.`,
);

const kubernetes = object(
  {
    version: parsed({ type: ["string", "number"] }, 'a version such as "1.37"', parseMinor),
    featureGates: object({ TaintTolerationComparisonOperators: flag() }),
  },
  [],
  { description: "The control plane that is modelled, where the cluster does not say." },
);

/** The whole file. */
export const workspaceShape = object({
  clusters: list(cluster, { description: "Clusters by name, and where their state is read from." }),
  paths: list(object({ path: oneOrMany(glob), clusters: clusterNames }, ["path", "clusters"]), {
    description: "Which manifests belong to which clusters. Files outside every mapping get no cluster verdict.",
  }),
  pools: list(pool, { description: "Node pools that count as nodes even while they are scaled to zero." }),
  roles: list(object({ workload: workloadPattern, role }, ["workload", "role"]), {
    description: "What a workload is, where its structure does not show it.",
  }),
  expected: list(expected, { description: "Gaps that are meant to be. Every condition of an entry must hold." }),
  ignoredTaints: list(taintPattern, { description: "Taints that never make a diagnostic." }),
  transientTaints: list(taintPattern, { description: "Taints that go by themselves, beside the built-in ones." }),
  exclude: list(glob, { description: "Files that are left alone." }),
  severity,
  kubernetes,
});

/** The JSON schema of the file; shared/taintwise.schema.json is this, written out (a test holds them together). */
export function workspaceSchema(): JsonSchema {
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "Taintwise workspace file",
    description: "What Taintwise cannot read from manifests and clusters: roles, pools, expected gaps, clusters.",
    ...workspaceShape.schema,
  };
}

/** Whether a path is excluded by one of the globs. */
export function isExcluded(exclude: readonly string[], path: string): boolean {
  return exclude.some((pattern) => matchesPath(pattern, path));
}
