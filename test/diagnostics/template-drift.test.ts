// `template-drift`: the live DaemonSet places its pods by other rules than the file.
import { describe, it } from "vitest";
import { check } from "../support/annotated.ts";
import { clusterOf } from "../support/judge.ts";

const live = (spec: string, origin: "live" | "cache" | "file" = "live") => ({
  ...clusterOf(`
apiVersion: v1
kind: List
items:
- {apiVersion: v1, kind: Node, metadata: {name: n}}
- apiVersion: apps/v1
  kind: DaemonSet
  metadata: {name: agent, namespace: kube-system, uid: ds-1}
  spec: {selector: {matchLabels: {app: a}}, template: {metadata: {labels: {app: a}}, spec: {${spec} containers: [{name: c, image: i}]}}}
`),
  origin,
});

const manifest = (spec: string, annotation = "") => `
apiVersion: apps/v1
kind: DaemonSet
metadata:
  name: agent
${annotation === "" ? "" : `  #     ^^^^^ ${annotation}\n`}  namespace: kube-system
spec:
  selector: {matchLabels: {app: a}}
  template:
    metadata: {labels: {app: a}}
    spec: {${spec} containers: [{name: c, image: i}]}
`;

// Keys that need no taint in the cluster to be meant.
const CONTROL = "{key: node-role.kubernetes.io/control-plane, operator: Exists, effect: NoSchedule}";
const ADDONS = "{key: CriticalAddonsOnly, operator: Exists}";

describe("template-drift", () => {
  it("names the tolerations on either side, and the selector", () => {
    check(
      manifest(
        `tolerations: [${ADDONS}],`,
        "information template-drift: The live DaemonSet/kube-system/agent differs from this file: it lacks CriticalAddonsOnly Exists; it also has node-role.kubernetes.io/control-plane:NoSchedule Exists; its nodeSelector is pool=a, here it is empty.",
      ),
      { clusters: [live(`tolerations: [${CONTROL}], nodeSelector: {pool: a},`)] },
    );
  });

  it("does not mind the order", () => {
    check(manifest(`tolerations: [${ADDONS}, ${CONTROL}],`), {
      clusters: [live(`tolerations: [${CONTROL}, ${ADDONS}],`)],
    });
  });

  it("tells a required affinity that was changed in the cluster", () => {
    const affinity =
      "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [{key: kubernetes.io/arch, operator: NotIn, values: [arm]}]}]}}},";
    check(manifest("", "information template-drift: its required node affinity is another one"), {
      clusters: [live(affinity, "cache")],
    });
  });

  it("is silent against a dump, which is meant to be older than the edit", () => {
    check(manifest(`tolerations: [${ADDONS}],`), { clusters: [live("", "file")] });
  });
});
