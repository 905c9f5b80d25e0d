// Live cluster: what is wrong with a followed context, for people. Eighteen resources fail for one reason most of the time;
// it is told once.
import type { ReflectorState } from "./watch/state.ts";

/** Sentences that are worth reading; the rest repeats them. */
const MOST = 5;

/**
 * One sentence for each different problem; with `time`, which writes milliseconds for people, also when the next attempt
 * is. What is refused is told together, with the right to ask for: a line for each of the kinds would bury the rest.
 */
export function problemsOf(
  states: ReadonlyMap<string, ReflectorState>,
  time: ((at: number) => string) | null = null,
): readonly string[] {
  const refused = [...states].filter(([, { phase }]) => phase === "forbidden");
  const others = [...states.values()].filter(
    ({ phase, problem }) => problem !== "" && phase !== "not-served" && phase !== "watching" && phase !== "forbidden",
  );
  const next = new Map<string, number | null>();
  for (const { problem, nextAttempt } of others) next.set(problem, earlier(next.get(problem) ?? null, nextAttempt));
  const told = [...next].map(([problem, at]) =>
    at === null || time === null ? problem : `${problem}; next attempt at ${time(at)}`,
  );
  const [first] = refused;
  const ids = refused.map(([id]) => id);
  return [...told, ...(first === undefined ? [] : [refusal(ids, first[1].problem)])].slice(0, MOST);
}

function earlier(left: number | null, right: number | null): number | null {
  return left === null || right === null ? (left ?? right) : Math.min(left, right);
}

/** `problem` is one of the server's own sentences; it names who asked. */
function refusal(ids: readonly string[], problem: string): string {
  const who = /User "[^"]+"/.exec(problem)?.[0] ?? "this user";
  const kinds = [...new Set(ids.map((id) => id.replace(/^events-\w+/, "events")))];
  return `${who} may not list ${kinds.join(", ")}; ask for list and watch on them (docs/rbac.yaml is the whole role)`;
}
