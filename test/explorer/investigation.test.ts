// The steps of an investigation over incidents: each fault stands in the step that is about it, and in no other.
import { describe, expect, it } from "vitest";
import { investigate } from "../../server/src/explorer/reports/investigation.ts";
import { type Incident, incidentsIn } from "../triage/incident.ts";
import { judged } from "./tree.ts";

const incidents = new Map(
  ["incidents", "variations", "incidents-of-vendors"].flatMap(incidentsIn).map((one) => [one.name, one]),
);

/** The states of the first five steps on a node. */
function states(name: string, node: string): readonly string[] {
  const incident: Incident | undefined = incidents.get(name);
  if (incident === undefined) throw new Error(`no incident ${name}`);
  const steps = investigate(judged(incident.cluster), node, { kind: "not asked", why: "off" });
  return (steps ?? []).slice(0, 5).map(({ state }) => state);
}

describe("node, pods, network, storage, resources", () => {
  it.each([
    ["n05-ready-flaps", "w5", ["found", "not in what was read", "not in what was read", "not in what was read", "ok"]],
    // A network that has no address left is no matter of storage.
    ["n17-no-pod-addresses-left", "ip1", ["ok", "found", "ok", "not in what was read", "ok"]],
    // kube-proxy's crash is told of its pod, and still is the network's.
    ["n18-kube-proxy-behind-network-plugin", "k1", ["found", "ok", "found", "not in what was read", "ok"]],
    ["n11-disk-pressure-takes-csi-node", "s1", ["found", "found", "ok", "found", "ok"]],
    ["n24-gpu-node-never-initialized", "g1", ["found", "found", "ok", "not in what was read", "found"]],
    ["n35-image-for-other-architecture", "arm1", ["ok", "found", "ok", "not in what was read", "ok"]],
    ["dns-loop-in-the-whole-cluster", "w1", ["ok", "ok", "found", "not in what was read", "ok"]],
    ["efs-name-does-not-resolve", "ip1", ["ok", "found", "ok", "found", "ok"]],
  ])("%s", (name, node, expected) => {
    expect(states(name, node)).toEqual(expected);
  });
});

it("counts the name servers of the cluster, wherever they run", () => {
  const incident = incidents.get("dns-loop-in-the-whole-cluster");
  if (incident === undefined) throw new Error("it is gone");
  const network = investigate(judged(incident.cluster), "w1", { kind: "not asked", why: "off" })?.[2];
  expect(network?.seen[0]).toBe(
    "0 of 2 DNS pods of the cluster work; not working: kube-system/coredns-5d78c-w1 (CrashLoopBackOff), kube-system/coredns-5d78c-w2 (CrashLoopBackOff).",
  );
});
