// Shows that the test cluster works: a DaemonSet on five nodes, two of them
// tainted afterwards, one pod deleted: `node test/cluster/smoke.ts`.

import { eventually, type Json } from "./api.ts";
import { buildPrograms } from "./build.ts";
import { startControlPlane } from "./control-plane.ts";

const daemonSet = {
  apiVersion: "apps/v1",
  kind: "DaemonSet",
  metadata: { name: "agent", namespace: "default" },
  spec: {
    selector: { matchLabels: { app: "agent" } },
    template: { metadata: { labels: { app: "agent" } }, spec: { containers: [{ name: "agent", image: "agent:1" }] } },
  },
};

await buildPrograms((line) => console.log(line));
const started = Date.now();
const cluster = await startControlPlane({ controllerManager: true, scheduler: true, kwok: true });
try {
  console.log(`up in ${Date.now() - started} ms`, cluster.pids());
  for (let i = 0; i < 5; i++) {
    await cluster.api.create("/api/v1/nodes", { apiVersion: "v1", kind: "Node", metadata: { name: `node-${i}` } });
  }
  await cluster.api.create("/apis/apps/v1/namespaces/default/daemonsets", daemonSet);
  const running = async (count: number): Promise<Json[] | undefined> => {
    const { items } = await cluster.api.get("/api/v1/namespaces/default/pods");
    const up = items.filter((pod: Json) => pod.status.phase === "Running" && !pod.metadata.deletionTimestamp);
    return up.length === count && items.length === count ? up : undefined;
  };
  const pods = await eventually("five running pods", () => running(5));
  await cluster.kubectl(["taint", "node", "node-3", "node-4", "dedicated=rdma:NoSchedule"]);
  const lost = pods.find((pod) => pod.spec.nodeName === "node-3");
  await cluster.api.delete(`/api/v1/namespaces/default/pods/${lost.metadata.name}`);
  await eventually("the pod of node-3 gone", () => running(4));
  console.log(await cluster.kubectl(["get", "pods,daemonsets,nodes", "-o", "wide"]));
  console.log(`done in ${Date.now() - started} ms`);
} finally {
  await cluster.stop();
}
