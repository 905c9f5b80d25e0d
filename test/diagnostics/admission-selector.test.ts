// `admission-selector`: a namespace's default node selector against a DaemonSet.
import { describe, expect, it } from "vitest";
import { check, workload } from "../support/annotated.ts";
import { clusterOf, diagnose } from "../support/judge.ts";

const cluster = (annotation: string) =>
  clusterOf(`
apiVersion: v1
kind: List
items:
- {apiVersion: v1, kind: Node, metadata: {name: a, labels: {region: primary}}}
- {apiVersion: v1, kind: Node, metadata: {name: b, labels: {region: infra}}}
- {apiVersion: v1, kind: Namespace, metadata: {name: shop, annotations: {${annotation}}}}
`);
const OPENSHIFT = "openshift.io/node-selector: region=primary";
const inShop = (text: string) => text.replace("metadata: {name: app}", "metadata: {name: app, namespace: shop}");

describe("admission-selector", () => {
  it.each([OPENSHIFT, "scheduler.alpha.kubernetes.io/node-selector: region=primary"])("warns with %s", (annotation) => {
    check(
      `
      apiVersion: apps/v1
      kind: DaemonSet
      metadata:
        name: agent
        #     ^^^^^ warning admission-selector: Namespace/shop adds the node selector region=primary to its pods
        namespace: shop
      spec:
        selector: {matchLabels: {app: a}}
        template:
          metadata: {labels: {app: a}}
          spec: {containers: [{name: c, image: i}]}
      `,
      { clusters: [cluster(annotation)] },
    );
  });

  it("says so when template and namespace exclude each other", () => {
    const [found] = diagnose(inShop(workload("DaemonSet", "nodeSelector: {region: infra}")), {
      clusters: [cluster(OPENSHIFT)],
    });
    expect(found?.message).toContain("contradicts region=infra of the template: every pod is refused");
  });

  it("is silent with an empty annotation, an agreeing template, another namespace, other kinds", () => {
    const codes = (text: string, annotation = OPENSHIFT) => diagnose(text, { clusters: [cluster(annotation)] });
    expect(codes(inShop(workload("DaemonSet", "hostPID: false")), 'openshift.io/node-selector: ""')).toEqual([]);
    expect(codes(inShop(workload("DaemonSet", "nodeSelector: {region: primary}")))).toEqual([]);
    expect(codes(workload("DaemonSet", "hostPID: false"))).toEqual([]);
    expect(codes(inShop(workload("Deployment", "hostPID: false")))).toEqual([]);
  });
});
