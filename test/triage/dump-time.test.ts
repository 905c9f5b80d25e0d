// A dump that tells its time only by what is inside of it: old server times do not make every clock wrong.
import { expect, it } from "vitest";
import { readClusterFiles } from "../../server/src/cluster/file/cluster-reader.ts";
import { triage } from "../../server/src/triage/triage.ts";

const node = (name: string, heartbeat: string) =>
  `---\n{apiVersion: v1, kind: Node, metadata: {name: ${name}, creationTimestamp: "2026-01-10T08:00:00Z"}, status: {conditions: [{type: Ready, status: "True", lastHeartbeatTime: "${heartbeat}"}]}}\n`;

function skewed(dump: string): readonly string[] {
  const bytes = new TextEncoder().encode(dump);
  const { model } = readClusterFiles([{ path: "dump.yaml", bytes, named: true }], { name: null, now: null });
  return triage(model)
    .nodes.filter(({ findings }) => findings.some(({ code }) => code === "node-clock-skew"))
    .map(({ name }) => name);
}

it("is silent where the clocks of the nodes agree with each other", () => {
  expect(skewed(node("a", "2026-03-02T09:58:00Z") + node("b", "2026-03-02T09:55:00Z"))).toEqual([]);
});

it("is silent where there is one clock only", () => {
  expect(skewed(node("a", "2026-03-02T09:58:00Z"))).toEqual([]);
});

it("names the one node that is far ahead of the others", () => {
  expect(
    skewed(node("a", "2026-03-02T09:58:00Z") + node("b", "2026-03-02T09:55:00Z") + node("c", "2026-03-02T13:00:00Z")),
  ).toEqual(["c"]);
});
