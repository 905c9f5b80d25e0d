// Live cluster, writing: where the API server keeps an object.
import type { ChangeableKind, ObjectAddress } from "../../change.ts";

const COLLECTIONS: Readonly<Record<ChangeableKind, readonly [prefix: string, resource: string]>> = {
  Node: ["/api/v1", "nodes"],
  DaemonSet: ["/apis/apps/v1", "daemonsets"],
  Deployment: ["/apis/apps/v1", "deployments"],
  StatefulSet: ["/apis/apps/v1", "statefulsets"],
};

/** The object's path, starting with a slash; names are escaped. */
export function objectPath({ kind, namespace, name }: ObjectAddress): string {
  const [prefix, resource] = COLLECTIONS[kind];
  const within = namespace === null ? "" : `/namespaces/${encodeURIComponent(namespace)}`;
  return `${prefix}${within}/${resource}/${encodeURIComponent(name)}`;
}
