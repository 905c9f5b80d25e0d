// Cluster layer, building: objects of the API in, one cluster model out.

import type { CsiDriver, CsiNode } from "../../kube/csi.ts";
import { decodeDeviceClass, decodeResourceSlice } from "../../kube/decode/device.ts";
import { decodeEvent } from "../../kube/decode/event.ts";
import { createInterner, type Interner } from "../../kube/decode/interner.ts";
import { decodeNodeLease } from "../../kube/decode/lease.ts";
import { decodeNamespace } from "../../kube/decode/namespace.ts";
import { decodeNode } from "../../kube/decode/node.ts";
import { decodePod } from "../../kube/decode/pod.ts";
import { type JsonObject, objectOf, textOf } from "../../kube/decode/reading.ts";
import { decodeRuntimeClass } from "../../kube/decode/runtime-class.ts";
import { decodeCsiDriver, decodeCsiNode } from "../../kube/decode/storage.ts";
import { decodeWorkload } from "../../kube/decode/workload.ts";
import type { DeviceClass, ResourceSlice } from "../../kube/device.ts";
import type { ClusterEvent } from "../../kube/event.ts";
import { type WorkloadKind, workloadKind } from "../../kube/kinds.ts";
import type { NodeLease } from "../../kube/lease.ts";
import type { Namespace } from "../../kube/namespace.ts";
import type { ClusterNode, SourcePlace } from "../../kube/node.ts";
import type { ClusterPod } from "../../kube/pod.ts";
import type { RuntimeClass } from "../../kube/runtime-class.ts";
import type { Workload } from "../../kube/workload.ts";
import { emptyModel } from "../empty.ts";
import type { ClusterModel, ClusterPart, PartState } from "../model.ts";
import { type ClusterProblem, fileProblem } from "../problem.ts";
import { sortedByKey } from "../update.ts";
import { signOfObject, signsOf } from "./autoscaler.ts";
import { type Added, type ObjectOrigin, ObjectStore } from "./object-store.ts";
import { NO_TIMES, observationTime, type SeenTimes, seeTimes } from "./observation.ts";
import { type CountedDaemonSet, countedDaemonSet, undumpedNamespace } from "./partial-pods.ts";
import { partOfKind } from "./parts.ts";

/** A built model with what is to be said about its sources. */
export interface BuiltCluster {
  readonly model: ClusterModel;
  readonly problems: readonly ClusterProblem[];
}

/** Collects the objects of one cluster. Used once: `add` for each object, then `finish`. */
export class ClusterBuilder {
  readonly #interner: Interner = createInterner();
  readonly #nodes = new ObjectStore<ClusterNode>();
  readonly #workloads = new ObjectStore<Workload>();
  readonly #pods = new ObjectStore<ClusterPod>();
  readonly #namespaces = new ObjectStore<Namespace>();
  readonly #events = new ObjectStore<ClusterEvent>();
  readonly #csiNodes = new ObjectStore<CsiNode>();
  readonly #csiDrivers = new ObjectStore<CsiDriver>();
  readonly #runtimeClasses = new ObjectStore<RuntimeClass>();
  readonly #deviceClasses = new ObjectStore<DeviceClass>();
  readonly #resourceSlices = new ObjectStore<ResourceSlice>();
  readonly #leases = new ObjectStore<NodeLease>();
  readonly #parts = new Map<ClusterPart, PartState>();
  readonly #signs = new Set<string>();
  readonly #differing = new Map<string, Difference>();
  readonly #counted: CountedDaemonSet[] = [];
  #times: SeenTimes = NO_TIMES;
  #serverVersion = "";

  /** Takes an object of the API; kinds that the model does not know are left out. */
  add(object: JsonObject, place: SourcePlace): void {
    const metadata = objectOf(object.metadata);
    const name = textOf(metadata.name);
    const apiVersion = textOf(object.apiVersion);
    const kind = textOf(object.kind);
    const sign = signOfObject(object);
    if (sign !== null) this.#signs.add(sign);
    const part = partOfKind(apiVersion, kind);
    if (part === null || name === "") return;
    // Leases of other namespaces are those of leader elections.
    if (part === "leases" && decodeNodeLease(object) === null) return;
    this.#markKnown(part);
    this.#times = seeTimes(this.#times, object);
    const counted = part === "daemonsets" ? countedDaemonSet(object) : null;
    if (counted !== null) this.#counted.push(counted);
    const namespace = textOf(metadata.namespace);
    const key = `${namespace}/${name}`;
    const workload = workloadKind(apiVersion, kind);
    const added =
      workload !== null && kind !== "Pod"
        ? this.#addWorkload(object, workload, key, place)
        : this.#addOther(object, part, key, place);
    if (added?.collision === "differs") {
      this.#noteDifference(added.other, originOf(object, place), `${kind} ${namespace === "" ? name : key}`);
    }
  }

  /** A list of this kind was read whole: its part is known, even if the list is empty. */
  markListed(apiVersion: string, listKind: string): void {
    const part = partOfKind(apiVersion, listKind.replace(/List$/, ""));
    // A list of leases may be that of any namespace.
    if (part !== null && part !== "leases") this.#markKnown(part);
  }

  /** A part was in the source and could not be read. Stronger than `known`: what is there may be half of it. */
  markFailed(part: ClusterPart): void {
    this.#parts.set(part, "failed");
  }

  /** Takes the API server's version (`v1.37.2`). */
  setServerVersion(gitVersion: string): void {
    this.#serverVersion = /(\d+\.\d+)/.exec(gitVersion)?.[1] ?? this.#serverVersion;
  }

  /**
   * The model of everything added.
   * @param observedAt the observation time if it is known from elsewhere (milliseconds); else the dump's own times tell
   */
  finish(name: string, observedAt: number | null): BuiltCluster {
    const workloads = this.#workloads.values();
    const pods = this.#pods.values();
    const undumped = this.#parts.get("pods") === "known" ? undumpedNamespace(this.#counted, pods) : null;
    if (undumped !== null) this.#parts.set("pods", "missing");
    const nodes = byName(this.#nodes.values(), (node) => node.name);
    const empty = emptyModel(name, "file");
    const model: ClusterModel = {
      ...empty,
      ...(observedAt === null ? derivedTime(this.#times) : { observedAt }),
      parts: { ...empty.parts, ...Object.fromEntries(this.#parts) },
      nodes,
      workloads,
      pods,
      namespaces: byName(this.#namespaces.values(), (namespace) => namespace.name),
      events: this.#events.values(),
      csiNodes: byName(this.#csiNodes.values(), (node) => node.name),
      csiDrivers: byName(this.#csiDrivers.values(), (driver) => driver.name),
      runtimeClasses: byName(this.#runtimeClasses.values(), (runtimeClass) => runtimeClass.name),
      deviceClasses: this.#deviceClasses.values(),
      resourceSlices: this.#resourceSlices.values(),
      leases: byName(this.#leases.values(), (lease) => lease.nodeName),
      autoscaler: { signs: [...this.#signs, ...signsOf(workloads, nodes.values())] },
      serverVersion: this.#serverVersion,
    };
    return {
      model,
      problems: [
        ...[...this.#differing.values()].map(differenceProblem),
        ...(undumped === null ? [] : [undumpedProblem(undumped)]),
      ],
    };
  }

  #markKnown(part: ClusterPart): void {
    if (!this.#parts.has(part)) this.#parts.set(part, "known");
  }

  #addWorkload(object: JsonObject, kind: WorkloadKind, key: string, place: SourcePlace): Added {
    const workload = decodeWorkload(object, kind, this.#interner);
    return this.#workloads.add(`${kind.group}/${kind.kind}/${key}`, workload, originOf(object, place));
  }

  #addOther(object: JsonObject, part: ClusterPart, key: string, place: SourcePlace): Added | null {
    const origin = originOf(object, place);
    switch (part) {
      case "nodes":
        return this.#nodes.add(key, decodeNode(object, place, this.#interner), origin);
      case "pods":
        return this.#pods.add(key, decodePod(object, this.#interner), origin);
      case "namespaces":
        return this.#namespaces.add(key, decodeNamespace(object, this.#interner), origin);
      case "events":
        return this.#events.add(key, decodeEvent(object, this.#interner), origin);
      case "csinodes":
        return this.#csiNodes.add(key, decodeCsiNode(object), origin);
      case "csidrivers":
        return this.#csiDrivers.add(key, decodeCsiDriver(object), origin);
      case "runtimeclasses":
        return this.#runtimeClasses.add(key, decodeRuntimeClass(object), origin);
      case "deviceclasses":
        return this.#deviceClasses.add(key, decodeDeviceClass(object), origin);
      case "resourceslices":
        return this.#resourceSlices.add(key, decodeResourceSlice(object), origin);
      case "leases": {
        const lease = decodeNodeLease(object);
        return lease === null ? null : this.#leases.add(key, lease, origin);
      }
      case "daemonsets":
      case "owners":
        return null;
    }
  }

  #noteDifference(other: ObjectOrigin | null, origin: ObjectOrigin, object: string): void {
    const first = other?.path ?? origin.path;
    const key = `${first}\0${origin.path}`;
    const versioned = origin.resourceVersion !== "" && (other?.resourceVersion ?? "") !== "";
    const known = this.#differing.get(key);
    if (known === undefined) this.#differing.set(key, { first, second: origin.path, objects: [object], versioned });
    else
      this.#differing.set(key, {
        ...known,
        objects: [...known.objects, object],
        versioned: known.versioned && versioned,
      });
  }
}

function derivedTime(times: SeenTimes): Pick<ClusterModel, "observedAt" | "observedAtLeast"> {
  const observedAt = observationTime(times);
  return observedAt === null ? { observedAt } : { observedAt, observedAtLeast: true };
}

/** Objects that two files, or one file twice, hold in different states. */
interface Difference {
  readonly first: string;
  readonly second: string;
  readonly objects: readonly string[];
  /** Whether resource versions tell which is newer. */
  readonly versioned: boolean;
}

/** One line per pair of files, however many objects differ between them. */
function differenceProblem({ first, second, objects, versioned }: Difference): ClusterProblem {
  const what = objects.length === 1 ? `${objects[0]} is` : `${objects.length} objects (${objects[0]}, …) are`;
  const where = first === second ? "twice in the file" : `here and in ${first}`;
  const which = versioned ? "the newer one counts" : "the later one counts";
  return fileProblem(second, `${what} ${where} and they differ; ${which}`, versioned ? "information" : "warning");
}

function undumpedProblem({ namespace, name, pods }: CountedDaemonSet): ClusterProblem {
  const what = `DaemonSet ${namespace}/${name} counts ${pods} ${pods === 1 ? "pod" : "pods"}, and no pod of its namespace is in the dump`;
  return fileProblem(null, `${what}: which pods run counts as unknown (kubectl get pods -A)`, "warning");
}

function originOf(object: JsonObject, place: SourcePlace): ObjectOrigin {
  return { path: place.path, resourceVersion: textOf(objectOf(object.metadata).resourceVersion) };
}

function byName<T>(items: readonly T[], nameOf: (item: T) => string): ReadonlyMap<string, T> {
  return sortedByKey(new Map(items.map((item) => [nameOf(item), item])));
}
