// Live cluster: what is wrong with a followed context, for people. Eighteen resources fail for one reason most of the time;
// it is told once.
import type { ReflectorState } from "./watch/state.ts";

/** Sentences that are worth reading; the rest repeats them. */
const MOST = 5;

/**
 * One sentence for each different problem. What is refused is told together, with the right to ask for: a line for each
 * of the kinds would bury everything else.
 */
export function problemsOf(states: ReadonlyMap<string, ReflectorState>): readonly string[] {
  const refused = [...states].filter(([, { phase }]) => phase === "forbidden");
  const others = [...states.values()].filter(
    ({ phase, problem }) => problem !== "" && phase !== "not-served" && phase !== "watching" && phase !== "forbidden",
  );
  const told = new Set(others.map(({ problem }) => problem));
  const [first] = refused;
  if (first !== undefined)
    told.add(
      refusal(
        refused.map(([id]) => id),
        first[1].problem,
      ),
    );
  return [...told].slice(0, MOST);
}

/** `problem` is one of the server's own sentences; it names who asked. */
function refusal(ids: readonly string[], problem: string): string {
  const who = /User "[^"]+"/.exec(problem)?.[0] ?? "this user";
  const kinds = [...new Set(ids.map((id) => id.replace(/^events-\w+/, "events")))];
  return `${who} may not list ${kinds.join(", ")}; ask for list and watch on them (docs/rbac.yaml is the whole role)`;
}
