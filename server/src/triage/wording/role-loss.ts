// Triage layer, wording: what people will notice when a platform pod is not there.
import type { Role } from "../../coverage/role.ts";
import { listNames } from "./list.ts";

/**
 * What a node loses without its pod of this role. `serves` names the extended resources or drivers of the pod, where
 * they are known.
 */
export function roleLoss(role: Role, serves: readonly string[]): string {
  const names = listNames(serves);
  switch (role) {
    case "device plugin":
      return `${names || "The devices' resource"} leaves Allocatable and pods that request it stay Pending.`;
    case "CSI node driver":
      return `Mounts${names ? ` of ${names}` : ""} end in DeadlineExceeded, for the driver's socket does not exist on the node.`;
    case "network plugin":
      return "Pods get no IP address and stay in ContainerCreating.";
    case "exporter":
      return "The node's metrics stop: graphs have holes and alerts on them stay silent.";
    case "log agent":
      return "The node's logs are no longer collected.";
    case "local-storage provisioner":
      return "Local volumes are not made and their claims stay Pending.";
    case "kube-proxy":
      return "Service addresses are not reachable from the node, the API server's among them.";
    case "node agent":
      return "What this agent does for the node is not done.";
    case "application":
      return "";
  }
}
