// The soak for as long as one likes: `node test/cluster/soak/run.ts [MINUTES]`, twenty without a number. Ends with 1 when
// something grew.
import { describeUsage, growth, runSoak, thirds } from "./soak.ts";

const minutes = Number(process.argv[2] ?? 20);
if (!(minutes > 0)) throw new Error(`${process.argv[2]} is no number of minutes`);
const say = (line: string): void => console.log(line);
const { usages, steps, models, faults } = await runSoak({ duration: minutes * 60_000, interval: 20_000, say });
const [first, last] = (["first", "last"] as const).map((third) => ({
  heap: thirds(usages, "heap")[third],
  reserved: thirds(usages, "reserved")[third],
  external: thirds(usages, "external")[third],
  resident: thirds(usages, "resident")[third],
  descriptors: thirds(usages, "descriptors")[third],
  handles: thirds(usages, "handles")[third],
}));
say("");
say(`${minutes} min, ${steps} changes, ${models} models, ${usages.length} measurements`);
for (const [fault, times] of Object.entries(faults)) say(`${fault}: ${times} times`);
if (first !== undefined) say(`first third (median): ${describeUsage(first)}`);
if (last !== undefined) say(`last third (median):  ${describeUsage(last)}`);
const grown = growth(usages);
for (const sentence of grown) say(sentence);
say(grown.length === 0 ? "nothing grew" : "something grew");
process.exitCode = grown.length === 0 ? 0 : 1;
