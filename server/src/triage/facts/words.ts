// Triage layer, facts: the words of names by which DaemonSets, resources, drivers and labels are matched.

/** Words that everybody uses. */
const STOP_WORDS: ReadonlySet<string> = new Set([
  "agent",
  "com",
  "container",
  "controller",
  "csi",
  "daemonset",
  "default",
  "device",
  "docker",
  "driver",
  "drivers",
  "ds",
  "example",
  "gcr",
  "ghcr",
  "io",
  "k8s",
  "kube",
  "kubelet",
  "kubernetes",
  "latest",
  "lib",
  "manager",
  "net",
  "node",
  "nodes",
  "operator",
  "org",
  "plugin",
  "plugins",
  "quay",
  "registry",
  "server",
  "shared",
  "sig",
  "system",
  "the",
  "var",
  "www",
]);

/** The telling words of a text, lower case: split at everything but letters and digits, without common words. */
export function tellingWords(text: string): readonly string[] {
  return text
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word.length > 1 && !STOP_WORDS.has(word) && !/^\d+$/.test(word) && !/^v\d/.test(word));
}
