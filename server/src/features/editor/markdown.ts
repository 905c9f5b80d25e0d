// Features layer, editor: words from clusters and files inside Markdown, so that none of them is read as markup.

/** Text as it is: every character that Markdown could read is escaped. */
export function plain(text: string): string {
  return text.replace(/[\\`*_{}[\]()#+!|<>~-]/g, (mark) => `\\${mark}`).replace(/\r?\n/g, " ");
}

/** Text as code; a text with backticks gets a longer fence. */
export function code(text: string): string {
  const runs = text.match(/`+/g) ?? [];
  const fence = "`".repeat(Math.max(0, ...runs.map((run) => run.length)) + 1);
  const pad = text.startsWith("`") || text.endsWith("`") ? " " : "";
  return `${fence}${pad}${text.replace(/\r?\n/g, " ")}${pad}${fence}`;
}

/** The first few as code, then how many more. */
export function codeList(items: readonly string[], limit = 5): string {
  const shown = items.slice(0, limit).map(code).join(", ");
  return items.length > limit ? `${shown} and ${items.length - limit} more` : shown;
}
