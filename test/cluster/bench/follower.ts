// A process that only follows a context, its heap held as the language server's is: tells how long the first whole model
// took, and for each line of input what happened since the one before; a line of JSON each. Ends with its input.
// `node follower.ts KUBECONFIG`
import { createInterface } from "node:readline";
import {
  defaultLiveSettings,
  findContext,
  openContext,
  readContexts,
} from "../../../server/src/cluster/live/open-context.ts";
import { collectEarly, keepYoungGenerationSmall } from "../../../server/src/node/heap.ts";

keepYoungGenerationSmall();
collectEarly();
const kubeconfig = process.argv[2] ?? "";
const settings = { ...defaultLiveSettings({}, () => undefined), kubeconfig };
const started = performance.now();
const context = findContext(await readContexts(settings), "");
let models = 0;
let complete = false;
const cluster = await openContext(context, settings, {
  onModel: (model) => {
    models += 1;
    if (complete || model.origin !== "live" || model.parts.pods !== "known" || model.parts.nodes !== "known") return;
    complete = true;
    const milliseconds = performance.now() - started;
    console.log(JSON.stringify({ milliseconds, nodes: model.nodes.size, pods: model.pods.length }));
  },
  onState: () => undefined,
});
let before = process.cpuUsage();
const lines = createInterface({ input: process.stdin });
lines.on("line", () => {
  const { user, system } = process.cpuUsage(before);
  console.log(JSON.stringify({ cpuMicroseconds: user + system, models, heap: process.memoryUsage().heapUsed }));
  before = process.cpuUsage();
  models = 0;
});
lines.on("close", () => void cluster.stop());
