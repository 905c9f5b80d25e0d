// Explorer layer, reports: kubectl command lines for a POSIX shell. They look; none of them changes a cluster.
import type { ExplorerCheck, RowTarget } from "../../../../shared/src/explorer.ts";
import { shellWord } from "../../coverage/toleration-patch.ts";
import type { ClusterAccess, JudgedCluster } from "../judged-cluster.ts";

/** `kubectl --context … WORDS`, every word quoted where the shell needs it. Without access the current context is meant. */
export function kubectl(access: ClusterAccess | null, ...words: readonly string[]): string {
  const where =
    access === null
      ? []
      : ["--context", access.context, ...(access.kubeconfig === null ? [] : ["--kubeconfig", access.kubeconfig])];
  return ["kubectl", ...where, ...words].map(shellWord).join(" ");
}

/** The image that `kubectl debug node/…` starts; it only has to have a shell. */
const DEBUG_IMAGE = "busybox";

/** The way in to a node that has no other: a pod with the node's file system under /host. */
export function debugNode(access: ClusterAccess | null, node: string): string {
  return kubectl(access, "debug", `node/${node}`, "-it", "--profile=sysadmin", `--image=${DEBUG_IMAGE}`);
}

/** What to look at for a target, the most telling first. */
export function checksFor(cluster: JudgedCluster, target: RowTarget): readonly ExplorerCheck[] {
  const { access } = cluster;
  const { kind, namespace, name } = target;
  if (kind === "Node") return nodeChecks(access, name);
  const of = namespace === null ? [] : ["--namespace", namespace];
  const described: readonly ExplorerCheck[] = [
    { title: `Describe ${kind} ${name}`, command: kubectl(access, "describe", kind.toLowerCase(), name, ...of) },
    {
      title: "Events about it",
      command: kubectl(
        access,
        "get",
        "events",
        ...of,
        "--field-selector",
        `involvedObject.kind=${kind},involvedObject.name=${name}`,
        "--sort-by=.lastTimestamp",
      ),
    },
  ];
  if (kind === "Pod") {
    return [
      ...described,
      {
        title: "Logs of its containers",
        command: kubectl(access, "logs", name, ...of, "--all-containers", "--tail=200"),
      },
      {
        title: "Logs before the last restart",
        command: kubectl(access, "logs", name, ...of, "--all-containers", "--previous", "--tail=200"),
      },
    ];
  }
  if (kind !== "DaemonSet" && kind !== "Deployment" && kind !== "StatefulSet") return described;
  return [
    ...described,
    {
      title: "State of its rollout",
      command: kubectl(access, "rollout", "status", `${kind.toLowerCase()}/${name}`, ...of),
    },
    {
      title: "Its tolerations",
      command: kubectl(
        access,
        "get",
        kind.toLowerCase(),
        name,
        ...of,
        "-o",
        'jsonpath={range .spec.template.spec.tolerations[*]}{@}{"\\n"}{end}',
      ),
    },
  ];
}

function nodeChecks(access: ClusterAccess | null, node: string): readonly ExplorerCheck[] {
  return [
    { title: "Describe the node", command: kubectl(access, "describe", "node", node) },
    {
      title: "Pods on the node",
      command: kubectl(
        access,
        "get",
        "pods",
        "--all-namespaces",
        "-o",
        "wide",
        "--field-selector",
        `spec.nodeName=${node}`,
      ),
    },
    {
      title: "Events of the node",
      command: kubectl(
        access,
        "get",
        "events",
        "--all-namespaces",
        "--field-selector",
        `involvedObject.kind=Node,involvedObject.name=${node}`,
        "--sort-by=.lastTimestamp",
      ),
    },
    {
      title: "Taints and allocatable",
      command: kubectl(access, "get", "node", node, "-o", 'jsonpath={.spec.taints}{"\\n"}{.status.allocatable}{"\\n"}'),
    },
    { title: "CSI drivers registered on the node", command: kubectl(access, "describe", "csinode", node) },
    { title: "A shell on the node", command: debugNode(access, node) },
  ];
}
