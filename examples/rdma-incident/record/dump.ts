// Takes a dump with kubectl and retells it: times of the story, names that are
// the same in every recording, nothing of the machine it was recorded on.
import { hostname } from "node:os";
import type { Json } from "../../../test/cluster/api.ts";
import type { ControlPlane } from "../../../test/cluster/control-plane.ts";
import { hash, uuid } from "./stable.ts";
import type { StoryClock } from "./story-clock.ts";

/** The API server forgets an event an hour after it was last written. */
const eventLife = 3_600_000;

const kinds = [
  ...["nodes", "namespaces", "daemonsets", "deployments", "replicasets", "statefulsets", "jobs", "pods", "events"],
  ...["csinodes", "csidrivers", "storageclasses", "persistentvolumes", "persistentvolumeclaims", "leases"],
];

/** Kinds the cluster has none of. kubectl's List cannot say so; the server's own empty lists can. */
const emptyLists = [
  "/apis/node.k8s.io/v1/runtimeclasses",
  "/apis/resource.k8s.io/v1/deviceclasses",
  "/apis/resource.k8s.io/v1/resourceslices",
];

/**
 * `kubectl get … -A -o yaml` of everything Taintwise reads, as text. Events
 * that would be gone in the story are deleted from the cluster first.
 */
export async function dump(cluster: ControlPlane, clock: StoryClock): Promise<string> {
  await dropOldEvents(cluster, clock);
  const rename = await stableNames(cluster);
  const list = await cluster.kubectl(["get", kinds.join(","), "-A", "-o", "yaml"]);
  const documents = [sortItems(rename(list))];
  for (const path of emptyLists) documents.push(emptyList(await cluster.api.get(path)));
  return documents
    .join("---\n")
    .replace(/^ *resourceVersion: "\d+"\n/gm, "")
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, (stamp) => clock.retell(stamp));
}

/** kubectl lists by the names that were; the items of each kind are sorted by those that are. */
function sortItems(list: string): string {
  const [, head = "", items = "", tail = ""] = /^(.*?^items:\n)(.*)(^kind: List\n.*)$/ms.exec(list) ?? [];
  const kindsInOrder: string[] = [];
  const keyed = items.split(/^(?=- )/m).map((item) => {
    const kind = /^ {2}kind: (.*)$/m.exec(item)?.[1] ?? "";
    if (!kindsInOrder.includes(kind)) kindsInOrder.push(kind);
    const metadata = item.slice(item.indexOf("\n  metadata:"));
    const name = /^ {4}name: (.*)$/m.exec(metadata)?.[1] ?? "";
    const namespace = /^ {4}namespace: (.*)$/m.exec(metadata)?.[1] ?? "";
    return { item, key: `${String(kindsInOrder.indexOf(kind)).padStart(3)} ${namespace} ${name}` };
  });
  // The API server's own lease names the address it listens on.
  const ours = keyed.filter(({ item }) => !item.includes("kubernetes.io/peer-advertise-address"));
  const sorted = ours.toSorted((a, b) => (a.key < b.key ? -1 : 1)).map(({ item }) => item);
  return head + sorted.join("") + tail;
}

function emptyList(list: Json): string {
  if (list.items.length > 0) throw new Error(`${list.kind} is not empty`);
  return `apiVersion: ${list.apiVersion}\nitems: []\nkind: ${list.kind}\nmetadata: {}\n`;
}

async function dropOldEvents(cluster: ControlPlane, clock: StoryClock): Promise<void> {
  const { items } = await cluster.api.get("/api/v1/events");
  for (const event of items) {
    const last: string = event.series?.lastObservedTime ?? event.lastTimestamp ?? event.eventTime;
    if (clock.now() - Date.parse(clock.retell(last)) < eventLife) continue;
    await cluster.api.delete(`/api/v1/namespaces/${event.metadata.namespace}/events/${event.metadata.name}`);
  }
}

/** Where the objects of the dump are listed, by kind. */
const listPaths: Readonly<Record<string, string>> = {
  Node: "/api/v1/nodes",
  Namespace: "/api/v1/namespaces",
  Pod: "/api/v1/pods",
  Event: "/api/v1/events",
  PersistentVolume: "/api/v1/persistentvolumes",
  PersistentVolumeClaim: "/api/v1/persistentvolumeclaims",
  DaemonSet: "/apis/apps/v1/daemonsets",
  Deployment: "/apis/apps/v1/deployments",
  ReplicaSet: "/apis/apps/v1/replicasets",
  CSINode: "/apis/storage.k8s.io/v1/csinodes",
  CSIDriver: "/apis/storage.k8s.io/v1/csidrivers",
  StorageClass: "/apis/storage.k8s.io/v1/storageclasses",
  Lease: "/apis/coordination.k8s.io/v1/leases",
};

/**
 * Names and UIDs that Kubernetes drew at random become ones that follow from
 * what the object is, so that two recordings differ only where they must.
 */
async function stableNames(cluster: ControlPlane): Promise<(text: string) => string> {
  const objects: Json[] = [];
  for (const [kind, path] of Object.entries(listPaths)) {
    for (const item of (await cluster.api.get(path)).items) objects.push({ ...item, kind });
  }
  // The scheduler signs its events with the name of the machine it runs on.
  const replacements = new Map([[`default-scheduler-${hostname()}`, "default-scheduler-cp-1"]]);
  const rename = (text: string) => {
    // Longest first: one name may begin another.
    const names = [...replacements.keys()].toSorted((a, b) => b.length - a.length);
    const pattern = names.map((name) => name.replaceAll(".", "\\.")).join("|");
    return text.replace(new RegExp(pattern, "g"), (name) => replacements.get(name) ?? name);
  };
  const count = counter();
  const pods = objects.filter(({ kind }) => kind === "Pod");
  for (const { metadata, spec } of pods.toSorted((a, b) => byCreation(a).localeCompare(byCreation(b)))) {
    const place = `${metadata.namespace}/${metadata.generateName}${spec.nodeName ?? ""}`;
    replacements.set(metadata.name, `${metadata.generateName}${suffix(count(place))}`);
  }
  for (const { metadata, involvedObject, reason, message } of objects.filter(({ kind }) => kind === "Event")) {
    const subject = rename(involvedObject.name);
    const ending = hash(count(rename(`${subject} ${reason} ${message}`)));
    replacements.set(metadata.name, `${subject}.${ending.slice(0, 16)}`);
  }
  for (const { kind, metadata } of objects) {
    replacements.set(metadata.uid, uuid(kind, metadata.namespace ?? "", rename(metadata.name)));
  }
  return rename;
}

/** Tells equal texts apart by how often each came before. */
function counter(): (text: string) => string {
  const seen = new Map<string, number>();
  return (text) => {
    const times = (seen.get(text) ?? 0) + 1;
    seen.set(text, times);
    return `${text}/${times}`;
  };
}

function byCreation(pod: Json): string {
  return `${pod.metadata.creationTimestamp} ${pod.metadata.name}`;
}

/** Five characters of the alphabet that Kubernetes draws suffixes from. */
function suffix(text: string): string {
  const alphabet = "bcdfghjklmnpqrstvwxz2456789";
  const digest = Buffer.from(hash(text), "hex");
  return [...digest.subarray(0, 5)].map((byte) => alphabet[byte % alphabet.length]).join("");
}
