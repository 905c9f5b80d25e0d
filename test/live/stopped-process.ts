// A process that follows nodes, to be stopped and continued from outside; it tells every model and its own state by
// messages. `node stopped-process.ts URL`
import { follow } from "./following.ts";

/** A model as it was given out. */
export interface Told {
  readonly origin: string;
  /** `name` or `name*` where it is tainted. */
  readonly nodes: readonly string[];
  /** Milliseconds of the process's clock. */
  readonly now: number;
  readonly observedAt: number | null;
}

const following = follow(process.argv[2] ?? "", { limits: { silence: 60_000, deadline: 2_000 }, sleptAfter: 30_000 });
let told = 0;
setInterval(() => {
  for (const { origin, nodes, observedAt } of following.models.slice(told)) {
    const names = [...nodes.values()].map(({ name, taints }) => (taints.length === 0 ? name : `${name}*`));
    process.send?.({ origin, nodes: names, observedAt, now: following.clock.now() } satisfies Told);
    told += 1;
  }
}, 5);
process.on("disconnect", () => process.exit(0));
