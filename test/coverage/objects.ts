// Test support: objects of the API from YAML, as the readers would decode them.
import { parseAllDocuments } from "yaml";
import { ClusterBuilder } from "../../server/src/cluster/build/cluster-builder.ts";
import type { ClusterModel } from "../../server/src/cluster/model.ts";
import { isObject, type JsonObject, textOf } from "../../server/src/kube/decode/reading.ts";
import { decodeWorkload } from "../../server/src/kube/decode/workload.ts";
import { workloadKind } from "../../server/src/kube/kinds.ts";
import type { Workload } from "../../server/src/kube/workload.ts";

/** The objects of a multi-document text. */
export function objectsOf(text: string): readonly JsonObject[] {
  return parseAllDocuments(text, { merge: true }).map((document) => {
    const object: unknown = document.toJS();
    if (!isObject(object)) throw new Error("a document of a fixture is no object");
    return object;
  });
}

/** The one workload of a text, as a manifest's: without UID. */
export function workloadOf(text: string): Workload {
  const [object] = objectsOf(text);
  const kind = object === undefined ? null : workloadKind(textOf(object.apiVersion), textOf(object.kind));
  if (object === undefined || kind === null) throw new Error("the fixture is no workload");
  return decodeWorkload(object, kind);
}

/** The cluster that a text holds; every part that `known` names counts as read even if it is empty. */
export function clusterOf(text: string, ...known: readonly string[]): ClusterModel {
  const builder = new ClusterBuilder();
  for (const object of objectsOf(text)) builder.add(object, { path: "cluster.yaml", offset: 0 });
  for (const kind of known) builder.markListed("v1", `${kind}List`);
  return builder.finish("test", null).model;
}
