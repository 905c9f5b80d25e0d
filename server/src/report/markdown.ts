// Report layer: small pieces of Markdown.

/** Text inside a table cell or a sentence: nothing in it is read as markup. */
export function escapeMarkdown(text: string): string {
  return text
    .replace(/[\\`*_{}[\]<>|#~]/g, (char) => `\\${char}`)
    .replace(/\s*\n\s*/g, " ")
    .trim();
}

/** Text as inline code, whatever backticks it holds. */
export function code(text: string): string {
  const fence = "`".repeat(Math.max(0, ...[...text.matchAll(/`+/g)].map((match) => match[0].length)) + 1);
  const pad = text.startsWith("`") || text.endsWith("`") ? " " : "";
  return `${fence}${pad}${text.replace(/\s*\n\s*/g, " ").replaceAll("|", "\\|")}${pad}${fence}`;
}

/** A table; cells are Markdown already. */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  return [header, header.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`);
}
