// The explorer's client side without an editor: when views are drawn, why they are empty, what is remembered.
import { describe, expect, it } from "vitest";
import { REFRESH_EVERY, RefreshGate } from "../../client/src/explorer/refresh-gate.ts";
import { targetOf } from "../../client/src/explorer/targets.ts";
import { readRemembered } from "../../client/src/explorer/view-settings.ts";
import { viewState } from "../../client/src/explorer/view-state.ts";
import type { ClusterState, ClusterSummary } from "../../shared/src/protocol.ts";

/** A clock that stands still until it is moved. */
function stoppedClock() {
  let now = 0;
  let timers: { readonly at: number; readonly run: () => void }[] = [];
  return {
    now: () => now,
    later: (run: () => void, milliseconds: number) => {
      const timer = { at: now + milliseconds, run };
      timers.push(timer);
      return {
        cancel: () => {
          timers = timers.filter((other) => other !== timer);
        },
      };
    },
    /** Lets time pass, running what falls due. */
    pass: (milliseconds: number) => {
      const end = now + milliseconds;
      for (;;) {
        const [next] = timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
        if (next === undefined) break;
        timers = timers.filter((other) => other !== next);
        now = next.at;
        next.run();
      }
      now = end;
    },
  };
}

function gate() {
  const clock = stoppedClock();
  const drawn: number[] = [];
  return { clock, drawn, gate: new RefreshGate(() => drawn.push(clock.now()), clock) };
}

describe("a view", () => {
  it("is drawn at most twice a second under 200 changes a second", () => {
    const { clock, drawn, gate: under } = gate();
    under.setVisible(true);
    for (let change = 0; change < 400; change++) {
      under.change();
      clock.pass(5);
    }
    clock.pass(REFRESH_EVERY);
    expect(drawn).toEqual([0, 500, 1000, 1500, 2000]);
  });

  it("is not drawn while nobody sees it, and once when it is shown", () => {
    const { clock, drawn, gate: under } = gate();
    for (let minute = 0; minute < 10; minute++) {
      under.change();
      clock.pass(60_000);
    }
    expect(drawn).toEqual([]);
    under.setVisible(true);
    clock.pass(10_000);
    expect(drawn).toEqual([600_000]);
  });

  it("is left alone when it is shown and nothing changed", () => {
    const { clock, drawn, gate: under } = gate();
    under.setVisible(true);
    under.setVisible(false);
    under.setVisible(true);
    clock.pass(10_000);
    expect(drawn).toEqual([]);
  });

  it("is not drawn after it is gone", () => {
    const { clock, drawn, gate: under } = gate();
    under.setVisible(true);
    under.change();
    under.change();
    under.dispose();
    clock.pass(10_000);
    expect(drawn).toEqual([0]);
  });
});

describe("an empty view says why", () => {
  const cluster = (why?: "missing" | "forbidden" | "failed", part = "nodes"): ClusterSummary => ({
    name: "prod",
    origin: "live",
    source: "prod",
    observedAt: 0,
    nodes: 3,
    missing: why === undefined ? [] : [{ part, why }],
  });
  const state = (change: Partial<ClusterState>): ClusterState => ({
    choice: null,
    clusters: [],
    loading: false,
    problems: [],
    forbidden: false,
    staleAfter: 0,
    ...change,
  });
  it.each([
    ["stopped", viewState("stopped", null, 0, false)],
    ["starting", viewState("starting", state({}), 0, false)],
    ["starting", viewState("running", null, 0, false)],
    ["starting", viewState("running", state({ loading: true }), 0, false)],
    ["none", viewState("running", state({}), 0, false)],
    ["unreachable", viewState("running", state({ problems: ["prod: no route"] }), 0, false)],
    ["forbidden", viewState("running", state({ problems: ["nodes is forbidden"], forbidden: true }), 0, false)],
    ["forbidden", viewState("running", state({ clusters: [cluster("forbidden")] }), 0, false)],
    ["unreachable", viewState("running", state({ clusters: [cluster("failed")] }), 0, false)],
    ["filtered", viewState("running", state({ clusters: [cluster()] }), 0, true)],
    ["healthy", viewState("running", state({ clusters: [cluster()] }), 0, false)],
    ["healthy", viewState("running", state({ clusters: [cluster("missing", "leases")] }), 0, false)],
    // Nothing is healthy where its pods may not be seen.
    ["partly", viewState("running", state({ clusters: [cluster("forbidden", "pods")] }), 0, false)],
    ["partly", viewState("running", state({ clusters: [cluster(), cluster("missing", "daemonsets")] }), 0, false)],
    ["nodeless", viewState("running", state({ clusters: [{ ...cluster(), nodes: 0 }] }), 0, false)],
    ["known", viewState("running", state({ clusters: [cluster("missing")] }), 2, false)],
  ])("%s", (expected, found) => {
    expect(found).toBe(expected);
  });
});

describe("what is remembered", () => {
  it.each([
    [undefined, { grouping: "pool", filter: "", onlyProblems: false }],
    ["flat", { grouping: "pool", filter: "", onlyProblems: false }],
    [
      { grouping: "flat", filter: "rdma", onlyProblems: true, other: 1 },
      { grouping: "flat", filter: "rdma", onlyProblems: true },
    ],
    [
      { grouping: "tree", filter: 3, onlyProblems: "yes" },
      { grouping: "pool", filter: "", onlyProblems: false },
    ],
  ])("%j", (kept, expected) => {
    expect(readRemembered(kept)).toEqual(expected);
  });
});

describe("the target of a command", () => {
  const target = { cluster: "k", kind: "Node", namespace: null, name: "n1", node: "n1" };
  it("is the row's", () => {
    expect(targetOf({ id: "x", target })).toEqual(target);
  });
  it.each([
    undefined,
    null,
    "n1",
    {},
    { target: null },
    { target: { kind: "Node" } },
    { target: { ...target, name: 3 } },
  ])("is none for %j", (argument) => {
    expect(targetOf(argument)).toBeNull();
  });
});
