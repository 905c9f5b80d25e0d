// Explorer layer: which rows a filter lets through.

/** A test for texts: each word of the filter must stand in one of them, whatever its case. An empty filter lets all through. */
export function textFilter(filter: string): (texts: readonly string[]) => boolean {
  const words = filter
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  if (words.length === 0) return () => true;
  return (texts) => {
    const all = texts.join("\n").toLowerCase();
    return words.every((word) => all.includes(word));
  };
}
