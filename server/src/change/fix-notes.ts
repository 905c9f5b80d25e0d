// Change layer: what applying a fix will do to pods and nodes, and who might undo it: told before anybody confirms.
import type { JudgedCluster } from "../explorer/judged-cluster.ts";
import { schedulingOf } from "../features/diagnostics/judge.ts";
import { type JsonObject, listOf, objectOf, textOf } from "../kube/decode/reading.ts";
import { formatTaint } from "../kube/taint.ts";
import type { Deployer, Workload } from "../kube/workload.ts";
import { count, listSome } from "../report/text-layout.ts";
import { compilePlacement, placeCompiled } from "../scheduling/place.ts";
import { homeOf, isLiving } from "../triage/facts/pod-state.ts";
import type { FixPlan } from "./fix-plan.ts";
import { podsOf } from "./workload-pods.ts";

export interface FixNotes {
  /** How many pods on how many nodes, and how fast; a sentence. */
  readonly touches: string;
  /** Each a sentence. */
  readonly warnings: readonly string[];
}

/** Names that a sentence lists. */
const LISTED = 5;

/** `live` is the object as it was read, `after` as the dry run gave it back. */
export function fixNotes(cluster: JudgedCluster, plan: FixPlan, live: JsonObject, after: Workload): FixNotes {
  const { workload } = plan;
  return {
    touches: workload.kind === "DaemonSet" ? daemonSetTouches(cluster, workload, after) : scaledTouches(workload, live),
    warnings: [
      ...deployerWarning(workload.deployer),
      ...appliers(live),
      // With OnDelete the change itself takes no pod.
      ...(workload.kind === "DaemonSet" && workload.updateStrategy?.type !== "OnDelete"
        ? notComingBack(cluster, after)
        : []),
      ...underWay(live),
    ],
  };
}

function daemonSetTouches(cluster: JudgedCluster, before: Workload, after: Workload): string {
  const pods = podsOf(cluster.model, before).filter(isLiving);
  const running = new Set(pods.map(homeOf));
  const verdicts = placesOf(cluster, after);
  const opened = [...verdicts].filter(([node, { verdict }]) => verdict === "run" && !running.has(node));
  const strategy = before.updateStrategy;
  const gets =
    opened.length === 0
      ? ""
      : ` ${count(opened.length, "node")} without its pod ${opened.length === 1 ? "gets" : "get"} one: ${listSome(
          opened.map(([node]) => node).sort(),
          LISTED,
        )}.`;
  if (cluster.model.parts.pods !== "known") return `How many pods it has is not known: pods may not be read.${gets}`;
  if (strategy?.type === "OnDelete") {
    return `Its update strategy is OnDelete: the ${count(pods.length, "pod")} that run stay as they are until somebody deletes them.${gets}`;
  }
  const surge = strategy?.maxSurge ?? "";
  const pace =
    surge !== "" && surge !== "0" && surge !== "0%"
      ? `maxSurge ${surge}: the new one first`
      : `maxUnavailable ${strategy?.maxUnavailable || "1"}: so many are missing at a time`;
  return `${count(pods.length, "pod")} on ${count(running.size, "node")} ${pods.length === 1 ? "is" : "are"} replaced (${pace}).${gets}`;
}

function scaledTouches({ kind, replicas, updateStrategy }: Workload, live: JsonObject): string {
  const pods = count(replicas ?? 1, "pod");
  const spec = objectOf(live.spec);
  if (kind === "Deployment" && spec.paused === true) {
    return `Its rollout is paused: the ${pods} stay as they are until somebody resumes it.`;
  }
  if (updateStrategy?.type === "OnDelete") {
    return `Its update strategy is OnDelete: the ${pods} stay as they are until somebody deletes them.`;
  }
  if (updateStrategy?.type === "Recreate") return `All ${pods} are ended before new ones start (strategy Recreate).`;
  const partition = textOf(objectOf(objectOf(spec.updateStrategy).rollingUpdate).partition);
  const part = partition === "" || partition === "0" ? "" : `, from ordinal ${partition} on (partition)`;
  return `${pods} ${replicas === 1 ? "is" : "are"} replaced bit by bit${part}.`;
}

function placesOf(cluster: JudgedCluster, workload: Workload) {
  const scheduling = schedulingOf(cluster.config, cluster.model);
  const placement = compilePlacement(workload);
  const hosts = [...cluster.facts.nodes.values()].filter(({ host }) => host.virtual === null);
  return new Map(hosts.map(({ node }) => [node.name, placeCompiled(placement, node, scheduling)]));
}

/** Nodes whose pod a rollout takes and does not bring back, though not for the taint that is fixed. */
function notComingBack(cluster: JudgedCluster, after: Workload): readonly string[] {
  const running = new Set(podsOf(cluster.model, after).filter(isLiving).map(homeOf));
  const byReason = new Map<string, string[]>();
  for (const [node, { verdict, untolerated }] of placesOf(cluster, after)) {
    if (!running.has(node) || verdict === "run") continue;
    const reason =
      verdict === "affinity" ? "its selector does not admit them" : untolerated.map(formatTaint).join(", ");
    byReason.set(reason, [...(byReason.get(reason) ?? []), node]);
  }
  return [...byReason].map(([reason, nodes]) => {
    const where = listSome(nodes.sort(), LISTED);
    return `The rollout takes its pod from ${where} and none comes back there: ${reason}.`;
  });
}

const REVERTS: Readonly<Record<Deployer, string>> = {
  "Argo CD":
    "Argo CD manages it: its next sync, at once where self-heal is on, takes the toleration out again. Change the source too.",
  Flux: "Flux manages it: its next reconciliation takes the toleration out again. Change the source too.",
  Helm: "Helm deployed it: the next upgrade may take the toleration out again. Change the chart's values too.",
  Kustomize: "It comes from a kustomization: the next apply may take the toleration out again. Change the source too.",
  Terraform: "Terraform manages it: the next apply takes the toleration out again. Change the source too.",
};

function deployerWarning(deployer: Deployer | null): readonly string[] {
  return deployer === null ? [] : [REVERTS[deployer]];
}

/** Where the addon manager says that it puts objects back. */
const ADDON_MODE = "addonmanager.kubernetes.io/mode";

/** Who declared the list by server-side apply, or reconciles the whole object: the next time it is theirs again. */
function appliers(live: JsonObject): readonly string[] {
  const metadata = objectOf(live.metadata);
  const owners = listOf(metadata.managedFields).flatMap((entry): readonly string[] => {
    const { manager, operation, fieldsV1 } = objectOf(entry);
    const path = ["f:spec", "f:template", "f:spec", "f:tolerations"];
    const field = path.reduce<unknown>((at, step) => objectOf(at)[step], fieldsV1);
    return operation === "Apply" && field !== undefined ? [textOf(manager)] : [];
  });
  return [
    ...[...new Set(owners)].map(
      (owner) =>
        `${owner} declares its tolerations (server-side apply): its next apply stops with a conflict or takes this one out. Change the source too.`,
    ),
    ...(objectOf(metadata.labels)[ADDON_MODE] === "Reconcile"
      ? ["The cluster's addon manager reconciles it and takes the toleration out again."]
      : []),
  ];
}

function underWay(live: JsonObject): readonly string[] {
  const status = objectOf(live.status);
  const [seen, generation] = [status.observedGeneration, objectOf(live.metadata).generation];
  const { updatedNumberScheduled: updated, desiredNumberScheduled: desired } = status;
  const behind = typeof updated === "number" && typeof desired === "number" && updated < desired;
  return behind || (typeof seen === "number" && typeof generation === "number" && seen < generation)
    ? ["A rollout of it is under way already; this change starts another one."]
    : [];
}
