// Bench, the feed: an API server of generated objects on loopback. Lists are written as they are made, so that millions
// of pods need no memory here; watches stay open for the events that the bench sends.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type FeedSize, type NodeTemplates, nodeTemplates, type PodTemplates, podTemplates } from "./objects.ts";
import { itemHead, listHead, watchFrame } from "./protobuf.ts";
import type { Template } from "./template.ts";

const PROTOBUF = "application/vnd.kubernetes.protobuf";
const NODES = "/api/v1/nodes";
const PODS = "/api/v1/pods";
/** Bytes written at a time. */
const CHUNK = 512 * 1024;
const LIST_VERSION = 1_000_000;

interface Written {
  readonly template: Template;
  readonly numbers: readonly number[];
}

export class Feed {
  readonly #size: FeedSize;
  readonly #nodes: readonly NodeTemplates[];
  readonly #pods: readonly PodTemplates[];
  readonly #watches = new Map<string, Set<ServerResponse>>();
  readonly #server = createServer((request, response) => void this.#answer(request, response));
  #version = LIST_VERSION;
  #events = 0;

  constructor(size: FeedSize) {
    this.#size = size;
    this.#nodes = nodeTemplates(size.seed);
    this.#pods = podTemplates(size);
  }

  /** Listens on loopback; the URL. */
  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    const address = this.#server.address() as AddressInfo;
    return `http://127.0.0.1:${address.port}`;
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  /** The next pod becomes unready with one more restart, or ready again. */
  changePod(): void {
    const { nodes, podsPerNode } = this.#size;
    const step = this.#events++;
    // Another kind each time, all over the nodes.
    const kind = step % podsPerNode;
    const node = Math.floor(step * 7919) % nodes;
    const templates = this.#pods[kind];
    if (templates === undefined) return;
    const template = Math.floor(step / podsPerNode) % 2 === 0 ? templates.restarted : templates.usual;
    this.#emit(PODS, "Pod", { template, numbers: this.#podNumbers(kind, node) });
  }

  /** The next node gets one taint more, or loses it. */
  changeNode(): void {
    const step = this.#events++;
    const node = Math.floor(step * 7919) % this.#size.nodes;
    const templates = this.#nodes[node % this.#nodes.length];
    if (templates === undefined) return;
    const template = Math.floor(step / this.#size.nodes) % 2 === 0 ? templates.tainted : templates.usual;
    this.#emit(NODES, "Node", { template, numbers: [node, 0, ++this.#version] });
  }

  #podNumbers(kind: number, node: number): readonly number[] {
    return [node, kind * this.#size.nodes + node, ++this.#version];
  }

  #emit(path: string, kind: string, { template, numbers }: Written): void {
    const object = Buffer.alloc(template.length);
    template.write(object, 0, numbers);
    const frame = watchFrame("MODIFIED", "v1", kind, object);
    for (const response of this.#watches.get(path) ?? []) response.write(frame);
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", "http://localhost");
    if (url.pathname === "/version") {
      response.setHeader("content-type", "application/json");
      response.end('{"major": "1", "minor": "37", "gitVersion": "v1.37.2"}');
    } else if (url.searchParams.get("watch") === "true") {
      const watching = this.#watches.get(url.pathname) ?? new Set();
      this.#watches.set(url.pathname, watching.add(response));
      response.on("close", () => watching.delete(response));
      response.setHeader("content-type", `${PROTOBUF};stream=watch`);
      response.flushHeaders();
    } else {
      response.setHeader("content-type", PROTOBUF);
      const kind = url.pathname === NODES ? "NodeList" : url.pathname === PODS ? "PodList" : "List";
      await this.#list(response, kind);
    }
  }

  async #list(response: ServerResponse, kind: string): Promise<void> {
    const groups = kind === "NodeList" ? this.#nodeGroups() : kind === "PodList" ? this.#podGroups() : [];
    let bytes = 0;
    for (const { template, count } of groups) bytes += count * (itemHead(template.length).length + template.length);
    response.write(listHead("v1", kind, String(LIST_VERSION), bytes));
    for (const group of groups) await writeGroup(response, group);
    response.end();
  }

  /** Nodes by their kinds. */
  #nodeGroups(): readonly Group[] {
    const kinds = this.#nodes.length;
    return this.#nodes.map((templates, kind) => ({
      template: templates.usual,
      count: Math.max(0, Math.ceil((this.#size.nodes - kind) / kinds)),
      numbers: (index) => [kind + index * kinds, 0, LIST_VERSION],
    }));
  }

  /** Pods by the workload that made them, as a list sorted by name has them. */
  #podGroups(): readonly Group[] {
    return this.#pods.map((templates, kind) => ({
      template: templates.usual,
      count: this.#size.nodes,
      numbers: (index) => [index, kind * this.#size.nodes + index, LIST_VERSION],
    }));
  }
}

/** Objects of one template that stand together in a list. */
interface Group {
  readonly template: Template;
  readonly count: number;
  readonly numbers: (index: number) => readonly number[];
}

async function writeGroup(response: ServerResponse, { template, count, numbers }: Group): Promise<void> {
  const head = itemHead(template.length);
  const perChunk = Math.max(1, Math.floor(CHUNK / (head.length + template.length)));
  for (let first = 0; first < count && !response.destroyed; first += perChunk) {
    const items = Math.min(perChunk, count - first);
    const chunk = Buffer.alloc(items * (head.length + template.length));
    let at = 0;
    for (let index = first; index < first + items; index += 1) {
      head.copy(chunk, at);
      at = template.write(chunk, at + head.length, numbers(index));
    }
    if (!response.write(chunk)) await drained(response);
  }
}

/** Resolves when more can be written, or nobody reads any more. */
function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      response.off("drain", done);
      response.off("close", done);
      resolve();
    };
    response.on("drain", done);
    response.on("close", done);
  });
}
