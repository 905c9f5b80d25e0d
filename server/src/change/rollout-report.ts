// Change layer: a rollout as Markdown, to be read while it goes on and afterwards.
import { code, escapeMarkdown, table } from "../report/markdown.ts";
import { count } from "../report/text-layout.ts";
import type { RolloutPhase, RolloutState } from "./rollout.ts";

/** Rows of the table; those with something to tell come first. */
const ROWS = 200;

const PHASES: Readonly<Record<RolloutPhase, string>> = {
  rolling: "Under way",
  done: "Done",
  waits: "Waits for you",
  failed: "Failed",
  reverted: "Undone by somebody else",
};

/** What is told around the state. */
export interface RolloutSetting {
  /** `DaemonSet kube-system/agent`. */
  readonly object: string;
  readonly context: string;
  /** `dedicated=rdma:NoSchedule`, … */
  readonly added: string;
  /** Whether pods may be read; without them only the controller's counts are known. */
  readonly podsKnown: boolean;
  /** What else there is to say: that the server is not reached, that nothing moves; sentences. */
  readonly notes: readonly string[];
}

/** The report of one look at a rollout: what was changed, how far it is, what keeps pods from running, and each node, the worst first. */
export function rolloutMarkdown(state: RolloutState, setting: RolloutSetting): string {
  const { object, context, added, podsKnown, notes } = setting;
  const rows = [...state.nodes].sort((left, right) => rank(left) - rank(right));
  const troubles = rows.flatMap(({ node, troubles: said }) =>
    said.map((line) => `- ${node === "" ? "" : `**${escapeMarkdown(node)}** `}${escapeMarkdown(line)}`),
  );
  return [
    `# Rollout of ${escapeMarkdown(object)}`,
    "",
    `In the context ${code(context)}: tolerates ${code(added)} now.`,
    "",
    `**${PHASES[state.phase]}.** ${escapeMarkdown(state.summary)}`,
    ...notes.flatMap((note) => ["", escapeMarkdown(note)]),
    ...(troubles.length === 0 ? [] : ["", "## What keeps pods from running", "", ...troubles]),
    "",
    "## Pods by node",
    "",
    ...(podsKnown ? nodeTable(rows) : ["Pods may not be read: only the controller's counts are known."]),
    "",
  ].join("\n");
}

function nodeTable(rows: RolloutState["nodes"]): readonly string[] {
  if (rows.length === 0) return ["None."];
  const cell = (amount: number) => (amount === 0 ? "" : String(amount));
  const shown = rows
    .slice(0, ROWS)
    .map(({ node, ready, coming, old }) => [
      node === "" ? "on no node yet" : escapeMarkdown(node),
      cell(ready),
      cell(coming),
      cell(old),
    ]);
  const more = rows.length - shown.length;
  return [
    ...table(["node", "new, ready", "new, not ready", "old or ending"], shown),
    ...(more > 0 ? ["", `And ${count(more, "more node")}.`] : []),
  ];
}

function rank({ troubles, coming, old }: RolloutState["nodes"][number]): number {
  if (troubles.length > 0) return 0;
  if (coming > 0) return 1;
  return old > 0 ? 2 : 3;
}
