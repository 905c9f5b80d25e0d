// Triage layer, facts: versions of API servers and kubelets.
import type { ClusterFacts } from "./cluster.ts";

export interface Version {
  readonly major: number;
  readonly minor: number;
  /** As it was written. */
  readonly text: string;
}

/** Reads `v1.37.2`, `1.33.4-eks-1234`, `37+`; null for anything else. */
export function parseVersion(text: string): Version | null {
  const match = /^v?(\d+)\.(\d+)/.exec(text);
  return match === null ? null : { major: Number(match[1]), minor: Number(match[2]), text };
}

/**
 * The API servers' versions: as the model says, and by the images of their static pods, which tell a half-done upgrade.
 * Where neither is known, the kubelets of the control plane stand in: they are upgraded right after their API server, and
 * before any worker. Empty when there are none. Asked through the index.
 */
export function findServerVersions(facts: ClusterFacts): readonly Version[] {
  const texts = [facts.cluster.serverVersion];
  for (const pod of facts.cluster.pods) {
    for (const container of pod.spec.containers) {
      const tag = /\/kube-apiserver(?:-amd64|-arm64)?:(v?\d+\.\d+[^@]*)/.exec(container.image)?.[1];
      if (tag !== undefined) texts.push(tag);
    }
  }
  const known = texts.flatMap((text) => parseVersion(text) ?? []);
  return (known.length > 0 ? known : controlPlaneKubelets(facts)).sort(
    (a, b) => a.major - b.major || a.minor - b.minor,
  );
}

function controlPlaneKubelets(facts: ClusterFacts): Version[] {
  return [...facts.nodes.values()]
    .filter(({ node }) => "node-role.kubernetes.io/control-plane" in node.labels)
    .flatMap(({ node }) => parseVersion(node.info?.kubeletVersion ?? "") ?? []);
}
