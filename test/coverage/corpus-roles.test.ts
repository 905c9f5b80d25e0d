// Roles of real platform DaemonSets, each looked at by hand. Skipped where there is no corpus.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { findRole } from "../../server/src/coverage/find-role.ts";
import { isObject, objectOf, textOf } from "../../server/src/kube/decode/reading.ts";
import { decodeWorkload } from "../../server/src/kube/decode/workload.ts";
import { workloadKind } from "../../server/src/kube/kinds.ts";
import { corpusFolder } from "../corpus/files.ts";

const folder = corpusFolder();

/** File, DaemonSet, role. */
const KNOWN: readonly (readonly [file: string, name: string, role: string])[] = [
  ["Mellanox+k8s-rdma-shared-dev-plugin/deployment/k8s/base/daemonset.yaml", "rdma-shared-dp-ds", "device plugin"],
  ["ROCm+k8s-device-plugin/k8s-ds-amdgpu-dp.yaml", "amdgpu-device-plugin-daemonset", "device plugin"],
  ["ROCm+k8s-device-plugin/k8s-ds-amdgpu-labeller.yaml", "amdgpu-labeller-daemonset", "node agent"],
  [
    "NVIDIA+gpu-operator/assets/state-device-plugin/0500_daemonset.yaml",
    "nvidia-device-plugin-daemonset",
    "device plugin",
  ],
  ["NVIDIA+gpu-operator/assets/state-dcgm-exporter/0800_daemonset.yaml", "nvidia-dcgm-exporter", "exporter"],
  ["NVIDIA+gpu-operator/assets/state-driver/0500_daemonset.yaml", "nvidia-driver-daemonset", "node agent"],
  ["NVIDIA+gpu-operator/assets/gpu-feature-discovery/0500_daemonset.yaml", "gpu-feature-discovery", "node agent"],
  ["aws+amazon-vpc-cni-k8s/config/master/aws-k8s-cni.yaml", "aws-node", "network plugin"],
  ["projectcalico+calico/manifests/canal.yaml", "canal", "network plugin"],
  ["projectcalico+calico/manifests/csi-driver.yaml", "csi-node-driver", "CSI node driver"],
  ["flannel-io+flannel/Documentation/kube-flannel.yml", "kube-flannel-ds", "network plugin"],
  ["k8snetworkplumbingwg+multus-cni/deployments/multus-daemonset-crio.yml", "kube-multus-ds", "network plugin"],
  ["kubernetes-csi+csi-driver-nfs/deploy/csi-nfs-node.yaml", "csi-nfs-node", "CSI node driver"],
  ["kubernetes-sigs+aws-ebs-csi-driver/deploy/kubernetes/base/node.yaml", "ebs-csi-node", "CSI node driver"],
  ["kubernetes-sigs+azuredisk-csi-driver/deploy/csi-azuredisk-node.yaml", "csi-azuredisk-node", "CSI node driver"],
  ["prometheus-operator+kube-prometheus/manifests/nodeExporter-daemonset.yaml", "node-exporter", "exporter"],
  ["Azure+AKS/examples/kube-prometheus/node-exporter-daemonset.yaml", "node-exporter", "exporter"],
  ["longhorn+longhorn/deploy/longhorn.yaml", "longhorn-manager", "node agent"],
  ["metallb+metallb/config/manifests/metallb-frr.yaml", "speaker", "node agent"],
  ["kubernetes+examples/_archived/sysdig-cloud/sysdig-daemonset.yaml", "sysdig-agent", "node agent"],
  [
    "kubernetes-csi+csi-driver-nfs/deploy/example/daemonset-nfs-ephemeral.yaml",
    "daemonset-nfs-ephemeral",
    "application",
  ],
];

describe.skipIf(folder === null)("platform DaemonSets of the corpus", () => {
  const present = KNOWN.filter(([file]) => existsSync(join(folder ?? "", file)));
  test.each(present)("%s: %s is a %s", (file, name, role) => {
    const text = readFileSync(join(folder ?? "", file), "utf8");
    const roles = parseAllDocuments(text, { logLevel: "silent" }).flatMap((document) => {
      const object: unknown = document.toJS();
      const kind = isObject(object) ? workloadKind(textOf(object.apiVersion), textOf(object.kind)) : null;
      if (!isObject(object) || kind?.kind !== "DaemonSet" || objectOf(object.metadata).name !== name) return [];
      return [findRole(decodeWorkload(object, kind)).role];
    });
    expect(roles).toEqual([role]);
  });
});
