// What each command prints over one small incident; the files under golden/ are meant to be read.
import { describe, expect, it } from "vitest";
import { transcript } from "./command.ts";

const CLUSTER = ["--cluster", "cluster.yaml"] as const;

const SESSIONS: Readonly<Record<string, readonly string[]>> = {
  "check-without-cluster": ["check", "manifests"],
  check: ["check", "manifests", ...CLUSTER],
  "check-json": ["check", "manifests/exporter.yaml", ...CLUSTER, "--format", "json"],
  "check-github": ["check", "manifests", ...CLUSTER, "--format", "github"],
  "check-markdown": ["check", "manifests", ...CLUSTER, "--format", "markdown"],
  "check-colour": ["check", "manifests/training.yaml", "--color", "always"],
  "fix-safe": ["fix", "manifests", "--dry-run"],
  "fix-gap": ["fix", "manifests", ...CLUSTER, "--code", "toleration-gap,toleration-time-bomb", "--dry-run"],
  explain: ["explain", "manifests", ...CLUSTER],
  "explain-live": ["explain", "ds/rdma-device-plugin", ...CLUSTER, "--node", "rdma-2"],
  "explain-json": ["explain", "manifests/device-plugin.yaml", ...CLUSTER, "--format", "json"],
  "explain-markdown": ["explain", "manifests/device-plugin.yaml", ...CLUSTER, "--format", "markdown"],
  triage: ["triage", ...CLUSTER],
  "triage-json": ["triage", "rdma-1", ...CLUSTER, "--format", "json"],
  "triage-markdown": ["triage", ...CLUSTER, "--format", "markdown"],
  "triage-steps": ["triage", "rdma-1", ...CLUSTER, "--steps"],
  "triage-github": ["triage", ...CLUSTER, "--format", "github"],
  nodes: ["nodes", ...CLUSTER],
  "nodes-json": ["nodes", "--selector", "pool in (rdma)", ...CLUSTER, "--format", "json"],
  "nodes-markdown": ["nodes", ...CLUSTER, "--format", "markdown"],
  preflight: ["preflight", "--selector", "pool=cpu", "--taint", "dedicated=batch:NoSchedule", ...CLUSTER],
  "preflight-evict": ["whatif", "taint", "--node", "cpu-1", "--taint", "maintenance:NoExecute", ...CLUSTER],
  "preflight-remove": ["preflight", "--node", "rdma-1,rdma-2", "--taint", "dedicated=rdma:NoSchedule-", ...CLUSTER],
  "preflight-json": [
    "preflight",
    "--node",
    "cpu-1",
    "--taint",
    "maintenance:NoExecute",
    ...CLUSTER,
    "--format",
    "json",
  ],
  "preflight-markdown": [
    ...["preflight", "--node", "cpu-1", "--taint", "maintenance:NoExecute"],
    ...[...CLUSTER, "--format", "markdown"],
  ],
  coverage: ["coverage", ...CLUSTER],
  "coverage-json": ["coverage", ...CLUSTER, "--format", "json"],
  "triage-shared-cause": ["triage", "--cluster", "shared-cause.yaml"],
  help: ["--help"],
  "help-check": ["check", "--help"],
};

describe("what the commands print", () => {
  it.each(Object.entries(SESSIONS))("%s", async (name, words) => {
    await expect(transcript(words)).toMatchFileSnapshot(`golden/${name}.txt`);
  });
});
