// Triage rule node-version-skew: kubelet and API servers outside the supported skew.
import type { ClusterFacts } from "../facts/cluster.ts";
import type { NodeFacts } from "../facts/node.ts";
import { parseVersion, type Version } from "../facts/versions.ts";
import { type Symptom, symptom } from "../symptom.ts";

/** A kubelet may be three minors older (two before 1.25 of the kubelet), and never newer than any API server. */
const OLDER = 3;
const OLDER_BEFORE_125 = 2;

/**
 * One warning when the kubelet is newer than the oldest API server, or too much older than the newest. Silent when the
 * API servers' version is not known. Source: Kubernetes' version skew
 * policy.
 */
export function nodeVersionSkew(facts: ClusterFacts, node: NodeFacts): readonly Symptom[] {
  const kubelet = parseVersion(node.node.info?.kubeletVersion ?? "");
  const servers = facts.index.versions();
  const [oldest, newest] = [servers[0], servers.at(-1)];
  if (kubelet === null || oldest === undefined || newest === undefined) return [];
  const allowed = kubelet.minor < 25 ? OLDER_BEFORE_125 : OLDER;
  if (!oldest.floor && isNewer(kubelet, oldest))
    return [report(node, kubelet, oldest, "newer than the API server", "Upgrade the API servers first.")];
  if (newest.major !== kubelet.major || newest.minor - kubelet.minor > allowed) {
    return [
      report(
        node,
        kubelet,
        newest,
        `more than ${allowed} minor versions older than the API server`,
        "Upgrade the node, or replace it with one of the current image.",
      ),
    ];
  }
  return [];
}

function isNewer(kubelet: Version, server: Version): boolean {
  return kubelet.major > server.major || (kubelet.major === server.major && kubelet.minor > server.minor);
}

function report(node: NodeFacts, kubelet: Version, server: Version, how: string, advice: string): Symptom {
  return symptom({
    code: "node-version-skew",
    node: node.name,
    severity: "warning",
    message: `The kubelet of ${node.name} (${kubelet.text}) is ${how} (${server.text}).`,
    consequence: "This is not supported: fields and APIs that one side needs may be missing on the other.",
    summary: `kubelet ${kubelet.text}, API server ${server.text}`,
    advice,
    evidence: [
      {
        text: `status.nodeInfo.kubeletVersion is ${kubelet.text}, the API server's version ${server.text}`,
        at: null,
        object: { kind: "Node", namespace: null, name: node.name },
      },
    ],
  });
}
