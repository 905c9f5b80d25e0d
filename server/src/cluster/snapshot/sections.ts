// Cluster layer, snapshot: the format as a whole. A snapshot is gzip over lines of JSON: a header, the sections with the
// objects (each cut into lines of a few hundred), before each line those parts of the shared tables that it is the first
// to name, and an end line that shows that nothing was cut off. No annotations but the listed ones, no environment variables, no secrets: the model has none.
import type { ClusterModel } from "../model.ts";
import type { Codec } from "./codec.ts";
import { objectCodecs } from "./object-codecs.ts";
import { podCodecs } from "./pod-codecs.ts";
import type { SharedTable } from "./shared-table.ts";

/** First key of the header; by it a snapshot is told from every other file. */
export const SNAPSHOT_FORMAT = "taintwise-snapshot";
/** Grows when an older Taintwise could not read the format any more; new fields with a blank value do not count. */
export const SNAPSHOT_VERSION = 1;
/** Name of the last line. */
export const END = "end";

/** One section: its objects to write, and where objects that are read go. */
export interface Section {
  readonly name: string;
  /** The stored form of the model's objects, so many at a time: of a large cluster it never lies in memory whole. */
  write(model: ClusterModel, atATime: number): Generator<readonly unknown[], void, undefined>;
  /** Takes stored objects. Throws SnapshotFault. */
  read(stored: readonly unknown[]): void;
}

/** The format of one writing or reading. */
export interface SnapshotFormat {
  readonly sections: readonly Section[];
  readonly tables: readonly Table[];
  /** The lists and maps of a model from what the sections have read. */
  contents(): ModelContents;
}

/** A table without the type of its parts. */
export interface Table {
  readonly name: string;
  /** The stored form of the parts that came since the last call. */
  writeNew(): readonly unknown[];
  load(stored: readonly unknown[]): void;
}

export type ModelContents = Pick<
  ClusterModel,
  | "nodes"
  | "workloads"
  | "pods"
  | "namespaces"
  | "events"
  | "csiNodes"
  | "csiDrivers"
  | "runtimeClasses"
  | "deviceClasses"
  | "resourceSlices"
  | "leases"
>;

/** A new format with empty tables. */
export function snapshotFormat(): SnapshotFormat {
  const pods = podCodecs();
  const objects = objectCodecs(pods);
  const nodes = section("nodes", objects.node, (model) => model.nodes.values());
  const workloads = section("workloads", objects.workload, (model) => model.workloads);
  const podList = section("pods", pods.pod, (model) => model.pods);
  const namespaces = section("namespaces", objects.namespace, (model) => model.namespaces.values());
  const events = section("events", objects.event, (model) => model.events);
  const csiNodes = section("csinodes", objects.csiNode, (model) => model.csiNodes.values());
  const csiDrivers = section("csidrivers", objects.csiDriver, (model) => model.csiDrivers.values());
  const runtimeClasses = section("runtimeclasses", objects.runtimeClass, (model) => model.runtimeClasses.values());
  const deviceClasses = section("deviceclasses", objects.deviceClass, (model) => model.deviceClasses);
  const resourceSlices = section("resourceslices", objects.resourceSlice, (model) => model.resourceSlices);
  const leases = section("leases", objects.lease, (model) => model.leases.values());
  return {
    sections: [
      nodes,
      workloads,
      podList,
      namespaces,
      events,
      csiNodes,
      csiDrivers,
      runtimeClasses,
      deviceClasses,
      resourceSlices,
      leases,
    ],
    tables: [
      table(pods.texts),
      table(pods.resources),
      table(pods.tolerations),
      table(pods.containers),
      table(pods.volumes),
      table(pods.owners),
    ],
    contents: () => ({
      nodes: byName(nodes.values, (node) => node.name),
      workloads: workloads.values,
      pods: podList.values,
      namespaces: byName(namespaces.values, (namespace) => namespace.name),
      events: events.values,
      csiNodes: byName(csiNodes.values, (node) => node.name),
      csiDrivers: byName(csiDrivers.values, (driver) => driver.name),
      runtimeClasses: byName(runtimeClasses.values, (runtimeClass) => runtimeClass.name),
      deviceClasses: deviceClasses.values,
      resourceSlices: resourceSlices.values,
      leases: byName(leases.values, (lease) => lease.nodeName),
    }),
  };
}

interface TypedSection<T> extends Section {
  readonly values: readonly T[];
}

function section<T>(name: string, codec: Codec<T>, objectsOf: (model: ClusterModel) => Iterable<T>): TypedSection<T> {
  const values: T[] = [];
  return {
    name,
    values,
    *write(model, atATime) {
      let items: unknown[] = [];
      for (const object of objectsOf(model)) {
        items.push(codec.write(object));
        if (items.length < atATime) continue;
        yield items;
        items = [];
      }
      if (items.length > 0) yield items;
    },
    read: (stored) => {
      for (const item of stored) values.push(codec.read(item, `${name}[${values.length}]`));
    },
  };
}

function table<T extends object>(shared: SharedTable<T>): Table {
  let written = 0;
  return {
    name: shared.name,
    writeNew: () => {
      const fresh = shared.written().slice(written);
      written += fresh.length;
      return fresh.map((value) => shared.codec.write(value));
    },
    load: (stored) => shared.load(stored),
  };
}

function byName<T>(values: readonly T[], nameOf: (value: T) => string): ReadonlyMap<string, T> {
  return new Map(values.map((value) => [nameOf(value), value]));
}
