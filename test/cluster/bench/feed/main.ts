// Bench, the feed: as a process of its own. `node main.ts NODES PODS_PER_NODE` prints a line of JSON with its URL, then
// takes lines `pods RATE SECONDS` and `nodes RATE SECONDS` and answers each when its last event is sent.
import { createInterface } from "node:readline";
import { Feed } from "./server.ts";

/** Milliseconds between two bursts of a storm. */
const BURST_EVERY = 10;

const feed = new Feed({ seed: 1, nodes: Number(process.argv[2]), podsPerNode: Number(process.argv[3]) });
console.log(JSON.stringify({ url: await feed.start() }));
const lines = createInterface({ input: process.stdin });
lines.on("close", () => feed.stop());
for await (const line of lines) {
  const [what, rate, seconds] = line.split(" ");
  await storm(what === "nodes" ? () => feed.changeNode() : () => feed.changePod(), Number(rate), Number(seconds));
  console.log(JSON.stringify({ sent: Number(rate) * Number(seconds) }));
}

/** Sends `rate` events a second, evenly; what a late timer missed is made up for. */
async function storm(send: () => void, rate: number, seconds: number): Promise<void> {
  const started = performance.now();
  for (let sent = 0; sent < rate * seconds; ) {
    const due = Math.min(rate * seconds, Math.floor(((performance.now() - started) / 1000) * rate) + 1);
    for (; sent < due; sent += 1) send();
    await new Promise((resolve) => setTimeout(resolve, BURST_EVERY));
  }
}
