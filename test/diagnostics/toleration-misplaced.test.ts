// `toleration-misplaced`: scheduling fields where Kubernetes has none.
import { describe, expect, it } from "vitest";
import { check, fixed, fixesAt } from "../support/annotated.ts";

describe("toleration-misplaced", () => {
  it("finds them at every level of a workload, and only there", () => {
    check(`
      apiVersion: apps/v1
      kind: StatefulSet
      tolerations: []
      # ^^^^^^^^^ error toleration-misplaced
      metadata:
        name: media
        annotations: {tolerations: "in the pod", nodeSelector: "none"}
      spec:
        nodeName: a
      # ^^^^^^^^ error toleration-misplaced
        selector: {matchLabels: {app: a}}
        template:
          nodeSelector: {pool: a}
        # ^^^^^^^^^^^^ error toleration-misplaced
          metadata: {labels: {app: a, tolerations: none}}
          spec:
            affinity:
              nodeAffinity: {}
              tolerations: []
            # ^^^^^^^^^^^ error toleration-misplaced: no field spec.template.spec.affinity.tolerations
            containers:
            - name: c
              image: i
              tolerations: []
            # ^^^^^^^^^^^ error toleration-misplaced: It belongs to spec.template.spec.tolerations
              resources: {limits: {cpu: 1}}
    `);
  });

  it("knows the deeper pod spec of a CronJob", () => {
    check(`
      apiVersion: batch/v1
      kind: CronJob
      metadata: {name: c}
      spec:
        schedule: "* * * * *"
        jobTemplate:
          spec:
            tolerations: []
          # ^^^^^^^^^^^ error toleration-misplaced: It belongs to spec.jobTemplate.spec.template.spec.tolerations
            template:
              spec:
                tolerations: []
                containers: [{name: c, image: i}]
    `);
  });

  it("moves the block with its comments", () => {
    const after = fixed(
      `
      apiVersion: apps/v1
      kind: StatefulSet
      metadata: {name: media}
      spec:
        selector: {matchLabels: {app: a}}
        # for the media pool
        tolerations:
        - key: media # its name
          operator: Exists
        template:
          metadata: {labels: {app: a}}
          spec:
            nodeSelector: {pool: media}
            containers:
            - {name: c, image: i}
      `,
      "toleration-misplaced",
      "Move it to spec.template.spec.tolerations",
    );
    expect(after).toMatchInlineSnapshot(`
      "apiVersion: apps/v1
      kind: StatefulSet
      metadata: {name: media}
      spec:
        selector: {matchLabels: {app: a}}
        # for the media pool
        template:
          metadata: {labels: {app: a}}
          spec:
            nodeSelector: {pool: media}
            tolerations:
            - key: media # its name
              operator: Exists
            containers:
            - {name: c, image: i}
      "
    `);
  });

  it("does not move over a field that is there already", () => {
    const { fixes } = fixesAt(
      `
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: media}
      spec:
        selector: {matchLabels: {app: a}}
        tolerations: [{key: a, operator: Exists}]
        template:
          metadata: {labels: {app: a}}
          spec:
            tolerations: [{key: b, operator: Exists}]
            containers: [{name: c, image: i}]
      `,
      "toleration-misplaced",
    );
    expect(fixes).toEqual([]);
  });
});
