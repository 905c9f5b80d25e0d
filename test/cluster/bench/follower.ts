// A process that only follows a context: prints how long the first whole model took and how much memory it needs, a
// line of JSON each, and goes on until its input ends. `node follower.js KUBECONFIG`
import { readFileSync } from "node:fs";
import {
  defaultLiveSettings,
  findContext,
  openContext,
  readContexts,
} from "../../../server/src/cluster/live/open-context.ts";

const kubeconfig = process.argv[2] ?? "";
const settings = { ...defaultLiveSettings({}, () => undefined), kubeconfig };
const started = performance.now();
const context = findContext(await readContexts(settings), "");
const say = (line: object): void => {
  process.stdout.write(`${JSON.stringify(line)}\n`);
};
let complete = false;
let spent = process.cpuUsage();
const cluster = await openContext(context, settings, {
  onModel: (model) => {
    if (!complete && model.origin === "live") {
      complete = true;
      say({
        complete: performance.now() - started,
        nodes: model.nodes.size,
        pods: model.pods.length,
        cpu: process.cpuUsage().user / 1000,
      });
      spent = process.cpuUsage();
    }
  },
  onState: () => undefined,
});
// Peak and present memory, in bytes; the kernel's own numbers.
const report = (): void => {
  const status = readFileSync("/proc/self/status", "utf8");
  const bytes = (field: string): number => Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(status)?.[1] ?? 0) * 1024;
  const now = process.cpuUsage(spent);
  spent = process.cpuUsage();
  say({ peak: bytes("VmHWM"), rss: bytes("VmRSS"), cpu: (now.user + now.system) / 1000, heap: process.memoryUsage() });
};
process.stdin.on("data", report);
process.stdin.on("end", () => {
  void cluster.stop();
});
