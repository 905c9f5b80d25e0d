// Features layer: what else there is to say about a gap: the toleration that comes close, who owns the object, what
// does not help, and where the taint stands.
import type { ClusterNode } from "../../kube/node.ts";
import { formatTaint } from "../../kube/taint.ts";
import { parseDefaultTolerations } from "../../scheduling/namespace-defaults.ts";
import { describeUntolerated } from "../../scheduling/reason.ts";
import { tolerates } from "../../scheduling/tolerates.ts";
import type { RelatedPlace } from "../diagnostic.ts";
import { fill } from "../fill.ts";
import type { Gap } from "./gaps.ts";
import { type JudgedCluster, liveNamespace } from "./judge.ts";
import type { WorkloadContext } from "./rule.ts";

export const messages = {
  owner: "It is managed by {owner}: change the owner's configuration, an edit here is undone.",
  namespace: "The namespace's default tolerations come too late: the DaemonSet controller decides before admission.",
  device: "ExtendedResourceToleration comes too late: the DaemonSet controller decides before admission.",
  image: "A toleration for {taint} helps only with an image for that architecture.",
  taint: "{node} has the taint {taint}.",
} as const;

/** One sentence for each taint that a written toleration nearly matches. */
export function closestNotes(gap: Pick<Gap, "answers">): readonly string[] {
  return gap.answers.filter((answer) => answer.closest !== null).map((answer) => `${describeUntolerated(answer)}.`);
}

/** Sentences on what does not help and what must be changed instead. */
export function gapNotes(gap: Gap, context: WorkloadContext, cluster: JudgedCluster): readonly string[] {
  const { workload } = context.item;
  const notes: string[] = [];
  const namespace = cluster.model.namespaces.get(workload.namespace ?? liveNamespace(cluster.coverage) ?? "");
  const annotation = namespace?.annotations["scheduler.alpha.kubernetes.io/defaultTolerations"] ?? "";
  const defaults = parseDefaultTolerations(annotation) ?? [];
  if (gap.answers.some(({ taint }) => defaults.some((entry) => tolerates(entry, taint, context.scheduling)))) {
    notes.push(messages.namespace);
  }
  const requested = workload.template.containers.flatMap((container) => Object.keys(container.requests));
  if (gap.answers.some(({ taint }) => requested.includes(taint.key))) notes.push(messages.device);
  const architecture = gap.answers.find(({ taint }) => isArchitectureKey(taint.key));
  if (architecture !== undefined) notes.push(fill(messages.image, { taint: formatTaint(architecture.taint) }));
  if (context.owner !== null) notes.push(fill(messages.owner, { owner: context.owner }));
  return notes;
}

/** Whether a taint of this key keeps images of other architectures away. */
export function isArchitectureKey(key: string): boolean {
  return key === "kubernetes.io/arch" || key === "beta.kubernetes.io/arch" || key === "node.kubernetes.io/arch";
}

/** Whether a taint of this key keeps images of another operating system away. */
export function isOsKey(key: string): boolean {
  return ["kubernetes.io/os", "beta.kubernetes.io/os", "node.kubernetes.io/os", "os"].includes(key);
}

/** Taints whose place is shown; a longer list is no help. */
const PLACES = 6;

/** Where the first few taints stand in the cluster file: the first node of each. */
export function taintPlaces(
  gap: Pick<Gap, "answers" | "nodes" | "groups">,
  cluster: JudgedCluster,
): readonly RelatedPlace[] {
  const answers = gap.answers.slice(0, PLACES);
  const carriers = firstCarriers({ ...gap, answers }, cluster);
  return answers.flatMap(({ taint }): readonly RelatedPlace[] => {
    const wanted = formatTaint(taint);
    const carrier = carriers.get(wanted);
    if (carrier === undefined || carrier.place === null) return [];
    const { path, offset } = carrier.place;
    const message = fill(messages.taint, { node: carrier.name, taint: wanted });
    return [{ path, span: { start: offset, end: offset }, message, taint: { node: carrier.name, taint } }];
  });
}

/** Above so many nodes one of each group stands for the others, which carry the same taints. */
const MANY = 200;

/** A node of the gap that carries each of its taints, the first one. */
function firstCarriers(
  { answers, nodes, groups }: Pick<Gap, "answers" | "nodes" | "groups">,
  cluster: JudgedCluster,
): ReadonlyMap<string, ClusterNode> {
  const wanted = new Set(answers.map(({ taint }) => formatTaint(taint)));
  const found = new Map<string, ClusterNode>();
  for (const name of nodes.length > MANY ? groups.flatMap((group) => group.nodes[0] ?? []) : nodes) {
    if (found.size === wanted.size) break;
    const node = cluster.model.nodes.get(name);
    for (const taint of node?.taints ?? []) {
      const written = formatTaint(taint);
      if (node !== undefined && wanted.has(written) && !found.has(written)) found.set(written, node);
    }
  }
  return found;
}
