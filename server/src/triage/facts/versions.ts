// Triage layer, facts: versions of API servers and kubelets.
import type { ClusterFacts } from "./cluster.ts";

export interface Version {
  readonly major: number;
  readonly minor: number;
  /** As it was written. */
  readonly text: string;
  /** Only the least it can be. */
  readonly floor: boolean;
}

/** Reads `v1.37.2`, `1.33.4-eks-1234`, `37+`; null for anything else. */
export function parseVersion(text: string): Version | null {
  const match = /^v?(\d+)\.(\d+)/.exec(text);
  return match === null ? null : { major: Number(match[1]), minor: Number(match[2]), text, floor: false };
}

/**
 * The API servers' versions: as the model says, and by the images of their static pods, which tell a half-done upgrade.
 * Where neither is known, the kubelets of the control plane stand in: they are upgraded right after their API server, and
 * before any worker. Where the provider keeps the control plane to itself, the newest minor that two kubelets share is
 * the least the API server can have. Empty when there is none. Asked through the index.
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
  const [versions = []] = [known, controlPlaneKubelets(facts), leastServer(facts)].filter((found) => found.length > 0);
  return versions.sort(byAge);
}

function byAge(a: Version, b: Version): number {
  return a.major - b.major || a.minor - b.minor;
}

/** A kubelet must not be newer than its API server; a single one may be the odd one out. */
function leastServer(facts: ClusterFacts): Version[] {
  const kubelets = [...facts.nodes.values()]
    .flatMap(({ node }) => parseVersion(node.info?.kubeletVersion ?? "") ?? [])
    .sort(byAge)
    .reverse();
  const found = kubelets.find((version, at) => kubelets.slice(at + 1).some((other) => byAge(version, other) === 0));
  return found === undefined
    ? []
    : [{ ...found, floor: true, text: `${found.text} or newer, as kubelets of that version show` }];
}

function controlPlaneKubelets(facts: ClusterFacts): Version[] {
  return [...facts.nodes.values()]
    .filter(({ node }) => "node-role.kubernetes.io/control-plane" in node.labels)
    .flatMap(({ node }) => parseVersion(node.info?.kubeletVersion ?? "") ?? []);
}
