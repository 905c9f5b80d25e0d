// What the client says about the cluster in use, and what it remembers.
import { describe, expect, it } from "vitest";
import { ageOf, conditionOf } from "../../client/src/cluster/condition.ts";
import { looksLikeNodes } from "../../client/src/cluster/node-list.ts";
import { RECENT_LIMIT, readChoice, readChoices, remember } from "../../client/src/cluster/recent-clusters.ts";
import { statusWords } from "../../client/src/cluster/status-words.ts";
import type { ClusterChoice, ClusterState, ClusterSummary } from "../../shared/src/protocol.ts";

const NOW = Date.parse("2026-03-04T12:00:00Z");
const hoursAgo = (hours: number) => NOW - hours * 3_600_000;

const cluster = (change: Partial<ClusterSummary> = {}): ClusterSummary => ({
  name: "prod.yaml",
  origin: "file",
  source: "/clusters/prod.yaml",
  observedAt: hoursAgo(3),
  nodes: 12,
  missing: [],
  ...change,
});
const state = (change: Partial<ClusterState> = {}): ClusterState => ({
  choice: null,
  clusters: [cluster()],
  loading: false,
  problems: [],
  forbidden: false,
  staleAfter: 1440,
  ...change,
});

describe("the age of a cluster", () => {
  it.each([
    [30_000, { unit: "minutes", count: 0 }],
    [59 * 60_000, { unit: "minutes", count: 59 }],
    [47 * 3_600_000, { unit: "hours", count: 47 }],
    [50 * 3_600_000, { unit: "days", count: 2 }],
    [-5000, { unit: "minutes", count: 0 }],
  ])("%d ms is told in the largest unit that fits", (age, expected) => {
    expect(ageOf(NOW - age, NOW)).toEqual(expected);
  });

  it("is unknown without an observation time", () => {
    expect(ageOf(null, NOW)).toBeNull();
  });
});

describe("the condition of a cluster", () => {
  it("is fresh until staleAfter has passed", () => {
    expect(conditionOf(cluster({ observedAt: hoursAgo(24) }), 1440, NOW)).toBe("fresh");
    expect(conditionOf(cluster({ observedAt: hoursAgo(25) }), 1440, NOW)).toBe("stale");
    expect(conditionOf(cluster({ observedAt: hoursAgo(2500) }), 0, NOW)).toBe("fresh");
  });

  it("is never fresh when its time is unknown", () => {
    expect(conditionOf(cluster({ observedAt: null }), 1440, NOW)).toBe("stale");
  });

  it("is fresh while it is followed, however long nothing changed", () => {
    expect(conditionOf(cluster({ origin: "live", observedAt: hoursAgo(25) }), 1440, NOW)).toBe("fresh");
    expect(conditionOf(cluster({ origin: "cache", observedAt: hoursAgo(25) }), 1440, NOW)).toBe("stale");
  });

  it("is partly known when a part is not there, however old it is", () => {
    expect(conditionOf(cluster({ missing: [{ part: "pods", why: "missing" }] }), 1440, NOW)).toBe("partial");
  });
});

describe("the status bar", () => {
  it("names the cluster, its age and its state", () => {
    expect(statusWords("running", state(), NOW)).toEqual({
      text: "$(server) prod.yaml · 3 h",
      tooltip: [
        "prod.yaml: fresh, 12 nodes, observed 3 h ago",
        "From /clusters/prod.yaml",
        "Click to choose another cluster.",
      ],
      spoken: "Taintwise cluster: prod.yaml · 3 h, fresh",
      prominence: "normal",
    });
  });

  it("calls a cluster that is followed live, and not as old as its last change", () => {
    const live = cluster({ name: "prod", origin: "live", source: "context prod" });
    const words = statusWords("running", state({ clusters: [live] }), NOW);
    expect(words.text).toBe("$(server) prod · live");
    expect(words.tooltip[0]).toBe("prod: fresh, 12 nodes, followed live");
    const both = statusWords("running", state({ clusters: [live, cluster()] }), NOW);
    expect(both.text).toBe("$(server) 2 clusters · 3 h");
  });

  it("names the machine that the file lies on, where it is another one", () => {
    expect(statusWords("running", state(), NOW, "build-7").tooltip).toContain("From /clusters/prod.yaml on build-7");
  });

  it("says what is missing and why", () => {
    const missing = [
      { part: "pods", why: "missing" },
      { part: "events", why: "forbidden" },
    ] as const;
    const words = statusWords("running", state({ clusters: [cluster({ missing })] }), NOW);
    expect(words.text).toBe("$(question) prod.yaml · 3 h");
    expect(words.spoken).toBe("Taintwise cluster: prod.yaml · 3 h, partly known");
    expect(words.tooltip).toContain("Not in it: pods. What depends on them is unknown.");
    expect(words.tooltip).toContain("Not allowed to read: events. What depends on them is unknown.");
  });

  it("tells the greatest age and the gravest state of several clusters", () => {
    const clusters = [cluster(), cluster({ name: "dr", observedAt: hoursAgo(80) })];
    const words = statusWords("running", state({ clusters }), NOW);
    expect(words.text).toBe("$(history) 2 clusters · 3 d");
    expect(words.spoken).toBe("Taintwise cluster: 2 clusters · 3 d, old");
  });

  it("never passes no cluster off as a clean one", () => {
    const words = statusWords("running", state({ clusters: [] }), NOW);
    expect(words.text).toBe("$(circle-slash) no cluster");
    expect(words.tooltip[0]).toContain("placement is unknown");
  });

  it("shows a source that cannot be read as an error with its reason", () => {
    const words = statusWords("running", state({ clusters: [], problems: ["prod.yaml: line 3: no such anchor"] }), NOW);
    expect(words).toMatchObject({ text: "$(error) cluster cannot be read", prominence: "error" });
    expect(words.tooltip[0]).toBe("prod.yaml: line 3: no such anchor");
  });

  it("tells when the server is down or on its way", () => {
    expect(statusWords("stopped", state(), NOW)).toMatchObject({
      text: "$(error) server stopped",
      prominence: "error",
    });
    expect(statusWords("starting", state(), NOW).text).toBe("$(loading~spin) starting");
    expect(statusWords("running", null, NOW).text).toBe("$(loading~spin) starting");
    expect(statusWords("running", state({ loading: true }), NOW).text).toBe("$(loading~spin) reading the cluster");
  });
});

describe("recent clusters", () => {
  const file = (path: string): ClusterChoice => ({ kind: "file", path });

  it("hold the newest first, each once", () => {
    const choices = ["/a", "/b", "/a"].map(file).reduce(remember, [] as readonly ClusterChoice[]);
    expect(choices).toEqual([file("/a"), file("/b")]);
  });

  it("keep contexts of the same name in different kubeconfigs apart", () => {
    const one: ClusterChoice = { kind: "context", name: "default", kubeconfig: "/one" };
    const two: ClusterChoice = { kind: "context", name: "default", kubeconfig: "/two" };
    expect(remember([one], two)).toEqual([two, one]);
  });

  it("forget the oldest", () => {
    const many = Array.from({ length: RECENT_LIMIT + 3 }, (_, index) => file(`/${index}`));
    expect(many.reduce(remember, [] as readonly ClusterChoice[])).toEqual(many.slice(3).reverse());
  });

  it("survive what another version stored", () => {
    expect(readChoices([{ kind: "file", path: "/a" }, { kind: "fleet" }, null, { kind: "file" }])).toEqual([
      file("/a"),
    ]);
    expect(readChoices("x")).toEqual([]);
    expect(readChoice({ kind: "none" })).toEqual({ kind: "none" });
  });
});

describe("an opened list of nodes", () => {
  it.each([
    ["kubectl get nodes -o yaml", "apiVersion: v1\nitems:\n- apiVersion: v1\n  kind: Node\n  metadata:\n    name: a\n"],
    ["a NodeList", "kind: NodeList\napiVersion: v1\nitems: []\n"],
    ["kubectl get node a -o yaml", "apiVersion: v1\nkind: Node\nmetadata:\n  name: a\nstatus:\n  capacity: {}\n"],
    [
      "kubectl get nodes -o json",
      '{\n    "apiVersion": "v1",\n    "items": [\n        {\n            "apiVersion": "v1",\n            "kind": "Node"',
    ],
  ])("is known: %s", (_what, text) => {
    expect(looksLikeNodes(text)).toBe(true);
  });

  it.each([
    ["a manifest", "apiVersion: apps/v1\nkind: DaemonSet\nmetadata:\n  name: a\n"],
    ["a list of workloads", "apiVersion: v1\nkind: List\nitems:\n- apiVersion: apps/v1\n  kind: Deployment\n"],
    [
      "pods owned by a node",
      "items:\n- apiVersion: v1\n  kind: Pod\n  metadata:\n    ownerReferences:\n    - kind: Node\n",
    ],
    ["a Node without a status", "apiVersion: v1\nkind: Node\nmetadata:\n  name: a\n"],
    ["JSON of something else", '{"items": [{"kind": "Pod"}]}'],
    ["a compose file", "services:\n  web:\n    image: a\n"],
  ])("is not mistaken: %s", (_what, text) => {
    expect(looksLikeNodes(text)).toBe(false);
  });
});
