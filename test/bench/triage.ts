// Bench: the triage of every node of a large cluster with its pods, as the command line and the explorer ask for it, and
// again after one event; the explorer's rows with it.
import type { ClusterModel } from "../../server/src/cluster/model.ts";
import { updateModel } from "../../server/src/cluster/update.ts";
import { DEFAULT_CONFIG } from "../../server/src/config/workspace.ts";
import { indexCoverage } from "../../server/src/coverage/coverage-index.ts";
import { type JudgedCluster, judgeNow } from "../../server/src/explorer/judged-cluster.ts";
import { nodesView } from "../../server/src/explorer/nodes-view.ts";
import type { ClusterPod } from "../../server/src/kube/pod.ts";
import type { Workload } from "../../server/src/kube/workload.ts";
import { DEFAULT_SCHEDULING } from "../../server/src/scheduling/verdict.ts";
import { generateCluster, LARGE_CLUSTER, modelOf } from "./cluster-generator.ts";
import type { BenchRow } from "./row.ts";

const RUNS = 7;
const WARM_UP = 2;
/** Every DaemonSet of this many is rolled out: old pods stay where nothing evicts them. */
const BOMBS = 10;

/** Rows on triage. */
export function bench(): Promise<readonly BenchRow[]> {
  let model = withPods(modelOf(generateCluster(LARGE_CLUSTER)));
  let judged: JudgedCluster | null = null;
  const full = median(() => {
    judged = judge(model);
  });
  const findings = judgedFindings(judged);
  let turn = 0;
  const rows = median(() => {
    if (judged !== null) nodesView([judged], EXPLORER).map((element) => element.row);
  });
  const again = median(
    () => {
      judge(model);
    },
    () => {
      turn++;
      model = oneRestart(model, turn * 7919);
    },
  );
  const beside = `${model.nodes.size} nodes × ${model.workloads.length} DaemonSets, ${model.pods.length} pods, ${findings} findings`;
  return Promise.resolve([
    { what: "triage of every node", measured: full, limit: null, unit: "ms", beside },
    { what: "triage again after one event", measured: again, limit: null, unit: "ms", beside: "a container restarts" },
    { what: "the explorer's top rows", measured: rows, limit: null, unit: "ms", beside: "from the judged cluster" },
  ]);
}

const EXPLORER = { grouping: "flat", poolLabel: "", filter: "", onlyProblems: false } as const;

function judge(model: ClusterModel): JudgedCluster {
  return judgeNow({ key: "bench", model, config: DEFAULT_CONFIG, access: null, baseline: null, history: null });
}

function judgedFindings(judged: JudgedCluster | null): number {
  return (judged?.report.nodes ?? []).reduce((sum, node) => sum + node.findings.length, 0);
}

/**
 * The model with log agents among its DaemonSets, and with a running pod wherever an agent runs one; for some of them
 * also where it would only be kept.
 */
export function withPods(model: ClusterModel): ClusterModel {
  const workloads = model.workloads.map((workload) => (workload.uid.endsWith("7") ? logAgent(workload) : workload));
  const index = indexCoverage(model, { scheduling: { ...DEFAULT_SCHEDULING, comparisonOperators: true }, pools: [] });
  const pods = workloads
    .filter(({ template }) => template.volumes.length > 0 || template.tolerations.some(({ key }) => key === ""))
    .flatMap((workload, number) =>
      index
        .coverage(workload)
        .classes.filter(({ verdict }) => verdict === "run" || (verdict === "keep" && number % BOMBS === 0))
        .flatMap(({ nodes }) => nodes.map((node) => podOf(workload, node))),
    );
  return updateModel(model, { set: { workloads, pods } });
}

/** The workload as a log agent: a DaemonSet of the platform. */
export function logAgent(workload: Workload): Workload {
  const volumes = [{ name: "logs", hostPath: "/var/log/pods", claim: null, csiDriver: null }];
  return { ...workload, template: { ...workload.template, volumes } };
}

function podOf(workload: Workload, node: string): ClusterPod {
  const name = `${workload.name}-${node}`;
  const container = {
    name: "agent",
    init: false,
    ready: true,
    restartCount: 0,
    image: workload.template.containers[0]?.image ?? "",
    waiting: null,
    running: { startedAt: 0 },
    terminated: null,
    lastTerminated: null,
  };
  return {
    namespace: workload.namespace ?? "",
    name,
    uid: `uid-${name}`,
    createdAt: 0,
    labels: {},
    controller: { apiVersion: "apps/v1", kind: "DaemonSet", name: workload.name ?? "", uid: workload.uid },
    spec: { ...workload.template, nodeName: node },
    phase: "Running",
    reason: "",
    message: "",
    startTime: 0,
    deletedAt: null,
    deletionGraceSeconds: null,
    finalizers: [],
    conditions: [],
    containers: [container],
    nominatedNodeName: "",
    mirror: false,
    priority: null,
  };
}

/** The model after a container of one pod has restarted. */
function oneRestart(model: ClusterModel, number: number): ClusterModel {
  const pod = model.pods[number % model.pods.length];
  if (pod === undefined) return model;
  const containers = pod.containers.map((status) => ({ ...status, restartCount: status.restartCount + 1 }));
  return updateModel(model, { set: { pods: [{ ...pod, containers }] } });
}

/** The median time in milliseconds of a task; `prepare` is not timed. */
function median(task: () => void, prepare: () => void = () => undefined): number {
  const times: number[] = [];
  for (let run = -WARM_UP; run < RUNS; run++) {
    prepare();
    const started = performance.now();
    task();
    if (run >= 0) times.push(performance.now() - started);
  }
  return times.sort((left, right) => left - right)[Math.floor(RUNS / 2)] ?? 0;
}

if (import.meta.main) console.table(await bench());
