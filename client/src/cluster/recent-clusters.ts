// Client: the clusters that were chosen before. Pure; what the editor stored is read from `unknown`.
import type { ClusterChoice } from "../../../shared/src/protocol.ts";

/** How many are remembered. */
export const RECENT_LIMIT = 8;

/** `choices` with `choice` in front, without doubles; "no cluster" is not worth remembering. */
export function remember(choices: readonly ClusterChoice[], choice: ClusterChoice): readonly ClusterChoice[] {
  if (choice.kind === "none") return choices;
  const key = choiceKey(choice);
  return [choice, ...choices.filter((other) => choiceKey(other) !== key)].slice(0, RECENT_LIMIT);
}

/** Equal for choices that name the same source. */
export function choiceKey(choice: ClusterChoice): string {
  switch (choice.kind) {
    case "file":
      return `file\n${choice.path}`;
    case "context":
      return `context\n${choice.kubeconfig ?? ""}\n${choice.name}`;
    case "none":
      return "none";
  }
}

/** Reads a stored choice; null when it is none that this version knows. */
export function readChoice(value: unknown): ClusterChoice | null {
  if (typeof value !== "object" || value === null || !("kind" in value)) return null;
  if (value.kind === "none") return { kind: "none" };
  if (value.kind === "file" && "path" in value && typeof value.path === "string") {
    return { kind: "file", path: value.path };
  }
  if (value.kind === "context" && "name" in value && typeof value.name === "string") {
    const kubeconfig = "kubeconfig" in value && typeof value.kubeconfig === "string" ? value.kubeconfig : null;
    return { kind: "context", name: value.name, kubeconfig };
  }
  return null;
}

/** Reads the stored list; entries that cannot be read are left out. */
export function readChoices(value: unknown): readonly ClusterChoice[] {
  if (!Array.isArray(value)) return [];
  return value.map(readChoice).filter((choice) => choice !== null);
}
