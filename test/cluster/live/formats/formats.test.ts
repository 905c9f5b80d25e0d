// Protobuf and JSON tell the same: objects of every kind that is read, listed and watched in both, become equal objects
// of the model, field by field.
import { readFileSync } from "node:fs";
import { request } from "node:https";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { LIVE_RESOURCES, type LiveObject, type LiveResource } from "../../../../server/src/cluster/live/resource.ts";
import { type PlainObject, WireDecoder } from "../../../../server/src/cluster/live/wire/decode.ts";
import { JsonWatchReader } from "../../../../server/src/cluster/live/wire/json-lines.ts";
import { JsonListReader } from "../../../../server/src/cluster/live/wire/json-list.ts";
import { ListReader } from "../../../../server/src/cluster/live/wire/list-reader.ts";
import { StringReader } from "../../../../server/src/cluster/live/wire/strings.ts";
import { WatchReader } from "../../../../server/src/cluster/live/wire/watch-reader.ts";
import { createInterner } from "../../../../server/src/kube/decode/interner.ts";
import { eventually, type Json } from "../../api.ts";
import { buildPrograms } from "../../build.ts";
import { type ControlPlane, startControlPlane } from "../../control-plane.ts";

const PROTOBUF = "application/vnd.kubernetes.protobuf";
const JSON_TYPE = "application/json";
/** Collections of kinds that no plural is told of in `LIVE_RESOURCES`. */
const MORE_COLLECTIONS: Readonly<Record<string, string>> = { Event: "events" };

let cluster: ControlPlane;

beforeAll(async () => {
  await buildPrograms((line) => console.log(line));
  cluster = await startControlPlane({ featureGates: { DRAExtendedResource: true, VolumeLimitScaling: true } });
  await eventually("the lease namespace", () =>
    cluster.api.get("/api/v1/namespaces/kube-node-lease").then(
      () => true,
      () => undefined,
    ),
  );
  const text = readFileSync(new URL("cluster.yaml", import.meta.url), "utf8");
  for (const document of parseAllDocuments(text)) await create(document.toJS());
  // What is being deleted and stays: the kubelet that would end the pod is not there, and a finalizer holds the node.
  await cluster.api.delete("/api/v1/namespaces/shop/pods/running");
  await cluster.api.delete("/api/v1/nodes/bare");
});
afterAll(async () => {
  await cluster?.stop();
});

/** Creates an object with its status. */
async function create(object: Json): Promise<void> {
  const { apiVersion, kind, metadata, status } = object;
  const root = apiVersion.includes("/") ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const space = metadata.namespace === undefined ? "" : `/namespaces/${metadata.namespace}`;
  const plural = MORE_COLLECTIONS[kind] ?? pluralOf(kind);
  const created = await cluster.api.create(`${root}${space}/${plural}`, object);
  if (status === undefined) return;
  await cluster.api.replace(`${root}${space}/${plural}/${metadata.name}/status`, { ...created, status });
}

function pluralOf(kind: string): string {
  const lower = kind.toLowerCase();
  const found = LIVE_RESOURCES.find(({ plural }) => plural === `${lower}s` || plural === `${lower}es`);
  if (found === undefined) throw new Error(`nothing of kind ${kind} is read`);
  return found.plural;
}

/** Asks for `path`; `take` gets the bytes as they come and says when they are enough. */
function ask(path: string, accept: string, take: (chunk: Buffer) => boolean): Promise<string> {
  return new Promise((resolve, reject) => {
    const asked = request(
      new URL(path, cluster.server),
      { ca: readFileSync(cluster.caPath), headers: { Authorization: `Bearer ${cluster.token}`, Accept: accept } },
      (answer) => {
        const type = answer.headers["content-type"] ?? "";
        answer.on("data", (chunk: Buffer) => {
          if (!take(chunk)) return;
          resolve(type);
          asked.destroy();
        });
        answer.on("end", () => resolve(type));
        answer.on("error", reject);
      },
    );
    asked.on("error", reject);
    asked.end();
  });
}

/** The resource's objects in the model's form, by namespace and name. */
class Collected {
  readonly #resource: LiveResource;
  readonly #interner = createInterner({ bySource: true });
  readonly #objects = new Map<string, LiveObject | null>();

  constructor(resource: LiveResource) {
    this.#resource = resource;
  }

  take(object: PlainObject): void {
    const { namespace = "", name } = object.metadata as { readonly namespace?: string; readonly name: string };
    this.#objects.set(`${namespace}/${name}`, this.#resource.decode(object, this.#interner));
  }

  get size(): number {
    return this.#objects.size;
  }

  get sorted(): Readonly<Record<string, LiveObject | null>> {
    return Object.fromEntries([...this.#objects].sort(([left], [right]) => (left < right ? -1 : 1)));
  }
}

const selected = (resource: LiveResource, more: string): string =>
  `${resource.path}?${new URLSearchParams({ ...(resource.fieldSelector === "" ? {} : { fieldSelector: resource.fieldSelector }) })}&${more}`;

async function listed(resource: LiveResource, accept: string): Promise<Collected> {
  const found = new Collected(resource);
  const take = (object: PlainObject): void => found.take(object);
  const reader =
    accept === PROTOBUF
      ? new ListReader(new WireDecoder(new StringReader()), resource.schema, take)
      : new JsonListReader(take);
  const type = await ask(selected(resource, ""), accept, (chunk) => {
    reader.push(chunk);
    return false;
  });
  reader.end();
  expect(type).toContain(accept);
  return found;
}

async function watched(resource: LiveResource, accept: string, count: number): Promise<Collected> {
  const found = new Collected(resource);
  const reader =
    accept === PROTOBUF ? new WatchReader(new WireDecoder(new StringReader()), resource.schema) : new JsonWatchReader();
  const type = await ask(selected(resource, "watch=true&timeoutSeconds=20"), `${accept};stream=watch`, (chunk) => {
    for (const { type: kind, object } of reader.push(chunk)) if (kind === "ADDED") found.take(object);
    return found.size >= count;
  });
  expect(type).toContain(accept);
  return found;
}

describe.each(LIVE_RESOURCES.map((resource) => [resource.id, resource] as const))("%s", (_id, resource) => {
  test("lists and watches in protobuf and in JSON give equal objects", async () => {
    const json = await listed(resource, JSON_TYPE);
    expect(json.sorted).not.toEqual({});
    const protobuf = await listed(resource, PROTOBUF);
    expect(protobuf.sorted).toStrictEqual(json.sorted);
    expect((await watched(resource, PROTOBUF, json.size)).sorted).toStrictEqual(json.sorted);
    expect((await watched(resource, JSON_TYPE, json.size)).sorted).toStrictEqual(json.sorted);
  });
});

/** Fields that no object of a live cluster fills. */
const NEVER_FILLED: readonly string[] = [
  // The place in a file.
  "nodes.place",
  // An object that lives has its name.
  "workloads.generateName",
];

test("every field of the model is filled by some object, so that no difference hides behind what is absent", async () => {
  const fields = new Map<string, boolean>();
  const note = (kind: string, value: object): void => {
    for (const [field, content] of Object.entries(value)) {
      const name = `${kind}.${field}`;
      fields.set(name, fields.get(name) === true || !isBlank(content));
      if (field === "spec" || field === "template") note("podSpec", content);
    }
  };
  for (const resource of LIVE_RESOURCES) {
    for (const object of Object.values((await listed(resource, PROTOBUF)).sorted)) {
      if (object === null) continue;
      note(object.part === "daemonsets" || object.part === "owners" ? "workloads" : object.part, object.value);
    }
  }
  const blank = [...fields].filter(([name, filled]) => !filled && !NEVER_FILLED.includes(name));
  expect(blank.map(([name]) => name)).toEqual([]);
});

function isBlank(value: unknown): boolean {
  if (value === null || value === undefined || value === "" || value === false || value === 0) return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}
