// Triage layer: what is wrong with which node, and the one cause behind it.
import { SEVERITIES } from "../../../shared/src/severity.ts";
import type { ClusterModel } from "../cluster/model.ts";
import { type Graph, linkSymptoms, rootsOf } from "./chain/graph.ts";
import { tellingOrder } from "./chain/order.ts";
import { causeElsewhere, mergeRoots, rootOf } from "./chain/roots.ts";
import { sharedCauses } from "./chain/shared-causes.ts";
import { groupByTaint, taintRoot } from "./chain/taint-root.ts";
import { silentInPart, silentTogether } from "./chain/together.ts";
import { type ClusterFacts, readClusterInSteps } from "./facts/cluster.ts";
import { hasEnded } from "./facts/pod-state.ts";
import type { Finding, NodeTriage, PodTriage, Root, TriageReport } from "./finding.ts";
import { foldGroup, foldSymptoms } from "./fold.ts";
import { DEFAULT_TRIAGE, type TriageOptions } from "./options.ts";
import { NODE_RULES } from "./rules/all.ts";
import { podPending } from "./rules/pod-pending.ts";
import { isOverdue, report as stuckTerminating } from "./rules/pod-stuck-terminating.ts";
import type { Symptom } from "./symptom.ts";
import { unknownParts } from "./unknown.ts";

/**
 * Judges the nodes of a cluster. Out: for each node its findings, cause first, with evidence, and its roots; pods that
 * no node is charged with; causes that several nodes share; what could not be judged. Pure: the time is the model's, or
 * `options.now`.
 */
export function triage(cluster: ClusterModel, options: Partial<TriageOptions> = {}): TriageReport {
  const steps = triageInSteps(cluster, options);
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value.report;
}

/** A report, and the facts it was made from. */
export interface Judged {
  readonly facts: ClusterFacts;
  readonly report: TriageReport;
}

/** As `triage`, with pauses between its passes and after each node, so that whoever serves others meanwhile can let them in. */
export function* triageInSteps(
  cluster: ClusterModel,
  options: Partial<TriageOptions> = {},
): Generator<undefined, Judged, undefined> {
  const facts = yield* readClusterInSteps(cluster, { ...DEFAULT_TRIAGE, ...options });
  const together = silentTogether(facts);
  const { byNode, unassigned } = yield* collect(facts);
  const silent = new Map(together.flatMap((cause) => cause.nodes.map((node) => [node, cause] as const)));
  const graphs = new Map<string, Graph>();
  for (const [node, symptoms] of byNode) {
    yield;
    const cause = silent.get(node);
    graphs.set(
      node,
      linkSymptoms(
        symptoms.map((symptom) =>
          cause === undefined || symptom.code !== "node-unknown"
            ? symptom
            : { ...symptom, outside: { object: null, summary: cause.summary, advice: cause.advice } },
        ),
      ),
    );
  }
  const wanted = options.nodes === null || options.nodes === undefined ? null : new Set(options.nodes);
  const nodes: NodeTriage[] = [];
  for (const name of facts.nodes.keys()) {
    if (wanted !== null && !wanted.has(name)) continue;
    nodes.push(judgeNode(name, graphs, byNode));
    yield;
  }
  const report: TriageReport = {
    cluster: cluster.name,
    observedAt: facts.now,
    nodes,
    pods: judgePods(facts, unassigned, wanted),
    clusterCauses: [...together, ...silentInPart(facts, together), ...sharedCauses(nodes, together)],
    unknown: unknownParts(facts),
  };
  return { facts, report };
}

const FIRST_NODES = 10;

interface Collected {
  /** Every node has an entry. */
  readonly byNode: ReadonlyMap<string, readonly Symptom[]>;
  /** Symptoms of pods that no node is charged with. */
  readonly unassigned: readonly Symptom[];
}

/** Runs the rules: those of single nodes, then the ones that weigh nodes against each other. */
function* collect(facts: ClusterFacts): Generator<undefined, Collected, undefined> {
  const byNode = new Map<string, Symptom[]>([...facts.nodes.keys()].map((name) => [name, []]));
  const unassigned: Symptom[] = [];
  const add = (symptom: Symptom) => (byNode.get(symptom.node) ?? unassigned).push(symptom);
  let asked = 0;
  for (const node of facts.nodes.values()) {
    asked++;
    for (const rule of NODE_RULES) {
      for (const symptom of rule(facts, node)) add(symptom);
      // The first nodes have the whole cluster indexed for all.
      if (asked <= FIRST_NODES) yield;
    }
    yield;
  }
  for (const symptom of podPending(facts, byNode)) add(symptom);
  yield;
  for (const symptom of homeless(facts)) add(symptom);
  yield;
  for (const [node, symptoms] of byNode) {
    const [free, bound] = partition(symptoms, (symptom) => isHeldByHealthyNode(symptom, byNode));
    byNode.set(node, bound);
    unassigned.push(...free);
  }
  return { byNode, unassigned };
}

/** Pods that should be gone and have no node, or one that is gone. */
function homeless(facts: ClusterFacts): readonly Symptom[] {
  return facts.cluster.pods
    .filter(
      (pod) =>
        !facts.nodes.has(pod.spec.nodeName) && isOverdue(facts, pod) && (pod.finalizers.length > 0 || !hasEnded(pod)),
    )
    .map((pod) => stuckTerminating(facts, null, pod));
}

/** A volume that a pod on a healthy node holds: neither node is to blame. */
function isHeldByHealthyNode(symptom: Symptom, byNode: ReadonlyMap<string, readonly Symptom[]>): boolean {
  return symptom.about.failure?.kind === "volume-in-use" && causeElsewhere(symptom, byNode) === null;
}

function judgeNode(
  name: string,
  graphs: ReadonlyMap<string, Graph>,
  byNode: ReadonlyMap<string, readonly Symptom[]>,
): NodeTriage {
  const graph = graphs.get(name) ?? linkSymptoms([]);
  const order = tellingOrder(graph);
  const findings = foldSymptoms(name, graph, order);
  const roots = new Set(rootsOf(graph));
  return {
    name,
    severity: SEVERITIES.find((severity) => findings.some((finding) => finding.severity === severity)) ?? "none",
    roots: mergeRoots(
      groupByTaint(
        graph,
        order.filter((index) => roots.has(index)),
      ).flatMap(
        (group) =>
          taintRoot(graph, group) ??
          group.flatMap((index) => rootOf(graph, index, (symptom) => rootsElsewhere(symptom, graphs, byNode))),
      ),
    ),
    findings,
  };
}

/** The roots of the symptom on another node that holds this one up, seen from here: a node's own root names that node. */
function rootsElsewhere(
  symptom: Symptom,
  graphs: ReadonlyMap<string, Graph>,
  byNode: ReadonlyMap<string, readonly Symptom[]>,
): readonly Root[] {
  const cause = causeElsewhere(symptom, byNode);
  const there = cause === null ? undefined : graphs.get(cause.node);
  if (cause === null || there === undefined) return [];
  return rootsOf(there)
    .filter((index) => leadsTo(there, index, cause))
    .flatMap((index) => rootOf(there, index, () => []))
    .map((root) =>
      root.object !== null || root.code === "outside"
        ? root
        : {
            ...root,
            object: { kind: "Node", namespace: null, name: cause.node },
            summary: `volume held on ${cause.node}: ${root.summary}`,
          },
    );
}

function leadsTo(graph: Graph, root: number, symptom: Symptom): boolean {
  const target = graph.symptoms.findIndex((other) => other.code === symptom.code && other.object === symptom.object);
  const climb = (index: number): boolean => index === root || (graph.causes[index] ?? []).some(climb);
  return target >= 0 && climb(target);
}

/** One entry per pod that no node is charged with, by namespace and name. */
function judgePods(
  facts: ClusterFacts,
  unassigned: readonly Symptom[],
  wanted: ReadonlySet<string> | null,
): readonly PodTriage[] {
  const byPod = new Map<string, Symptom[]>();
  for (const symptom of unassigned) {
    const [key = ""] = symptom.about.pods;
    const home = facts.pods.get(key)?.spec.nodeName ?? "";
    if (wanted !== null && !wanted.has(home)) continue;
    byPod.set(key, [...(byPod.get(key) ?? []), symptom]);
  }
  return [...byPod]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, symptoms]) => {
      const slash = key.indexOf("/");
      const findings = symptoms.flatMap<Finding>(
        (symptom) => foldGroup(`pod/${key}/${symptom.code}`, symptom.code, [symptom], []) ?? [],
      );
      const [first] = symptoms;
      return {
        namespace: key.slice(0, Math.max(0, slash)),
        name: key.slice(slash + 1),
        findings,
        root: {
          code: "outside",
          object: first?.outside?.object ?? null,
          summary: first?.outside?.summary ?? first?.summary ?? "",
          advice: first?.outside?.advice ?? first?.advice ?? "",
          fixIn: [],
        },
      };
    });
}

function partition<T>(items: readonly T[], test: (item: T) => boolean): readonly [T[], T[]] {
  return [items.filter(test), items.filter((item) => !test(item))];
}
