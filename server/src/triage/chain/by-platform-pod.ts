// Triage layer, chain: what a platform pod that does not work brings about, told by roles, names and words.
import { tellingWords } from "../facts/words.ts";
import { networkWriter } from "../read/condition.ts";
import type { Symptom } from "../symptom.ts";
import { textOf } from "./about.ts";

const API_UNREACHABLE =
  /dial tcp|i\/o timeout|connection refused|no route to host|connection reset|context deadline exceeded|TLS handshake|unable to connect|unreachable|failed to (connect|list|get|watch)/i;
const NO_NAMES = /no such host|lookup .*(timeout|timed out|refused|misbehaving)|server misbehaving|name resolution/i;

/** One platform pod that brings another down: the service proxy, the labeller, the driver's installer, the network. */
export function explainsPlatform(cause: Symptom, effect: Symptom): boolean {
  if (cause.about.daemonSet === effect.about.daemonSet) return false;
  if (effect.about.waitsFor.includes(cause.about.daemonSet)) return true;
  if (effect.code !== "platform-pod-not-ready") return false;
  const said = textOf(effect);
  if (cause.about.role === "kube-proxy") return API_UNREACHABLE.test(said) && effect.about.role !== "kube-proxy";
  if (isNameServer(cause)) return NO_NAMES.test(said);
  if (cause.about.role === "network plugin")
    return API_UNREACHABLE.test(said) && effect.about.role !== "network plugin" && effect.about.role !== "kube-proxy";
  if (effect.about.waitsInInit) return installs(cause, effect) && !cause.about.waitsInInit;
  return installs(cause, effect) && effect.about.role === "device plugin";
}

/** The runtime's or the plugin's own words name the platform pod that does not answer: "no ztunnel connection". */
export function isNamedIn(cause: Symptom, effect: Symptom): boolean {
  const { failure } = effect.about;
  if (failure === null || !["network", "runtime", "csi-socket", "unknown"].includes(failure.kind)) return false;
  const name = cause.about.daemonSet.slice(cause.about.daemonSet.indexOf("/") + 1);
  const said = new Set(tellingWords(failure.text));
  return tellingWords(name).some((word) => word.length > 4 && !OF_EVERY_FAILURE.has(word) && said.has(word));
}

/** Words that runtimes and plugins use whatever has failed, and that DaemonSets are named with as well. */
const OF_EVERY_FAILURE: ReadonlySet<string> = new Set([
  "container",
  "containerd",
  "create",
  "daemon",
  "image",
  "kernel",
  "local",
  "metrics",
  "mount",
  "network",
  "networks",
  "proxy",
  "runtime",
  "sandbox",
  "service",
  "setup",
  "socket",
  "storage",
  "volume",
]);

/** Killed by the kernel because the node had no memory left, as the kubelet's event of the victim tells. */
export function killedForTheNode(cause: Symptom, effect: Symptom): boolean {
  if (!/OOMKilled|\b137\b/.test(textOf(effect))) return false;
  const victims = [...textOf(cause).matchAll(/System OOM encountered, victim process: ([^,]+)/g)];
  const names = [...effect.about.pods, effect.about.daemonSet].join(" ");
  return victims.some(([, victim = ""]) => tellingWords(victim).some((word) => names.includes(word)));
}

function isNameServer(symptom: Symptom): boolean {
  return /dns/i.test(symptom.about.daemonSet);
}

/** Whether the cause prepares what the effect's plugin needs: a node agent of the same operator, or a driver by name. */
export function installs(cause: Symptom, effect: Symptom): boolean {
  if (cause.about.role !== "node agent") return false;
  const [namespace] = cause.about.daemonSet.split("/");
  const [other] = effect.about.daemonSet.split("/");
  const shared = namespace === other && !["kube-system", "default", ""].includes(namespace ?? "");
  return shared || /driver|ofed|toolkit|firmware/i.test(cause.about.daemonSet);
}

/** NetworkUnavailable as the network plugin itself has set it, or as one that names nobody; not the cloud's routes. */
export function tookNetworkDown(cause: Symptom, effect: Symptom): boolean {
  if (cause.about.role !== "network plugin" || effect.about.condition !== "NetworkUnavailable") return false;
  const writer = networkWriter(effect.about.texts[1] ?? "");
  return writer === "" || (writer !== "cloud" && cause.about.daemonSet.includes(writer));
}
