// Command-line layer: clusters of the kubeconfig.
import type { ClusterModel } from "../../cluster/model.ts";
import { Unusable } from "../unusable.ts";

/** Reads a context's cluster. Throws Unusable: this version reads clusters from files only. */
export async function clusterContexts(context: string): Promise<ClusterModel> {
  throw new Unusable(
    `--context ${context}: this version reads clusters from files; use kubectl --context ${context} get nodes,daemonsets,pods,events -A -o yaml | taintwise … --cluster -`,
  );
}
