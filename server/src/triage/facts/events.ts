// Triage layer, facts: events by the object they are about.
import type { ClusterEvent } from "../../kube/event.ts";
import type { Evidence } from "../finding.ts";
import { quote } from "../wording/list.ts";

export interface EventIndex {
  /** Of a pod, by last time seen. An event with another uid was about an earlier pod of this name and is left out. */
  ofPod(pod: { readonly namespace: string; readonly name: string; readonly uid: string }): readonly ClusterEvent[];
  /** Of a node, by last time seen. */
  ofNode(name: string): readonly ClusterEvent[];
  /** Of another object. */
  of(kind: string, namespace: string, name: string): readonly ClusterEvent[];
}

/** Sorts events into an index; built once per report. */
export function indexEvents(events: readonly ClusterEvent[]): EventIndex {
  const byObject = new Map<string, ClusterEvent[]>();
  for (const event of events) {
    const { kind, name } = event.involved;
    // Events of nodes are written to the default namespace, whatever the involved object says.
    const namespace = kind === "Node" ? "" : event.involved.namespace || event.namespace;
    const key = `${kind}|${namespace}|${name}`;
    const list = byObject.get(key);
    if (list === undefined) byObject.set(key, [event]);
    else list.push(event);
  }
  for (const list of byObject.values()) list.sort((a, b) => (a.lastSeen ?? 0) - (b.lastSeen ?? 0));
  const of = (kind: string, namespace: string, name: string) => byObject.get(`${kind}|${namespace}|${name}`) ?? [];
  return {
    ofPod: (pod) =>
      of("Pod", pod.namespace, pod.name).filter(
        (event) => pod.uid === "" || event.involved.uid === "" || event.involved.uid === pod.uid,
      ),
    ofNode: (name) => of("Node", "", name),
    of,
  };
}

/** The event as evidence: reason, words, how often, when last. */
export function eventEvidence(event: ClusterEvent): Evidence {
  const times = event.count > 1 ? ` (${event.count} times)` : "";
  return {
    text: `Event ${event.reason}${times}: ${quote(event.message)}`,
    at: event.lastSeen,
    object: {
      kind: event.involved.kind,
      namespace: event.involved.kind === "Node" ? null : event.involved.namespace || event.namespace,
      name: event.involved.name,
    },
  };
}
