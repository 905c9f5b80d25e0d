// Errors that corpus files truly have: `path:line code`. The lines are those of the text, 1-based.
const RDMA = "GoogleCloudPlatform+container-engine-accelerators/gpudirect-rdma";

/** `resources` or `selector` twice in one mapping, and a placeholder in braces that YAML reads as a mapping. */
export const KNOWN_ERRORS: ReadonlySet<string> = new Set([
  `${RDMA}/nccl-test-a4-autopilot.yaml:86 yaml-problem`,
  `${RDMA}/nccl-test-a4-autopilot.yaml:149 yaml-problem`,
  `${RDMA}/nccl-test-a4.yaml:69 yaml-problem`,
  `${RDMA}/nccl-test-a4.yaml:129 yaml-problem`,
  `${RDMA}/nccl-test-a4x-max.yaml:94 yaml-problem`,
  `${RDMA}/nccl-test-a4x-max.yaml:162 yaml-problem`,
  `${RDMA}/nccl-test-autopilot.yaml:86 yaml-problem`,
  `${RDMA}/nccl-test-autopilot.yaml:149 yaml-problem`,
  `${RDMA}/nccl-test-imex-a4x-max.yaml:73 yaml-problem`,
  `${RDMA}/nccl-test-imex-a4x-max.yaml:131 yaml-problem`,
  `${RDMA}/nccl-test-imex-a4x.yaml:86 yaml-problem`,
  `${RDMA}/nccl-test-imex-a4x.yaml:158 yaml-problem`,
  `${RDMA}/nccl-test-managed-rdma.yaml:84 yaml-problem`,
  `${RDMA}/nccl-test-managed-rdma.yaml:133 yaml-problem`,
  `${RDMA}/nccl-test.yaml:81 yaml-problem`,
  `${RDMA}/nccl-test.yaml:139 yaml-problem`,
  "kserve+kserve/docs/samples/v1beta1/torchserve/model-archiver/model-archiver.yaml:19 yaml-problem",
  "kubernetes+examples/_archived/openshift-origin/etcd-controller.yaml:12 yaml-problem",
  "kubernetes+examples/_archived/openshift-origin/etcd-discovery-controller.yaml:12 yaml-problem",
  "kubernetes+examples/_archived/openshift-origin/openshift-controller.yaml:12 yaml-problem",
]);
