// A cluster that cannot be reached any more: what was last seen of it is shown, with its time, and never as fresh.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Answer, type ApiServer, list, node, openWatch, startApiServer, status } from "../live/api-server.ts";
import { ENTRY, type Outcome } from "./command.ts";

let folder = "";
let server: ApiServer | null = null;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "taintwise-remembered-"));
});
afterEach(async () => {
  await server?.stop();
  server = null;
  rmSync(folder, { recursive: true, force: true });
});

/** Runs a command beside the server of this process, which must go on answering. */
function taintwise(...words: readonly string[]): Promise<Outcome> {
  const child = spawn(process.execPath, [ENTRY, ...words], {
    cwd: folder,
    env: { PATH: process.env.PATH, KUBECONFIG: join(folder, "config"), TAINTWISE_STORAGE: join(folder, "storage") },
  });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (data: Buffer) => {
    stdout += data.toString();
  });
  child.stderr.on("data", (data: Buffer) => {
    stderr += data.toString();
  });
  return new Promise((resolve) => child.on("close", (code) => resolve({ stdout, stderr, status: code })));
}

async function startCluster(): Promise<void> {
  server = await startApiServer((request, response) => {
    if (request.watch) openWatch(response);
    else list(response, "10", request.path.endsWith("/nodes") ? [node("rdma-1", "1")] : []);
  });
  writeFileSync(
    join(folder, "config"),
    `apiVersion: v1
kind: Config
clusters: [{name: c, cluster: {server: "${server.url}"}}]
users: [{name: u, user: {}}]
contexts: [{name: prod, context: {cluster: c, user: u}}]
`,
  );
}

test("a command on a cluster that went away shows what was last seen, says so and says when", async () => {
  await startCluster();
  const before = await taintwise("nodes", "--context", "prod");
  expect(before.stderr).toBe("");
  expect(before.stdout).toContain("rdma-1");
  await server?.stop();

  const after = await taintwise("nodes", "--context", "prod");
  expect(after.stdout).toContain("rdma-1");
  expect(after.stderr).toMatch(
    /prod could not be read: .*connection refused.* What is shown is what was last seen of it, at \d{4}-\d\d-\d\dT[\d:.]+Z; it may be otherwise now\./,
  );
});

test("nothing remembered is nothing shown", async () => {
  await startCluster();
  await server?.stop();
  const after = await taintwise("nodes", "--context", "prod");
  expect(after).toMatchObject({ stdout: "", status: 2 });
  expect(after.stderr).toContain("--context prod:");
});

test("a gate that requires the cluster does not pass on a memory, and a snapshot of one is not written", async () => {
  await startCluster();
  await taintwise("nodes", "--context", "prod");
  await server?.stop();
  writeFileSync(join(folder, "ds.yaml"), "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\n");
  expect(await taintwise("check", "--context", "prod", "--require-cluster", "ds.yaml")).toMatchObject({
    stdout: "",
    status: 2,
  });
  const snapshot = await taintwise("snapshot", "--context", "prod", "-o", "s.gz");
  expect(snapshot.status).toBe(2);
  expect(snapshot.stderr).toContain("A remembered state is not written as a snapshot.");
});

test("credentials that are refused leave the memory as it was, and the sentence names them", async () => {
  await startCluster();
  await taintwise("nodes", "--context", "prod");
  const port = new URL(server?.url ?? "").port;
  await server?.stop();
  const refuse: Answer = (_request, response) => status(response, 401, "Unauthorized", "Unauthorized");
  server = await startApiServer(refuse, undefined, Number(port));
  const after = await taintwise("nodes", "--context", "prod");
  expect(after.stdout).toContain("rdma-1");
  expect(after.stderr).toContain("prod could not be read:");
});
