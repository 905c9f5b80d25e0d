// Client: the status bar item in words. Pure, so that every state can be tested without an editor.
import type { ClusterState, ClusterSummary, MissingPart } from "../../../shared/src/protocol.ts";
import { texts } from "../texts.ts";
import { type Age, ageOfCluster, type Condition, conditionOf, worstOf } from "./condition.ts";

/** Whether the server answers at all. */
export type ServerPhase = "starting" | "running" | "stopped";

export interface StatusWords {
  /** With an icon in front: `$(server) prod.yaml · 3 h`. */
  readonly text: string;
  /** Markdown-free lines. */
  readonly tooltip: readonly string[];
  /** What a screen reader says: no icons, and the state in a word. */
  readonly spoken: string;
  readonly prominence: "normal" | "warning" | "error";
}

const ICONS: Readonly<Record<Condition, string>> = {
  fresh: "$(server)",
  stale: "$(history)",
  partial: "$(question)",
};

/**
 * The words for a server phase and the last cluster state (null: not known yet) at `now` (milliseconds). `host` names the
 * machine that files and kubeconfigs are read on, where it is not the one in front of the user; else null.
 */
export function statusWords(
  phase: ServerPhase,
  state: ClusterState | null,
  now: number,
  host: string | null = null,
): StatusWords {
  if (phase === "stopped") {
    return words("$(error)", texts.status.stopped(), [texts.status.stoppedDetail()], "error");
  }
  if (phase === "starting" || state === null) {
    return words("$(loading~spin)", texts.status.starting(), [], "normal");
  }
  if (state.loading) return words("$(loading~spin)", texts.status.loading(), [], "normal");

  const worst = worstOf(state, now);
  if (worst === null) {
    if (state.problems.length > 0) {
      return words("$(error)", texts.status.unusable(), [...state.problems, texts.status.choose()], "error");
    }
    return words("$(circle-slash)", texts.status.none(), [texts.status.noneDetail(), texts.status.choose()], "normal");
  }

  const age = ageText(worst.age);
  const only = state.clusters.length === 1 ? state.clusters[0] : undefined;
  const label = only ? texts.status.one(only.name, age) : texts.status.several(state.clusters.length, age);
  const tooltip = state.clusters.flatMap((cluster) => describe(cluster, state.staleAfter, now, host));
  return {
    text: `${ICONS[worst.condition]} ${label}`,
    tooltip: [...tooltip, ...state.problems, texts.status.choose()],
    spoken: texts.status.spoken([label, conditionText(worst.condition)].join(", ")),
    prominence: state.problems.length > 0 ? "warning" : "normal",
  };
}

function words(
  icon: string,
  label: string,
  tooltip: readonly string[],
  prominence: StatusWords["prominence"],
): StatusWords {
  return { text: `${icon} ${label}`, tooltip, spoken: texts.status.spoken(label), prominence };
}

/** Lines about one cluster. */
function describe(cluster: ClusterSummary, staleAfter: number, now: number, host: string | null): readonly string[] {
  const state = conditionText(conditionOf(cluster, staleAfter, now));
  const age = ageOfCluster(cluster, now);
  return [
    age === null
      ? texts.status.detailNoTime(cluster.name, state, cluster.nodes)
      : age === "live"
        ? texts.status.detailLive(cluster.name, state, cluster.nodes)
        : texts.status.detail(cluster.name, state, cluster.nodes, ageText(age)),
    host === null ? texts.status.source(cluster.source) : texts.status.sourceOn(cluster.source, host),
    ...absent(cluster.missing, "missing", texts.status.missing),
    ...absent(cluster.missing, "forbidden", texts.status.forbidden),
    ...absent(cluster.missing, "failed", texts.status.failed),
  ];
}

function absent(
  parts: readonly MissingPart[],
  why: MissingPart["why"],
  sentence: (parts: string) => string,
): readonly string[] {
  const names = parts.filter((part) => part.why === why).map((part) => part.part);
  return names.length > 0 ? [sentence(names.join(", "))] : [];
}

function conditionText(condition: Condition): string {
  return texts.status[condition]();
}

function ageText(age: Age): string {
  if (age === "live") return texts.age.live();
  return age === null ? texts.age.unknown() : texts.age[age.unit](age.count);
}
