// The example of the extension as a judged cluster, with an earlier snapshot and a context whose name needs quotes.
import { readFileSync } from "node:fs";
import { readClusterFiles } from "../../server/src/cluster/file/cluster-reader.ts";
import type { NodeInfo } from "../../server/src/kube/node.ts";
import { judged } from "./tree.ts";

function example(name: string) {
  const url = new URL(`../../examples/rdma-incident/${name}.yaml`, import.meta.url);
  const { model } = readClusterFiles([{ path: `${name}.yaml`, bytes: readFileSync(url), named: true }], {
    name,
    now: null,
  });
  return model;
}

/** Before the pool was tainted. */
export const before = example("before");
/** The incident. */
export const now = example("cluster");
export const access = { context: "prod's cluster", kubeconfig: null };
export const cluster = judged(now, { key: "prod", access, baseline: before });
const [first] = cluster.report.nodes.filter((node) => node.roots.length > 0).map((node) => node.name);
if (first === undefined) throw new Error("the example has no incident");
/** The node with a root, as a row means it. */
export const sick: string = first;
export const node = { cluster: "prod", kind: "Node", namespace: null, name: sick, node: sick } as const;

/** A node that says nothing of its programs. */
export const NO_INFO: NodeInfo = {
  kubeletVersion: "",
  kernelVersion: "",
  osImage: "",
  operatingSystem: "",
  architecture: "",
  containerRuntimeVersion: "",
  bootID: "",
};
