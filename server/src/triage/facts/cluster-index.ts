// Triage layer, facts: what rules ask about the whole cluster, worked out once per report.
import type { ClusterPod } from "../../kube/pod.ts";
import { isExtendedResource, type Resources } from "../../kube/resources.ts";
import type { ClusterFacts } from "./cluster.ts";
import type { DaemonSetFacts } from "./daemon-set.ts";
import { findDrivers, findRegistrars } from "./drivers.ts";
import { findLacks, type Lack, showsItself } from "./expectation.ts";
import { once, remember } from "./memo.ts";
import type { NodeFacts } from "./node.ts";
import { type Kind, kindOf } from "./peers.ts";
import { hasEnded, homeOf, imageOf, isLiving, pullingInVain } from "./pod-state.ts";
import { domainOf, familyOf, findPlugins, namedOn, sumRequests } from "./resources.ts";
import type { Version } from "./versions.ts";
import { findServerVersions } from "./versions.ts";

export interface ClusterIndex {
  /** Extended resources that a node names or a pod requests. */
  readonly resources: () => ReadonlySet<string>;
  /** Nodes of whose Allocatable the family has some. */
  readonly offering: (family: string) => readonly NodeFacts[];
  /** Those of them by the key of their kind, labels of the family's domain aside. */
  readonly offeringByKind: (family: string) => ReadonlyMap<string, readonly NodeFacts[]>;
  /** The largest Allocatable of the resource on any node. */
  readonly mostOffered: (resource: string) => number;
  /** Names of the nodes that show by themselves that they have the resource's devices. */
  readonly shownBy: (resource: string) => ReadonlySet<string>;
  readonly kind: (node: NodeFacts, domain: string) => Kind;
  readonly plugins: (resource: string) => readonly DaemonSetFacts[];
  /** Families of resources that the device plugin makes anywhere. */
  readonly families: (plugin: DaemonSetFacts) => ReadonlySet<string>;
  readonly lacks: (node: NodeFacts) => readonly Lack[];
  readonly requested: (node: NodeFacts) => Resources;
  /** Pods without a node that request the resource. */
  readonly waiting: (resource: string) => readonly ClusterPod[];
  /** Whether any pod that has not ended requests the resource. */
  readonly wanted: (resource: string) => boolean;
  /** Drivers of the resource slices of a node that have devices. */
  readonly sliceDrivers: (node: string) => ReadonlySet<string>;
  readonly drivers: () => readonly string[];
  /** Nodes on which CSINode lists the driver. */
  readonly registeredOn: (driver: string) => ReadonlySet<string>;
  readonly registrars: (driver: string) => readonly DaemonSetFacts[];
  readonly versions: () => readonly Version[];
  /** Namespaces of which at least one pod was read. */
  readonly namespaces: () => ReadonlySet<string>;
  /** Nodes on which a container with this image runs or has run. */
  readonly imageRunsOn: (image: string) => ReadonlySet<string>;
  /** Nodes on which a container waits in vain for this image. */
  readonly imageFailsOn: (image: string) => ReadonlySet<string>;
  /** Whether the baseline had a living pod of the DaemonSet with this uid on the node. */
  readonly baselineHad: (node: string, uid: string) => boolean;
}

/** Prepares the answers; nothing is computed before it is asked for. */
export function indexCluster(facts: () => ClusterFacts): ClusterIndex {
  const nodes = once(() => [...facts().nodes.values()]);
  const waitingBy = once(() => byResource(facts().cluster.pods.filter(isUnbound)));
  const images = once(() => imagePlaces(facts().cluster.pods));
  const slices = once(() => sliceDriversByNode(facts()));
  const kinds = remember((domain: string) => remember((node: NodeFacts) => kindOf(node.node, domain)));
  const offering = remember((family: string) =>
    nodes().filter(({ node }) =>
      Object.entries(node.allocatable ?? {}).some(([name, amount]) => amount > 0 && familyOf(name) === family),
    ),
  );
  const resources = once(() => {
    const names = new Set(nodes().flatMap(({ node }) => namedOn(node)));
    for (const pod of facts().cluster.pods) {
      for (const name of Object.keys(pod.spec.requests)) if (isExtendedResource(name)) names.add(name);
    }
    return names;
  });
  const before = once(() => {
    const pods = facts().options.baseline?.pods ?? [];
    return new Set(pods.filter(isLiving).map((pod) => `${homeOf(pod)}|${pod.controller?.uid ?? ""}`));
  });
  return {
    resources,
    offering,
    offeringByKind: remember((family: string) => {
      const groups = new Map<string, NodeFacts[]>();
      for (const node of offering(family)) {
        const { key } = kinds(domainOf(family))(node);
        const group = groups.get(key);
        if (group === undefined) groups.set(key, [node]);
        else group.push(node);
      }
      return groups;
    }),
    mostOffered: remember((resource: string) =>
      nodes().reduce((most, { node }) => Math.max(most, node.allocatable?.[resource] ?? 0), 0),
    ),
    shownBy: remember((resource: string) => {
      const showing = nodes().filter((node) => showsItself(facts(), node, resource));
      return new Set(showing.map((node) => node.name));
    }),
    kind: (node, domain) => kinds(domain)(node),
    plugins: remember((resource: string) => findPlugins(facts(), resource)),
    families: remember((plugin: DaemonSetFacts) => {
      const made = [...resources()].filter((name) => findPlugins(facts(), name).includes(plugin));
      return new Set(made.map(familyOf));
    }),
    lacks: remember((node: NodeFacts) => findLacks(facts(), node)),
    requested: remember(sumRequests),
    waiting: (resource) => waitingBy().get(resource) ?? [],
    wanted: remember((resource: string) =>
      facts().cluster.pods.some((pod) => !hasEnded(pod) && (pod.spec.requests[resource] ?? 0) > 0),
    ),
    sliceDrivers: (node) => slices().get(node) ?? NONE,
    drivers: once(() => findDrivers(facts())),
    registeredOn: remember((driver: string) => {
      const all = [...facts().cluster.csiNodes.values()];
      return new Set(all.filter((csi) => csi.drivers.some((entry) => entry.name === driver)).map((csi) => csi.name));
    }),
    registrars: remember((driver: string) => findRegistrars(facts(), driver)),
    versions: once(() => findServerVersions(facts())),
    namespaces: once(() => new Set(facts().cluster.pods.map((pod) => pod.namespace))),
    imageRunsOn: (image) => images().runs.get(image) ?? NONE,
    imageFailsOn: (image) => images().fails.get(image) ?? NONE,
    baselineHad: (node, uid) => before().has(`${node}|${uid}`),
  };
}

const NONE: ReadonlySet<string> = new Set();

function isUnbound(pod: ClusterPod): boolean {
  return pod.spec.nodeName === "" && pod.phase === "Pending";
}

function byResource(pods: readonly ClusterPod[]): ReadonlyMap<string, readonly ClusterPod[]> {
  const groups = new Map<string, ClusterPod[]>();
  for (const pod of pods) {
    for (const [resource, amount] of Object.entries(pod.spec.requests)) {
      if (amount <= 0 || !isExtendedResource(resource)) continue;
      const group = groups.get(resource);
      if (group === undefined) groups.set(resource, [pod]);
      else group.push(pod);
    }
  }
  return groups;
}

function imagePlaces(pods: readonly ClusterPod[]) {
  const runs = new Map<string, Set<string>>();
  const fails = new Map<string, Set<string>>();
  const add = (places: Map<string, Set<string>>, image: string, node: string) => {
    const known = places.get(image);
    if (known === undefined) places.set(image, new Set([node]));
    else known.add(node);
  };
  for (const pod of pods) {
    const node = pod.spec.nodeName;
    if (node === "") continue;
    for (const status of pod.containers) {
      if (status.running !== null || status.lastTerminated !== null) add(runs, imageOf(pod, status), node);
    }
    if (hasEnded(pod)) continue;
    for (const status of pullingInVain(pod)) add(fails, imageOf(pod, status), node);
  }
  return { runs, fails };
}

function sliceDriversByNode(facts: ClusterFacts): ReadonlyMap<string, ReadonlySet<string>> {
  const drivers = new Map<string, Set<string>>();
  for (const slice of facts.cluster.resourceSlices) {
    if (slice.nodeName === "" || slice.devices <= 0) continue;
    const known = drivers.get(slice.nodeName);
    if (known === undefined) drivers.set(slice.nodeName, new Set([slice.driver]));
    else known.add(slice.driver);
  }
  return drivers;
}
