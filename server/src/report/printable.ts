// Report layer: what a terminal may be given. Names and messages come from files and clusters: none of them may move the
// cursor, colour the screen or turn the order of the text around.

/**
 * Stand for the ends of a colour sequence until a stream prints it, so that an escape character in a text is never ours.
 * Unicode keeps both code points free for such inner use; a text that has them all the same can colour itself, no more.
 */
const MARK_START = "\ufdd0";
const MARK_END = "\ufdd1";

/** A mark by itself; split by it, a text's odd parts are its marks. */
const COLOUR_MARK = /(\ufdd0(?:1|22|3[1-9]|90)\ufdd1)/;

/** Control characters but tab and line break, the characters that change a text's direction, and stray marks. */
const UNPRINTABLE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  /[\u0000-\u0008\u000b-\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ufdd0\ufdd1]|\r(?!\n)/g;

/** The mark for a colour code of the terminal ("select graphic rendition"). */
export function colourMark(code: number): string {
  return `${MARK_START}${code}${MARK_END}`;
}

/** The text without marks: as wide as it is shown. */
export function withoutMarks(text: string): string {
  return text.split(COLOUR_MARK).filter(isText).join("");
}

/** The text with every character that a terminal would obey shown as a replacement character (U+FFFD). */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, "\ufffd");
}

/** The same for a text with colour marks, which become the terminal's sequences. */
export function terminalText(text: string): string {
  return text
    .split(COLOUR_MARK)
    .map((part, index) => (isText(part, index) ? printable(part) : `\u001b[${part.slice(1, -1)}m`))
    .join("");
}

/** JSON escapes of the same characters: a program reads them back, a terminal is shown nothing that it obeys. */
export function escapedJson(json: string): string {
  return json.replace(UNPRINTABLE, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** The first `width` columns of a line. Marks take none and are kept, so that a colour ends where it should. */
export function clipped(line: string, width: number): string {
  let left = width;
  return line
    .split(COLOUR_MARK)
    .map((part, index) => {
      if (!isText(part, index)) return part;
      const kept = [...part].slice(0, Math.max(0, left));
      left -= kept.length;
      return kept.join("");
    })
    .join("");
}

function isText(_part: string, index: number): boolean {
  return index % 2 === 0;
}
