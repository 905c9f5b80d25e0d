// The cluster in use, as the client knows it: what the server says last is what counts.
import { expect, it } from "vitest";
import { ClusterSource } from "../../client/src/cluster/cluster-source.ts";
import type { LanguageServer } from "../../client/src/connection/language-server.ts";
import type { ClusterState } from "../../shared/src/protocol.ts";

const state = (nodes: number | null): ClusterState => ({
  choice: null,
  clusters:
    nodes === null
      ? []
      : [{ name: "prod", origin: "live", source: "context prod", observedAt: null, nodes, missing: [] }],
  loading: false,
  problems: [],
  forbidden: false,
  staleAfter: 0,
});

/** Storage that takes its time, as the editor's does. */
function slowMemento() {
  const values = new Map<string, unknown>();
  return {
    keys: () => [...values.keys()],
    get: (key: string) => values.get(key),
    update: async (key: string, value: unknown) => {
      values.set(key, value);
      await new Promise((resolve) => setTimeout(resolve, 20));
    },
    setKeysForSync: () => undefined,
  };
}

it("keeps a state that comes while the choice is being stored", async () => {
  let notify: (state: ClusterState) => void = () => undefined;
  const server = {
    onNotification: (_name: unknown, listener: typeof notify) => {
      notify = listener;
    },
    request: () => {
      // Right behind the answer comes the first model.
      setTimeout(() => notify(state(4)), 5);
      return Promise.resolve(state(null));
    },
  } as unknown as LanguageServer;
  const source = new ClusterSource(server, slowMemento() as never, slowMemento() as never);
  await source.select({ kind: "context", name: "prod", kubeconfig: null });
  expect(source.state?.clusters.map(({ nodes }) => nodes)).toEqual([4]);
  expect(source.choice).toEqual({ kind: "context", name: "prod", kubeconfig: null });
});
