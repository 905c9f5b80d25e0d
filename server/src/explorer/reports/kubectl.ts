// Explorer layer, reports: kubectl commands as words, and as lines for a POSIX shell. They look; none of them changes a
// cluster. No word holds a double quote: old shells do not hand it on to a program unharmed.
import type { ExplorerCheck, RowTarget } from "../../../../shared/src/explorer.ts";
import { shellLine } from "../../../../shared/src/shell.ts";
import { nodeStatsPath } from "../../kube/node-proxy.ts";
import type { ClusterAccess, JudgedCluster } from "../judged-cluster.ts";
import { programsOf } from "./node-programs.ts";

/** `kubectl --context … WORDS`, unquoted. Without access the current context is meant. */
export function kubectlWords(access: ClusterAccess | null, ...words: readonly string[]): readonly string[] {
  const where =
    access === null
      ? []
      : ["--context", access.context, ...(access.kubeconfig === null ? [] : ["--kubeconfig", access.kubeconfig])];
  return ["kubectl", ...where, ...words];
}

/** The same as one line, every word quoted where a POSIX shell needs it. */
export function kubectl(access: ClusterAccess | null, ...words: readonly string[]): string {
  return shellLine(kubectlWords(access, ...words), "posix");
}

/** The image that `kubectl debug node/…` starts; it only has to have a shell. */
const DEBUG_IMAGE = "busybox";

/** The words of the way in to a node that has no other: a pod with the node's file system under /host. */
function debugWords(node: string): readonly string[] {
  return ["debug", `node/${node}`, "-it", "--profile=sysadmin", `--image=${DEBUG_IMAGE}`];
}

/** The way in as a line for a POSIX shell. */
export function debugNode(access: ClusterAccess | null, node: string): string {
  return kubectl(access, ...debugWords(node));
}

/** What to look at for a target, the most telling first. */
export function checksFor({ access, facts }: JudgedCluster, target: RowTarget): readonly ExplorerCheck[] {
  const { windows } = programsOf(facts.nodes.get(target.kind === "Node" ? target.name : ""));
  return questionsFor(target, windows).map(([title, ...asked]) => {
    const words = kubectlWords(access, ...asked);
    return { title, words, command: shellLine(words, "posix") };
  });
}

/** What it answers, then the words behind `kubectl`. */
type Question = readonly [title: string, ...words: readonly string[]];

function questionsFor({ kind, namespace, name }: RowTarget, windows: boolean): readonly Question[] {
  if (kind === "Node") return aboutNode(name, windows);
  const of = namespace === null ? [] : ["--namespace", namespace];
  const described: readonly Question[] = [
    [`Describe ${kind} ${name}`, "describe", kind.toLowerCase(), name, ...of],
    ["Events about it", ...eventsOf(kind, name), ...of],
  ];
  if (kind === "Pod") {
    return [
      ...described,
      ["Logs of its containers", "logs", name, ...of, "--all-containers", "--tail=200"],
      ["Logs before the last restart", "logs", name, ...of, "--all-containers", "--previous", "--tail=200"],
    ];
  }
  if (!ROLLED_OUT.has(kind)) return described;
  return [
    ...described,
    ["State of its rollout", "rollout", "status", `${kind.toLowerCase()}/${name}`, ...of],
    [
      "Its tolerations",
      ...["get", kind.toLowerCase(), name, ...of, "-o", "jsonpath={.spec.template.spec.tolerations}"],
    ],
  ];
}

const ROLLED_OUT: ReadonlySet<string> = new Set(["DaemonSet", "Deployment", "StatefulSet"]);

function eventsOf(kind: string, name: string): readonly string[] {
  const selector = `involvedObject.kind=${kind},involvedObject.name=${name}`;
  return ["get", "events", "--field-selector", selector, "--sort-by=.lastTimestamp"];
}

/** The words that list the pods on a node. */
export function podsOn(node: string): readonly string[] {
  return ["get", "pods", "--all-namespaces", "-o", "wide", "--field-selector", `spec.nodeName=${node}`];
}

function aboutNode(node: string, windows: boolean): readonly Question[] {
  return [
    ["Describe the node", "describe", "node", node],
    ["Pods on the node", ...podsOn(node)],
    ["Events of the node", ...eventsOf("Node", node), "--all-namespaces"],
    ["Taints and allocatable", "get", "node", node, "-o", "jsonpath={.spec.taints} {.status.allocatable}"],
    ["CSI drivers registered on the node", "describe", "csinode", node],
    ["What the kubelet measures (takes the right nodes/proxy)", "get", "--raw", nodeStatsPath(node)],
    // kubectl makes this pod for Linux: Windows nodes refuse it.
    ...(windows ? [] : [["A shell on the node", ...debugWords(node)] as const]),
  ];
}
