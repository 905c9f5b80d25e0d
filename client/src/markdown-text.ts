// Client: plain text for a hover, which is Markdown. The editor's own `appendText` makes every blank unbreakable, so that
// long lines break in the middle of a word.

/** The text with everything escaped that Markdown or HTML would read; line ends are the caller's. */
export function markdownText(text: string): string {
  return text.replace(/[\\`*_{}[\]()#+\-.!~<>&|]/g, "\\$&");
}
