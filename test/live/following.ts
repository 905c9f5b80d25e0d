// One resource followed for a test: nodes of a stand-in server, with time that runs faster than the wall clock.

import { join } from "node:path";
import type { CredentialSource } from "../../server/src/cluster/live/credentials/credential.ts";
import { FixedCredential } from "../../server/src/cluster/live/credentials/fixed.ts";
import {
  type Connection,
  type ConnectSurroundings,
  connect,
} from "../../server/src/cluster/live/kubeconfig/connection.ts";
import { mergeKubeconfig } from "../../server/src/cluster/live/kubeconfig/merge.ts";
import { readKubeconfig } from "../../server/src/cluster/live/kubeconfig/read.ts";
import { LiveCluster } from "../../server/src/cluster/live/live-cluster.ts";
import { LIVE_RESOURCES } from "../../server/src/cluster/live/resource.ts";
import { ApiClient } from "../../server/src/cluster/live/transport/api-client.ts";
import type { Endpoint } from "../../server/src/cluster/live/transport/endpoint.ts";
import type { Clock } from "../../server/src/cluster/live/watch/clock.ts";
import { SYSTEM_CLOCK } from "../../server/src/cluster/live/watch/clock.ts";
import { DEFAULT_LIMITS, type ReflectorLimits } from "../../server/src/cluster/live/watch/limits.ts";
import type { ClusterModel } from "../../server/src/cluster/model.ts";

/** How much faster a test's clock runs: a second of the product takes 10 ms. */
const FASTER = 100;

export function fastClock(): Clock & { jump(milliseconds: number): void } {
  const start = Date.now();
  let jumped = 0;
  return {
    now: () => start + (Date.now() - start) * FASTER + jumped,
    random: () => 0.5,
    sleep: (milliseconds, signal) => SYSTEM_CLOCK.sleep(milliseconds / FASTER, signal),
    jump: (milliseconds) => {
      jumped += milliseconds;
    },
  };
}

export interface Following {
  readonly cluster: LiveCluster;
  readonly models: readonly ClusterModel[];
  readonly clock: ReturnType<typeof fastClock>;
  /** Resolves when a model satisfies `wanted`; rejects with what was seen after half a minute. */
  until(what: string, wanted: (model: ClusterModel) => boolean): Promise<ClusterModel>;
  /** Resolves when the state of `resource` satisfies `wanted`. */
  untilState(resource: string, phase: string): Promise<string>;
  stop(): Promise<void>;
}

export interface FollowOptions {
  readonly resources?: readonly string[];
  readonly credentials?: CredentialSource;
  readonly limits?: Partial<ReflectorLimits>;
  /** Where and as whom, instead of plain http to the URL. */
  readonly connection?: Connection;
  /** Read where the whole cluster may not be. */
  readonly namespaces?: readonly string[];
  readonly clock?: ReturnType<typeof fastClock>;
  /** Milliseconds of the fast clock without a look at it that count as a sleep. */
  readonly sleptAfter?: number;
}

export function follow(url: string, options: FollowOptions = {}): Following {
  const clock = options.clock ?? fastClock();
  const wanted = options.resources ?? ["nodes"];
  const models: ClusterModel[] = [];
  const { endpoint, credentials } = options.connection ?? {
    endpoint: plainHttp(url),
    credentials: options.credentials ?? new FixedCredential({ authorization: "Bearer t" }),
  };
  const cluster = new LiveCluster({
    name: "test",
    client: new ApiClient(endpoint, credentials, () => clock.now()),
    clock,
    onModel: (model) => models.push(model),
    onState: () => undefined,
    resources: LIVE_RESOURCES.filter((resource) => wanted.includes(resource.id)),
    // Deadlines and silence are timers of the machine, not of the test's clock.
    limits: { ...DEFAULT_LIMITS, deadline: 500, silence: 300, ...options.limits },
    flushEvery: 5,
    namespaces: options.namespaces ?? [],
    // A loaded machine is late by what the fast clock takes for minutes.
    sleptAfter: options.sleptAfter ?? 500_000,
  });
  cluster.start();
  return {
    cluster,
    models,
    clock,
    until: (what, satisfied) =>
      eventually(
        what,
        () => {
          const model = cluster.model;
          return satisfied(model) ? model : null;
        },
        () =>
          JSON.stringify({
            nodes: [...cluster.model.nodes.keys()],
            parts: cluster.model.parts,
            states: [...cluster.states],
          }),
      ),
    untilState: (resource, phase) =>
      eventually(
        `${resource} is ${phase}`,
        () => {
          const state = cluster.states.get(resource);
          return state?.phase === phase ? state.problem : null;
        },
        () => JSON.stringify([...cluster.states]),
      ),
    stop: () => cluster.stop(),
  };
}

function plainHttp(url: string): Endpoint {
  const tls = { ca: null, cert: null, key: null, serverName: "", skipVerify: false };
  return { server: new URL(url), tls, proxy: null, proxyFrom: "" };
}

/** The connection of the one context of a kubeconfig text that lies in `folder`. */
export function connectionOf(
  text: string,
  folder: string,
  around: Partial<ConnectSurroundings> = {},
): Promise<Connection> {
  const context = mergeKubeconfig([readKubeconfig(text, join(folder, "config"))]).contexts[0];
  if (context === undefined) throw new Error("no context");
  const usual: ConnectSurroundings = {
    environment: { PATH: process.env.PATH },
    extraPath: [],
    deadline: 4_000,
    now: () => Date.now(),
    onOutput: () => undefined,
    allowed: () => true,
    mayUsePlainHttp: () => false,
  };
  return connect(context, { ...usual, ...around });
}

export async function eventually<T>(what: string, look: () => T | null, seen: () => string): Promise<T> {
  for (let tries = 0; tries < 3_000; tries += 1) {
    const found = look();
    if (found !== null) return found;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`never seen: ${what}; last: ${seen()}`);
}

/** Lets the product's clock run for `milliseconds` of its time. */
export function pass(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds / FASTER));
}
