// Report layer: a node's findings as a tree, cause above symptom, for every format that people read.
import type { Finding } from "../triage/finding.ts";

export interface ChainLink {
  readonly finding: Finding;
  /** 0 for a cause that nothing here causes. */
  readonly depth: number;
  /** Other causes than the one it stands under. */
  readonly alsoCausedBy: readonly Finding[];
}

/**
 * Orders findings as a chain: each stands once, under the first of its causes; findings of a circle start at the
 * first of them in the given order. Every finding comes out.
 */
export function chainOf(findings: readonly Finding[]): readonly ChainLink[] {
  const byId = new Map(findings.map((finding) => [finding.id, finding]));
  const placed = new Set<string>();
  const links: ChainLink[] = [];
  const place = (finding: Finding, depth: number, under: string | null): void => {
    if (placed.has(finding.id)) return;
    placed.add(finding.id);
    const others = finding.causedBy.filter((id) => id !== under).flatMap((id) => byId.get(id) ?? []);
    links.push({ finding, depth, alsoCausedBy: others });
    for (const child of findings) {
      if (child.causedBy.find((id) => byId.has(id)) === finding.id) place(child, depth + 1, finding.id);
    }
  };
  for (const finding of findings) if (!finding.causedBy.some((id) => byId.has(id))) place(finding, 0, null);
  for (const finding of findings) place(finding, 0, null);
  return links;
}
