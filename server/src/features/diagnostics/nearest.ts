// Features layer: names that may have been meant by another one.
import { editDistance } from "../../scheduling/taint-answer.ts";

/** The candidates that differ from `name` only in their domain, in letter case, or in a few letters; the closest first. */
export function nearest(name: string, candidates: readonly string[]): readonly string[] {
  const ranked = candidates.flatMap((candidate) => {
    const distance = distanceOf(name, candidate);
    return distance === null ? [] : [{ candidate, distance }];
  });
  ranked.sort((a, b) => a.distance - b.distance || (a.candidate < b.candidate ? -1 : 1));
  return ranked.map((entry) => entry.candidate);
}

/** null when the two are not close. */
function distanceOf(written: string, meant: string): number | null {
  if (written === "" || meant === "" || written === meant) return null;
  const [a, b] = [written.toLowerCase(), meant.toLowerCase()];
  if (a === b) return 0;
  if (plain(a) === plain(b) || isSwapped(a, b)) return 1;
  const limit = Math.min(a.length, b.length) >= 8 ? 2 : 1;
  const distance = Math.min(a.length, b.length) >= 4 ? editDistance(a, b, limit) : limit + 1;
  if (distance <= limit) return distance;
  const [lastA, lastB] = [lastOf(a), lastOf(b)];
  return lastA === lastB && lastA.length >= 3 && (a.includes("/") || b.includes("/")) ? limit + 1 : null;
}

/** Whether two neighbouring letters changed places. */
function isSwapped(a: string, b: string): boolean {
  const at = [...a].findIndex((letter, index) => letter !== b[index]);
  return at >= 0 && a.slice(0, at) + a.charAt(at + 1) + a.charAt(at) + a.slice(at + 2) === b;
}

/** Without the marks that spellings differ in (`NO_SCHEDULE`, `no-schedule`). */
function plain(name: string): string {
  return name.replace(/[-_.\s]/g, "");
}

function lastOf(key: string): string {
  return key.slice(key.lastIndexOf("/") + 1);
}
