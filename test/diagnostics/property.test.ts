// Whatever the manifest: nothing throws, and every fix offered keeps its promises.
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { createFixCheck } from "../corpus/fixes.ts";
import { clusterOf, diagnose } from "../support/judge.ts";

const CLUSTERS = ["cluster.yaml", "tainted.yaml"].map((dump) =>
  clusterOf(readFileSync(`test/corpus/${dump}`, "utf8"), dump),
);

const optional = <T>(...values: readonly T[]) => fc.constantFrom(undefined, ...values);
const KEYS = [
  "dedicated",
  "nvidia.com/gpu",
  "team",
  "example.com/held",
  "node-role.kubernetes.io/control-plane",
  "a/b/c",
  "key",
];

const toleration = fc.record({
  key: optional(...KEYS, "node.kubernetes.io/not-ready", "node.kubernetes.io/unschedulable", "dedicatd"),
  operator: optional("Equal", "Exists", "exists", "In", "Gt", ""),
  value: optional<unknown>("", "rdma", "present", "on", true, 7, '"on"', "bad value!"),
  effect: optional("NoSchedule", "NoExecute", "PreferNoSchedule", "NO_SCHEDULE", "Nope", ""),
  tolerationSeconds: optional<unknown>(0, 30, "30"),
});
const requirement = fc.record({
  key: fc.constantFrom("pool", "kubernetes.io/os", "kubernetes.io/arch", "nowhere"),
  operator: fc.constantFrom("In", "NotIn", "Exists", "DoesNotExist"),
  values: optional([], ["gpu"], ["linux"], ["genral", "rdma"]),
});
const affinity = fc
  .array(fc.record({ matchExpressions: fc.array(requirement, { maxLength: 2 }) }), { minLength: 1, maxLength: 2 })
  .map((nodeSelectorTerms) => ({
    nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } },
  }));
const amounts = fc.record({ "nvidia.com/gpu": optional<unknown>(1, "2", "500m"), cpu: optional<unknown>(1, "64") });
const podSpec = fc.record({
  tolerations: fc.oneof(fc.constant(undefined), fc.array(toleration, { maxLength: 4 }), toleration),
  nodeSelector: optional<unknown>(
    { pool: "rdma" },
    { pool: "rmda" },
    { "kubernetes.io/os": "linux", gpu: true },
    { "node-role.kubernetes.io/control-plane": "true" },
  ),
  affinity: fc.option(affinity, { nil: undefined }),
  nodeName: optional("plain-1", "gone"),
  containers: fc
    .record({ resources: fc.record({ requests: amounts, limits: amounts }) })
    .map((container) => [{ name: "c", image: "i", ...container }]),
});
const manifest = fc.record({
  kind: fc.constantFrom("DaemonSet", "Deployment", "StatefulSet"),
  name: fc.constantFrom("app", "node-exporter", "site-cni"),
  spec: podSpec,
  stray: fc.option<unknown, undefined>(toleration, { nil: undefined }),
  flow: fc.constantFrom("block", "flow", "json"),
});

function render({ kind, name, spec, stray, flow }: typeof manifest extends fc.Arbitrary<infer T> ? T : never): string {
  const object = {
    apiVersion: "apps/v1",
    kind,
    metadata: { name },
    spec: {
      selector: { matchLabels: { app: "a" } },
      ...(stray === undefined ? {} : { tolerations: [stray] }),
      template: { metadata: { labels: { app: "a" } }, spec },
    },
  };
  if (flow === "json") return `${JSON.stringify(object, null, 2)}\n`;
  return stringify(object, { collectionStyle: flow === "flow" ? "flow" : "any" });
}

describe("any manifest", () => {
  it("is judged without a throw, also when it is cut off", () => {
    fc.assert(
      fc.property(manifest, fc.nat(), (parts, cut) => {
        const text = render(parts);
        diagnose(text, { clusters: CLUSTERS });
        diagnose(text.slice(0, cut % text.length), { clusters: CLUSTERS });
      }),
      { numRuns: 60 },
    );
  });

  it.each(CLUSTERS.map((cluster) => [cluster.name, cluster] as const))(
    "has only fixes that keep their promises (%s)",
    (_, cluster) => {
      const check = createFixCheck(cluster);
      fc.assert(
        fc.property(manifest, (parts) => {
          const text = render(parts);
          const broken = check(text, "manifest.yaml").broken.map(({ code, title, why }) => `${code} [${title}] ${why}`);
          expect(broken, text).toEqual([]);
        }),
        { numRuns: Number(process.env.RUNS ?? 60) },
      );
    },
  );
});
