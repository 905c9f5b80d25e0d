// Reported cases: what is said of each manifest, held against the cluster in the same fixture. The whole list is
// compared, so everything that is not in it is asserted absent; `words` are parts of the messages that must be there,
// `never` what no message may say (the mistakes that people and tools made).
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Fix } from "../../server/src/features/diagnostic.ts";
import { clusterOf, configOf, diagnose, summary } from "../support/judge.ts";

interface Case {
  readonly says: readonly string[];
  readonly words?: readonly string[];
  readonly never?: RegExp;
  readonly fixes?: readonly string[];
}

const CASES: Readonly<Record<string, Case>> = {
  // The plugin is at fault, not the pods that cannot mount.
  C01: {
    says: [
      "warning toleration-gap DaemonSet/csi-node @ n1 [dedicated=db:NoSchedule]",
      "hint toleration-attracts-nothing Deployment/db @ n1 [dedicated=db:NoSchedule]",
    ],
    fixes: ["Add the toleration dedicated=db:NoSchedule"],
  },
  // Deliberate or not is unknown: information for an application; the counters in its status prove nothing.
  C03: {
    says: ["information toleration-gap DaemonSet/app-agent @ green [blue-green=inactive:NoSchedule]"],
    never: /misscheduled/i,
  },
  // PreferNoSchedule is soft.
  C04: {
    says: ["information toleration-gap DaemonSet/satellite @ mixed [upgrade.example/drain:NoSchedule]"],
    never: /outdated/,
  },
  // No operator means Equal with an empty value: valid, and another value than "true".
  C05: {
    says: ["information toleration-gap DaemonSet/vip @ k3s-cp [node-role.kubernetes.io/master=true:NoSchedule]"],
    words: ["its value is empty, the taint's is true"],
    fixes: ["Change the toleration of node-role.kubernetes.io/master to operator Exists, for any value"],
  },
  // Every taint must be tolerated; the covered one is not listed.
  C07: {
    says: ["warning toleration-gap DaemonSet/device-plugin @ arm-gpu [kubernetes.io/arch=arm64:NoSchedule]"],
    words: ["only with an image for that architecture"],
    never: /nvidia/,
  },
  // "Exists without key" is bound to its effect.
  C08: { says: ["warning toleration-gap DaemonSet/cni @ w2 [app=test:NoExecute]"], never: /not-ready/ },
  // not-ready:NoSchedule is not implied.
  C09: {
    says: ["error toleration-gap DaemonSet/router @ fresh [node.kubernetes.io/not-ready:NoSchedule]"],
    words: ["waits for itself"],
    fixes: ["Add the toleration node.kubernetes.io/not-ready:NoSchedule"],
    never: /pressured/,
  },
  C11: {
    says: [
      "warning unschedulable Pod/p @ cp [node-role.kubernetes.io/master:NoSchedule]",
      "hint toleration-unmatched Pod/p",
    ],
    words: ["leave out the key"],
  },
  // Replacing the key would let the pods onto the nodes they were to be kept from.
  C12: {
    says: [
      "information toleration-unmatched Deployment/app [node-role.kubernetes.io/control-plane:NoSchedule]",
      "information toleration-unmatched Deployment/app [node-role.kubernetes.io/control-plane:NoSchedule]",
    ],
    words: ["A toleration does not keep pods away"],
    fixes: [],
  },
  // Three spellings of one role, each exact.
  C13: {
    says: [
      "information toleration-gap DaemonSet/logs @ kubeadm-124, kubeadm-125, rke-cp, rke-etcd [node-role.kubernetes.io/control-plane:NoSchedule, node-role.kubernetes.io/controlplane=true:NoSchedule, node-role.kubernetes.io/etcd=true:NoExecute]",
    ],
    never: /node-role\.kubernetes\.io\/master:NoSchedule(?! Exists)/,
  },
  C14: {
    says: ["error toleration-invalid StatefulSet/pool-0"],
    words: ["effect must be 'NoExecute' when `tolerationSeconds` is set", "refuse each of its pods"],
  },
  C15: {
    says: ["error toleration-invalid DaemonSet/win-agent"],
    words: ["value must be empty when `operator` is 'Exists'"],
  },
  // The bare match rule would call it fine, or a blanket toleration.
  C16: {
    says: ["error toleration-invalid Deployment/cluster-agent"],
    words: ["operator must be Exists when `key` is empty"],
  },
  C17: {
    says: [
      "error toleration-value-type Deployment/bool-value",
      "warning unschedulable Deployment/quoted-quotes @ s1 [CriticalAddonsOnly=true:NoExecute]",
      "error toleration-invalid Deployment/quoted-quotes",
    ],
    words: ["Kubernetes reads true as a boolean", "a valid label must be an empty string"],
  },
  C18: {
    says: ["warning unschedulable Pod/build @ n1 [workload=build:NoSchedule]", "error toleration-invalid Pod/build"],
    words: ['Unsupported value: "NO_SCHEDULE"'],
    fixes: ["Change the effect to NoSchedule"],
  },
  // The misplaced block does not count.
  C20: {
    says: [
      "warning unschedulable StatefulSet/media @ n1 [media:NoSchedule]",
      "error toleration-misplaced StatefulSet/media",
    ],
    words: ["belongs to spec.template.spec.tolerations"],
    fixes: ["Move it to spec.template.spec.tolerations"],
  },
  C21: {
    says: [
      "warning unschedulable Deployment/reloader @ infra1 [pool=infra:NoSchedule]",
      "error toleration-misplaced Deployment/reloader",
    ],
    words: ["no field spec.template.spec.affinity.tolerations"],
    fixes: ["Move it to spec.template.spec.tolerations"],
  },
  C22: {
    says: ["error toleration-invalid DaemonSet/dump"],
    words: ["tolerations must be a list"],
    fixes: ["Make it a list with this one toleration"],
  },
  // The last list counts, not both.
  C23: {
    says: [
      "information toleration-gap DaemonSet/speaker @ cp [node-role.kubernetes.io/master:NoSchedule]",
      "error yaml-problem (document)",
    ],
    words: ["stands twice"],
    never: /edge1/,
  },
  C24: {
    says: ["information toleration-eviction DaemonSet/lb"],
    words: ["the 30 s have no effect"],
    never: /evicted after/,
  },
  C25: {
    says: ["warning toleration-eviction Deployment/web @ n1 [foo:NoExecute]"],
    words: ["evicted after 30 s, and placed there again"],
    never: /n2/,
  },
  // Both hard effects are tolerated: Pending pods have another cause.
  C27: {
    says: [
      "information toleration-blanket DaemonSet/kubelet-scraper",
      "information toleration-blanket DaemonSet/kubelet-scraper",
    ],
  },
  // One toleration does not count for the other DaemonSet.
  C28: {
    says: ["warning toleration-gap DaemonSet/driver @ spot1 [kubernetes.azure.com/scalesetpriority=spot:NoSchedule]"],
    never: /provider/,
  },
  C30: {
    says: ["information toleration-gap DaemonSet/agent @ cp [node-role.kubernetes.io/control-plane:NoSchedule]"],
  },
  C31: { says: ["warning toleration-gap DaemonSet/no-list @ n1 [role:NoSchedule]"] },
  // Aliases and merge keys are followed; overriding a merged key is no duplicate.
  C32: { says: [] },
  // Text in a ConfigMap is no workload.
  C33: {
    says: ["warning toleration-gap DaemonSet/csi-plugin @ infra [node-role.kubernetes.io/infra=reserved:NoSchedule]"],
  },
  C34: {
    says: ["warning toleration-gap DaemonSet/node-exporter @ dedicated [dedicated=x:NoSchedule]"],
    words: ["managed by monitoring-operator: change the owner's configuration"],
    fixes: [],
  },
  C35: { says: ["hint toleration-duplicate DaemonSet/dup"], words: ["CriticalAddonsOnly Exists is listed twice"] },
  // The annotation helps the Deployment's pods, where the plugin is on, and never the DaemonSet.
  C36: {
    says: [
      "warning toleration-gap DaemonSet/keepalive @ dmz1 [zone=dmz:NoSchedule]",
      "information unschedulable Deployment/web @ dmz1 [zone=dmz:NoSchedule]",
    ],
    words: ["default tolerations come too late", "PodTolerationRestriction may add what is missing"],
  },
  C37: {
    says: [
      "information unschedulable Deployment/train @ g1 [nvidia.com/gpu=present:NoSchedule]",
      "warning toleration-gap DaemonSet/gpu-probe @ g1 [nvidia.com/gpu=present:NoSchedule]",
    ],
    words: ["ExtendedResourceToleration may add", "ExtendedResourceToleration comes too late"],
  },
  C38: {
    says: ["warning admission-selector DaemonSet/apiserver @ infra1"],
    words: ["region=primary", "set the namespace's annotation to an empty text"],
    never: /taint|toleration/,
  },
  // A startup taint keeps others away on purpose.
  C41: { says: [] },
  // The autoscaler's own taints.
  C43: { says: [] },
  C44: {
    says: [
      "warning virtual-node-reached DaemonSet/cw-agent @ fargate-1",
      "information toleration-blanket DaemonSet/cw-agent",
      "information toleration-blanket DaemonSet/storage-node",
    ],
    fixes: ["Leave virtual nodes out: require eks.amazonaws.com/compute-type NotIn fargate"],
  },
  C45: {
    says: [
      "warning os-selector-missing DaemonSet/ebpf-agent @ win1",
      "information toleration-blanket DaemonSet/ebpf-agent",
    ],
    fixes: ["Select linux nodes: add kubernetes.io/os to the nodeSelector"],
  },
  C46: {
    says: [
      "information toleration-blanket Deployment/op",
      "warning toleration-defeats-drain Deployment/op",
      "information toleration-blanket Deployment/op-wide",
      "warning toleration-defeats-drain Deployment/op-wide",
    ],
  },
  // A selector compares exactly; the taint is tolerated.
  C47: {
    says: ["information selector-unmatched DaemonSet/vip @ kubeadm-cp"],
    words: ["with an empty value", "operator Exists"],
    never: /taint|tolerat/,
    fixes: ["Require only that node-role.kubernetes.io/master is there (node affinity, operator Exists)"],
  },
  // No toleration is missing; the node's lack is for triage to explain.
  C48: { says: ["hint toleration-blanket DaemonSet/efa-plugin"] },
  C49: { says: ["hint toleration-blanket DaemonSet/rdma-plugin"] },
  // Never registered, in other words than a count of 0.
  C50: {
    says: ["information unschedulable Pod/job @ r1", "information extended-resource-unavailable Pod/job @ r1"],
    words: ["never registered", "Check the spelling"],
    never: / is 0 on/,
  },
  C51: { says: [] },
  C52: {
    says: ["information unschedulable Pod/whole @ h100", "information extended-resource-unavailable Pod/whole @ h100"],
    words: ["Nodes offer nvidia.com/mig-1g.12gb, nvidia.com/mig-2g.24gb, nvidia.com/mig-3g.47gb"],
    never: /unhealthy/,
  },
  C54: { says: [] },
  C56: { says: [] },
  C57: { says: [] },
};

describe("reported case", () => {
  it.each(Object.entries(CASES))("%s", (name, expected) => {
    const text = readFileSync(`test/cases/${name}.yaml`, "utf8");
    const diagnostics = diagnose(text, { clusters: [clusterOf(text)] });
    expect(diagnostics.map(summary)).toEqual(expected.says);
    const messages = diagnostics.map((diagnostic) => diagnostic.message).join("\n");
    for (const words of expected.words ?? []) expect(messages).toContain(words);
    if (expected.never !== undefined) expect(messages).not.toMatch(expected.never);
    const titles = diagnostics.flatMap((diagnostic) => diagnostic.fixes.map((fix: Fix) => fix.title));
    if (expected.fixes?.length === 0) expect(titles).toEqual([]);
    for (const title of expected.fixes ?? []) expect(titles).toContain(title);
  });

  it("no fix tolerates everything", () => {
    for (const name of Object.keys(CASES)) {
      const text = readFileSync(`test/cases/${name}.yaml`, "utf8");
      for (const { fixes } of diagnose(text, { clusters: [clusterOf(text)] })) {
        const added = fixes.flatMap((fix) => fix.edits.map((edit) => edit.newText));
        expect(
          added.filter((newText) => /operator: Exists/.test(newText) && !/key:|^operator: Exists, $/.test(newText)),
        ).toEqual([]);
      }
    }
  });

  it("C03, C13 and C30 as a role that belongs on such nodes", () => {
    const config = configOf("roles: [{workload: '*', role: network plugin}]");
    for (const name of ["C13", "C30"]) {
      const text = readFileSync(`test/cases/${name}.yaml`, "utf8");
      const severities = diagnose(text, { clusters: [clusterOf(text)], config }).map(({ severity }) => severity);
      expect(severities, name).toEqual(["warning"]);
    }
  });

  it("C32: an alias to another document's anchor spoils that document only", () => {
    const text = readFileSync("test/cases/C32-two.yaml", "utf8");
    const [problem, ...others] = diagnose(text);
    expect(others).toEqual([]);
    expect(problem?.code).toBe("yaml-problem");
    expect(problem?.message).toContain("tol");
    expect(text.slice(problem?.span.start, problem?.span.end)).toBe("*tol");
  });

  it.each(["C30-patch.yaml", "C31-patch.yaml", "C27-values.yaml", "C28-values.yaml"])("%s gets no verdict", (name) => {
    const cluster = clusterOf(readFileSync("test/cases/C30.yaml", "utf8"));
    expect(diagnose(readFileSync(`test/cases/${name}`, "utf8"), { clusters: [cluster], path: name })).toEqual([]);
  });
});
