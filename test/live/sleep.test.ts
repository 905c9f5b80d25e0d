// A process that is stopped and continued, as a sleeping machine does it: its connections are half dead meanwhile and
// what it holds has changed on the server. From the first moment on, nothing old may be shown as fresh.
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { fileURLToPath } from "node:url";
import { afterEach, expect, test } from "vitest";
import { type ApiServer, bookmark, list, node, openWatch, startApiServer, TAINT } from "./api-server.ts";
import { eventually } from "./following.ts";
import type { Told } from "./stopped-process.ts";

let server: ApiServer | null = null;
let child: ChildProcess | null = null;
afterEach(async () => {
  if (child !== null && child.exitCode === null) {
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  }
  await server?.stop();
  child = null;
  server = null;
});

const sleepFor = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Follows in a process of its own until it is live; gives all that it tells. */
async function start(api: ApiServer): Promise<{ readonly follower: ChildProcess; readonly told: readonly Told[] }> {
  const told: Told[] = [];
  const path = fileURLToPath(new URL("stopped-process.ts", import.meta.url));
  const started = fork(path, [api.url], { execArgv: ["--no-warnings"] });
  started.on("message", (message: Told) => told.push(message));
  child = started;
  await eventually(
    "live",
    () => told.find((each) => each.origin === "live") ?? null,
    () => JSON.stringify(told.at(-1)),
  );
  return { follower: started, told };
}

test.skipIf(process.platform === "win32").each([
  ["ends the stream meanwhile", (stream: ServerResponse) => void stream.destroy()],
  ["writes into the old stream as if nothing had been", (stream: ServerResponse) => bookmark(stream, "15")],
])("stopped while the server %s: a memory until all is read anew", async (_what, meanwhile) => {
  const streams: ServerResponse[] = [];
  let contents: readonly object[] = [node("a", "1"), node("gone", "2")];
  server = await startApiServer((request, response) => {
    if (!request.watch) return list(response, contents.length === 2 ? "10" : "20", contents);
    openWatch(response);
    streams.push(response);
  });
  const { follower, told } = await start(server);
  const stream = await eventually(
    "a watch",
    () => streams[0] ?? null,
    () => "none",
  );
  follower.kill("SIGSTOP");
  await sleepFor(100);
  const before = told.length;
  contents = [node("a", "11", [TAINT])];
  // A second and a half of the wall clock; two and a half minutes of the process's.
  await sleepFor(1_500);
  meanwhile(stream);
  await sleepFor(100);
  follower.kill("SIGCONT");
  await eventually(
    "live with what is there now",
    () => told.slice(before).find((each) => each.origin === "live" && each.nodes.join() === "a*") ?? null,
    () => JSON.stringify(told.at(-1)),
  );
  // What was given out just before the stop may come late; it was fresh then.
  const awakeAt = (told[before - 1]?.now ?? 0) + 60_000;
  const old = told.slice(before).filter((each) => each.nodes.includes("gone") && each.now > awakeAt);
  // A memory is given out at once, unless the new list was faster.
  expect(old.filter((each) => each.origin !== "cache")).toEqual([]);
  expect(old.every((each) => each.observedAt !== null && each.now - each.observedAt > 60_000)).toBe(true);
  // A loaded machine may oversleep once more by itself.
  expect(server.requests.filter((request) => !request.watch).length).toBeGreaterThanOrEqual(2);
});
