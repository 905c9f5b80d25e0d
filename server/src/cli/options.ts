// Command-line layer: every option by name. A command lists the ones it takes.

export interface OptionSpec {
  /** Placeholder of its value in the help; null for a switch. */
  readonly value: string | null;
  readonly short: string | null;
  /** May be given more than once. */
  readonly repeats: boolean;
  readonly summary: string;
}

function takes(value: string, summary: string, repeats = false): OptionSpec {
  return { value, short: null, repeats, summary };
}

function toggle(summary: string): OptionSpec {
  return { value: null, short: null, repeats: false, summary };
}

export const OPTIONS = {
  cluster: takes(
    "FILE|-",
    "The cluster: output of kubectl get -o yaml|json, a folder of such files, a dump or a Taintwise snapshot; - reads standard input",
    true,
  ),
  context: takes("NAME", "The cluster: a context of the kubeconfig", true),
  namespace: takes(
    "NAME",
    "Read these namespaces of a context where the whole cluster may not be read; may be repeated or a comma-separated list",
    true,
  ),
  "no-plugins": toggle("Run no credential plugin (exec) that the kubeconfig names"),
  "plain-http": toggle("Reach the server of a context also where it is another machine and plain http"),
  "require-cluster": toggle("Exit with 2 when there is no cluster to judge against"),
  now: takes("TIME", "Observation time of a cluster file that carries none (RFC 3339, e.g. 2026-03-02T10:00:00Z)"),
  format: takes("FORMAT", "text (default), json, sarif, github or markdown"),
  "fail-on": takes(
    "SEVERITY",
    "Exit with 1 from this severity on: error, warning (default), information, hint or never",
  ),
  config: takes("FILE", "This taintwise.yaml instead of the nearest one"),
  color: takes("WHEN", "auto, always or never (default auto; NO_COLOR and FORCE_COLOR are respected)"),
  code: takes("CODE", "Only this diagnostic code; may be repeated or a comma-separated list", true),
  "dry-run": toggle("Print the changes as a unified diff and write nothing"),
  node: takes("NAME", "The node; may be repeated or a comma-separated list", true),
  selector: takes("K=V,…", "The nodes with these labels, as kubectl's --selector (=, !=, in, notin, key, !key)"),
  taint: takes("KEY=VALUE:EFFECT", "The taint, in kubectl's notation"),
  remove: toggle("Take the taint away instead of adding it"),
  output: { value: "FILE", short: "o", repeats: false, summary: "Where to write" },
  svg: takes("FILE", "Draw the matrix into this file instead of printing it"),
  steps: toggle("Also investigate the nodes that are named step by step, with the commands to look by hand"),
  "node-proxy": toggle(
    "As --steps, and ask their kubelets for memory, disks, processes and logs; takes the privileged right get on nodes/proxy",
  ),
  "only-problems": toggle("Leave out nodes with nothing to report"),
  stdio: toggle("Speak the protocol over standard input and output"),
  help: { value: null, short: "h", repeats: false, summary: "Print this help" },
} as const satisfies Readonly<Record<string, OptionSpec>>;

export type OptionName = keyof typeof OPTIONS;

/** Whether a word is an option's long name. */
export function isOptionName(word: string): word is OptionName {
  return Object.hasOwn(OPTIONS, word);
}
