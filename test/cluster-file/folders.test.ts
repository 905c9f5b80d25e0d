// Dump folders, and the thin part that walks them.
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterEach, beforeEach, expect, it } from "vitest";
import { loadClusterFile } from "../../server/src/cluster/file/load.ts";
import { fixture, fixturePath, problemLines, summary } from "./support.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "taintwise-dump-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const load = (path: string, stdin: Uint8Array = Buffer.from("")) =>
  loadClusterFile(path, { name: null, now: null, readStdin: () => Promise.resolve(stdin) });

it("reads a must-gather: of a pod collected twice the newer one counts", async () => {
  const reading = await load(fixturePath("must-gather"));
  expect(summary(reading.model)).toEqual([
    // The kubelet's own clock (11:59) does not count beside what the server wrote.
    "must-gather (file) at 2026-03-02T09:59:30Z",
    "Node/rdma-1 dedicated=rdma:NoSchedule",
    "DaemonSet/kube-system/rdma-plugin",
    "Pod/kube-system/rdma-plugin-abcde Running on rdma-1",
    "CSIDriver/disk.csi.example.com",
    "not known: owners, namespaces, csinodes, runtimeclasses, deviceclasses, resourceslices, leases",
  ]);
  const root = fixturePath("must-gather");
  expect(problemLines(reading)).toEqual([
    `information: ${join(root, "namespaces/kube-system/pods/rdma-plugin-abcde/rdma-plugin-abcde.yaml")}: Pod kube-system/rdma-plugin-abcde is here and in ${join(root, "namespaces/kube-system/core/pods.yaml")} and they differ; the newer one counts`,
  ]);
});

const CLUSTER_INFO = [
  "Node/rdma-1 dedicated=rdma:NoSchedule",
  "DaemonSet/kube-system/rdma-plugin",
  "Pod/kube-system/rdma-plugin-abcde Running on rdma-1",
  "not known: owners, namespaces, csinodes, csidrivers, runtimeclasses, deviceclasses, resourceslices, leases",
];

it("reads the folder of kubectl cluster-info dump; an empty list proves its part", async () => {
  const reading = await load(fixturePath("cluster-info-dump"));
  expect(problemLines(reading)).toEqual([]);
  expect(summary(reading.model).slice(1)).toEqual(CLUSTER_INFO);
});

it("reads its standard output, logs between the lists, from stdin", async () => {
  const parts = ["nodes.json", "kube-system/events.json", "kube-system/daemonsets.json", "kube-system/pods.json"];
  const lists = parts.map((name) => fixture(`cluster-info-dump/${name}`));
  const logs = fixture("cluster-info-dump/kube-system/rdma-plugin-abcde/logs.txt");
  const reading = await load("-", gzipSync(lists.join(logs) + logs));
  expect(problemLines(reading)).toEqual([]);
  expect(summary(reading.model)).toEqual(["stdin (file) at 2026-01-10T08:00:00Z", ...CLUSTER_INFO]);
});

it("walks past loops, .git, node_modules and everything that is no dump", async () => {
  cpSync(fixturePath("rack.yaml"), join(folder, "rack.yaml"));
  mkdirSync(join(folder, "deep/er"), { recursive: true });
  writeFileSync(
    join(folder, "deep/er/more.json.gz"),
    gzipSync('{"kind":"NodeList","apiVersion":"v1","items":[{"metadata":{"name":"deep"}}]}'),
  );
  symlinkSync(folder, join(folder, "deep/loop"));
  symlinkSync(join(folder, "gone"), join(folder, "dangling.yaml"));
  for (const skipped of [".git", "node_modules"]) {
    mkdirSync(join(folder, skipped));
    writeFileSync(join(folder, skipped, "x.yaml"), "apiVersion: v1\nkind: Node\nmetadata: {name: wrong}\n");
  }
  writeFileSync(join(folder, "README.md"), "{ not: yaml");
  const reading = await load(folder);
  expect([...reading.model.nodes.keys()]).toEqual(["cpu-1", "deep", "rdma-1"]);
  expect(problemLines(reading)).toEqual([`warning: ${join(folder, "dangling.yaml")}: there is no such file or folder`]);
});

it("loses only the broken files of a folder, and says which part they would have held", async () => {
  cpSync(fixturePath("rack.yaml"), join(folder, "a.yaml"));
  writeFileSync(join(folder, "b.json"), '{"kind":"PodList","apiVersion":"v1","items":[{"metadata":{"name":"p"');
  writeFileSync(join(folder, "c.yaml"), Buffer.from([0, 1, 2, 3]));
  writeFileSync(join(folder, "d.yaml"), "");
  const reading = await load(folder);
  expect(problemLines(reading)).toEqual([
    `warning: ${join(folder, "b.json")}:1:69: the JSON ends in the middle: the file is cut off`,
    `warning: ${join(folder, "c.yaml")}: the file is binary, not YAML or JSON`,
  ]);
  expect(reading.model.parts.pods).toBe("failed");
  expect(reading.model.parts.nodes).toBe("known");
});

it("names what is not there, may not be read, or holds nothing", async () => {
  expect(problemLines(await load(join(folder, "gone.yaml")))).toEqual([
    `error: ${join(folder, "gone.yaml")}: there is no such file or folder`,
  ]);
  expect(problemLines(await load(folder))[0]).toMatch(
    /^error: .*: there is no object of Kubernetes in it: nothing can be judged without nodes/,
  );
  const secret = join(folder, "secret.yaml");
  writeFileSync(secret, fixture("rack.yaml"));
  chmodSync(secret, 0);
  if (process.getuid?.() !== 0) {
    expect(problemLines(await load(secret))).toEqual([`error: ${secret}: it may not be read (permission denied)`]);
    const closed = join(folder, "closed");
    mkdirSync(closed, { mode: 0 });
    expect(problemLines(await load(closed))[0]).toBe(`error: ${closed}: it may not be read (permission denied)`);
  }
});

/** A folder as GNU tar would pack it, long names in entries of their own. */
function tarOf(root: string, inside: string): Buffer {
  const blocks: Buffer[] = [];
  const entry = (name: string, type: string, content: Buffer): void => {
    const header = Buffer.alloc(512);
    header.write(name.slice(0, 99), 0);
    header.write(content.length.toString(8).padStart(11, "0"), 124);
    header.write(type, 156);
    header.write("ustar  ", 257);
    blocks.push(header, content, Buffer.alloc((512 - (content.length % 512)) % 512));
  };
  for (const name of readdirSync(join(root, inside), { recursive: true, encoding: "utf8" }).sort()) {
    const path = `${inside}/${name.replaceAll("\\", "/")}`;
    const isFolder = statSync(join(root, path)).isDirectory();
    if (path.length > 99) entry("././@LongLink", "L", Buffer.from(`${path}\0`));
    entry(path, isFolder ? "5" : "0", isFolder ? Buffer.alloc(0) : readFileSync(join(root, path)));
  }
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}

it("reads a must-gather that is still packed, as it reads the folder", async () => {
  const packed = join(folder, "must-gather.tar.gz");
  writeFileSync(packed, gzipSync(tarOf(fixturePath("."), "must-gather")));
  const [archive, unpacked] = [await load(packed), await load(fixturePath("must-gather"))];
  expect(summary(archive.model).slice(1)).toEqual(summary(unpacked.model).slice(1));
  expect(archive.problems.map(({ severity }) => severity)).toEqual(["information"]);
  const bytes = gunzipSync(readFileSync(packed));
  expect(problemLines(await load("-", bytes.subarray(0, 1000)))).toEqual([
    "error: -: the tar archive is damaged or cut off",
  ]);
});

it("reads a snapshot of ours like any other file", async () => {
  const { writeSnapshot } = await import("../../server/src/cluster/snapshot/write-snapshot.ts");
  const { model } = await load(fixturePath("rack.yaml"));
  writeFileSync(join(folder, "prod.snapshot"), writeSnapshot({ ...model, name: "prod" }));
  const reading = await load(join(folder, "prod.snapshot"));
  expect(problemLines(reading)).toEqual([]);
  expect(summary(reading.model)).toEqual(["prod (file) at 2026-03-02T09:55:00Z", ...summary(model).slice(1)]);
  expect(readFileSync(join(folder, "prod.snapshot")).subarray(0, 2)).toEqual(Buffer.from([0x1f, 0x8b]));
});
