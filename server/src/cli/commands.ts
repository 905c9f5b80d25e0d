// Command-line layer: the table of commands. Each is loaded only when it is called, so that the others cost nothing.
import type { Arguments } from "./arguments.ts";
import type { ExitCode, Host } from "./host.ts";
import type { OptionName, OptionSpec } from "./options.ts";

/** Runs one command. Throws Unusable when what was asked for cannot be done. */
export type RunCommand = (args: Arguments, host: Host) => Promise<ExitCode>;

export interface Command {
  readonly name: string;
  /** Other spellings, in words: `whatif taint`. */
  readonly aliases: readonly string[];
  /** What stands behind the name. */
  readonly operands: string;
  readonly summary: string;
  /** A few lines on what it answers. */
  readonly details: string;
  readonly options: readonly OptionName[];
  /** What the help says of an option where it means less here than elsewhere. */
  readonly wording: OptionWording;
  readonly examples: readonly string[];
  readonly load: () => Promise<{ readonly run: RunCommand }>;
}

type OptionWording = Readonly<Partial<Record<OptionName, Partial<Pick<OptionSpec, "value" | "summary">>>>>;

const CLUSTER = [
  "cluster",
  "context",
  "namespace",
  "no-plugins",
  "plain-http",
  "require-cluster",
  "now",
  "config",
] as const;
const REPORT = ["format", "fail-on", "color"] as const;

const TEXT_JSON: OptionWording = { format: { summary: "text (default) or json" } };
/** Commands that answer a question fail only when they are asked to. */
const ANSWER: OptionWording = {
  format: { summary: "text (default), json or markdown" },
  "fail-on": {
    summary: "Exit with 1 from this severity on: error, warning, information, hint or never (default never)",
  },
};
/** Standard input is not to be had. */
const CLUSTER_FILE: OptionWording = {
  cluster: {
    value: "FILE",
    summary: "The cluster: output of kubectl get -o yaml|json, a folder of such files, a dump or a Taintwise snapshot",
  },
};

export const COMMANDS: readonly Command[] = [
  {
    name: "check",
    aliases: [],
    operands: "PATH…",
    summary: "Find what is wrong with the placement of the workloads in manifests",
    details:
      "Reads files, folders (.yaml, .yml and .json; .gitignore is respected) or standard input (-). Without a cluster only what is wrong on every cluster is found, and the output says so.",
    options: [...CLUSTER, ...REPORT, "code"],
    wording: {},
    examples: [
      "taintwise check manifests/ --cluster cluster.yaml",
      "kubectl get nodes,daemonsets,pods -A -o yaml | taintwise check manifests/ --cluster -",
      "helm template ./chart | taintwise check - --cluster nodes.yaml --format github",
    ],
    load: () => import("./check.ts"),
  },
  {
    name: "fix",
    aliases: [],
    operands: "PATH…",
    summary: "Apply fixes to manifests, keeping everything else byte for byte",
    details:
      "Applies the safe fixes (quoting, exact duplicates, wrapping into a list). Other fixes are applied for the codes named by --code: the preferred fix of each diagnostic. A document that Kubernetes could not read is named with its place, left as it is, and makes the exit status 1.",
    options: [...CLUSTER, "code", "dry-run", "format", "color"],
    wording: TEXT_JSON,
    examples: [
      "taintwise fix manifests/ --dry-run",
      "taintwise fix manifests/ --cluster cluster.yaml --code toleration-gap,toleration-time-bomb",
    ],
    load: () => import("./fix.ts"),
  },
  {
    name: "explain",
    aliases: [],
    operands: "[PATH…] [KIND/NAME…]",
    summary: "Say for each workload on which nodes it runs, on which it does not, and why",
    details:
      "Explains the workloads of files; without a path, those of the cluster itself. KIND/NAME or KIND/NAMESPACE/NAME narrows the answer.",
    options: [...CLUSTER, ...REPORT, "node"],
    wording: ANSWER,
    examples: [
      "taintwise explain manifests/rdma.yaml --cluster cluster.yaml",
      "taintwise explain DaemonSet/kube-system/csi-node --cluster cluster.yaml --node gpu-3",
    ],
    load: () => import("./explain.ts"),
  },
  {
    name: "triage",
    aliases: [],
    operands: "[NODE…]",
    summary: "Say what is wrong with nodes, and the one cause behind it",
    details: "All nodes unless some are named. The chain of causes stands first, its evidence with times under it.",
    options: [...CLUSTER, ...REPORT, "node", "selector", "steps", "node-proxy"],
    wording: {},
    examples: [
      "taintwise triage --cluster cluster.yaml",
      "taintwise triage rdma-1 --cluster dump/ --format markdown > incident.md",
      "taintwise triage rdma-1 --context prod --node-proxy",
    ],
    load: () => import("./triage.ts"),
  },
  {
    name: "preflight",
    aliases: ["whatif taint"],
    operands: "",
    summary: "Say what a taint would change before anybody sets it",
    details:
      "Which DaemonSets would no longer be placed, which running pods become time bombs or are evicted and when, which become placeable, and the tolerations to add as JSON patches. --remove asks the same of taking a taint away.",
    options: [...CLUSTER, ...REPORT, "node", "selector", "taint", "remove"],
    wording: ANSWER,
    examples: [
      "taintwise preflight --node rdma-1 --taint dedicated=rdma:NoSchedule --cluster cluster.yaml",
      "taintwise preflight --selector pool=rdma --taint dedicated=rdma:NoSchedule --remove --cluster cluster.yaml",
    ],
    load: () => import("./preflight.ts"),
  },
  {
    name: "nodes",
    aliases: [],
    operands: "[NODE…]",
    summary: "List the nodes with their taints, what they offer and what is wrong, worst first",
    details: "All nodes unless some are named.",
    options: [...CLUSTER, ...REPORT, "node", "selector"],
    wording: ANSWER,
    examples: ["taintwise nodes --cluster cluster.yaml"],
    load: () => import("./nodes.ts"),
  },
  {
    name: "watch",
    aliases: [],
    operands: "",
    summary: "Show the table of nodes and keep it up to date",
    details:
      "Follows one live cluster, or a cluster file that is written again, until it is interrupted (Ctrl+C). On a terminal the table is drawn in place, elsewhere each change is printed.",
    options: ["cluster", "context", "namespace", "no-plugins", "plain-http", "config", "color", "only-problems"],
    wording: CLUSTER_FILE,
    examples: ["taintwise watch --context prod", "taintwise watch --cluster cluster.yaml --only-problems"],
    load: () => import("./watch.ts"),
  },
  {
    name: "coverage",
    aliases: [],
    operands: "",
    summary: "Say which platform DaemonSet lives on which class of nodes",
    details:
      "Node classes (nodes with the same hard taints) by platform DaemonSets: runs, time bomb, gap, waits for a taint to go, excluded. --svg draws the matrix into a file (- for standard output).",
    options: [...CLUSTER, "format", "color", "svg"],
    wording: TEXT_JSON,
    examples: ["taintwise coverage --cluster cluster.yaml", "taintwise coverage --context prod --svg coverage.svg"],
    load: () => import("./coverage.ts"),
  },
  {
    name: "snapshot",
    aliases: [],
    operands: "",
    summary: "Write what is known of a cluster into one small file",
    details: "Holds what Taintwise reads and nothing else: no environment variables, no secrets.",
    options: [...CLUSTER, "output", "format"],
    wording: TEXT_JSON,
    examples: ["taintwise snapshot --cluster dump/ -o cluster.taintwise.gz"],
    load: () => import("./snapshot.ts"),
  },
  {
    name: "contexts",
    aliases: [],
    operands: "",
    summary: "List the contexts of the kubeconfig, without contacting any",
    details:
      "Found as kubectl finds them: KUBECONFIG, else the default file. What cannot be used is listed with its reason.",
    options: ["format"],
    wording: TEXT_JSON,
    examples: ["taintwise contexts"],
    load: () => import("./contexts.ts"),
  },
  {
    name: "lsp",
    aliases: [],
    operands: "",
    summary: "Start the language server",
    details: "Speaks the Language Server Protocol over standard input and output.",
    options: ["stdio", "cluster", "context"],
    wording: CLUSTER_FILE,
    examples: ["taintwise lsp --stdio"],
    load: () => import("./language-server.ts"),
  },
];

/**
 * Finds the command that the first words name, aliases of two words included.
 * Out: the command and the words behind its name, or null.
 */
export function findCommand(
  words: readonly string[],
): { readonly command: Command; readonly rest: readonly string[] } | null {
  for (const command of COMMANDS) {
    for (const spelling of [command.name, ...command.aliases]) {
      const parts = spelling.split(" ");
      if (parts.every((part, index) => words[index] === part)) return { command, rest: words.slice(parts.length) };
    }
  }
  return null;
}
