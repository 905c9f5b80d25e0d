// Scheduling layer: the tolerations a pod meets the scheduler with, each with where it came from.
import type { PodSpec } from "../kube/pod-spec.ts";
import type { Toleration } from "../kube/toleration.ts";

/** A toleration in force. `index` is its place in the template's list, null when a controller or admission adds it. */
export interface EffectiveToleration {
  readonly toleration: Toleration;
  readonly index: number | null;
}

function endless(key: string, effect: "NoSchedule" | "NoExecute"): Toleration {
  return { key, operator: "Exists", value: "", effect, tolerationSeconds: null };
}

/**
 * What the DaemonSet controller adds to each of its pods. `not-ready:NoSchedule` and `unreachable:NoSchedule` are not
 * among them. Source: k8s.io/kubernetes/pkg/controller/daemon/util AddOrUpdateDaemonPodTolerations.
 */
const IMPLIED_TOLERATIONS: readonly Toleration[] = [
  endless("node.kubernetes.io/not-ready", "NoExecute"),
  endless("node.kubernetes.io/unreachable", "NoExecute"),
  endless("node.kubernetes.io/disk-pressure", "NoSchedule"),
  endless("node.kubernetes.io/memory-pressure", "NoSchedule"),
  endless("node.kubernetes.io/pid-pressure", "NoSchedule"),
  endless("node.kubernetes.io/unschedulable", "NoSchedule"),
];

/** Added as well, where the pods use the host's network. */
const IMPLIED_WITH_HOST_NETWORK: Toleration = endless("node.kubernetes.io/network-unavailable", "NoSchedule");

/** The implied tolerations of a DaemonSet with this template. */
export function impliedTolerations(spec: Pick<PodSpec, "hostNetwork">): readonly Toleration[] {
  return spec.hostNetwork ? [...IMPLIED_TOLERATIONS, IMPLIED_WITH_HOST_NETWORK] : IMPLIED_TOLERATIONS;
}

/**
 * Whether two tolerations are one to the API: equal key, operator, value and effect, whatever the seconds. An empty
 * operator and `Equal` are not the same text. Source: k8s.io/api/core/v1 Toleration.MatchToleration.
 */
export function sameToleration(a: Toleration, b: Toleration): boolean {
  return a.key === b.key && a.operator === b.operator && a.value === b.value && a.effect === b.effect;
}

/** The template's own list, as it stands. */
export function templateTolerations(spec: Pick<PodSpec, "tolerations">): readonly EffectiveToleration[] {
  return spec.tolerations.map((toleration, index) => ({ toleration, index }));
}

/**
 * The list a DaemonSet's pods carry: the template's, where an implied toleration takes the place (and drops the
 * tolerationSeconds) of every entry that is the same, and the other implied ones behind it.
 * Source: k8s.io/kubernetes/pkg/apis/core/v1/helper AddOrUpdateTolerationInPodSpec.
 */
export function daemonSetTolerations(
  spec: Pick<PodSpec, "tolerations" | "hostNetwork">,
): readonly EffectiveToleration[] {
  const implied = impliedTolerations(spec);
  const list = templateTolerations(spec).map(({ toleration, index }) => ({
    toleration: implied.find((entry) => sameToleration(entry, toleration)) ?? toleration,
    index,
  }));
  const added = implied.filter((entry) => !spec.tolerations.some((toleration) => sameToleration(entry, toleration)));
  return [...list, ...added.map((toleration) => ({ toleration, index: null }))];
}
