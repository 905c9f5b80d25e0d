// Analysis layer: .gitignore files, as git reads them, over paths given by the caller. No file is read here.

/** One line of an ignore file. */
interface Rule {
  /** Segments of the pattern, each as tokens; null stands for `**`. */
  readonly segments: readonly (readonly Token[] | null)[];
  readonly negated: boolean;
  readonly foldersOnly: boolean;
}

type Token =
  | { readonly type: "char"; readonly char: string }
  | { readonly type: "one" }
  | { readonly type: "many" }
  | { readonly type: "class"; readonly negated: boolean; readonly ranges: readonly (readonly [string, string])[] };

/** The rules of one ignore file. */
export interface IgnoreRules {
  /** Folder of the file with `/`, no trailing one; patterns are relative to it. */
  readonly folder: string;
  readonly rules: readonly Rule[];
}

/** Reads the text of an ignore file that lies in `folder`. Every text is valid. */
export function readIgnoreRules(folder: string, text: string): IgnoreRules {
  return { folder, rules: text.split(/\r?\n/).flatMap(readLine) };
}

/**
 * Whether a file or folder is ignored: in the deepest ignore file that has a matching rule, the last such rule counts.
 * `files` go from the outermost folder to the innermost; `path` uses `/` as their folders do.
 */
export function isIgnored(files: readonly IgnoreRules[], path: string, isFolder: boolean): boolean {
  for (let index = files.length - 1; index >= 0; index -= 1) {
    const file = files[index];
    if (file === undefined || !path.startsWith(`${file.folder}/`)) continue;
    const segments = path.slice(file.folder.length + 1).split("/");
    const last = file.rules.findLast(
      (rule) => (isFolder || !rule.foldersOnly) && matchesSegments(rule.segments, segments),
    );
    if (last !== undefined) return !last.negated;
  }
  return false;
}

function readLine(line: string): readonly Rule[] {
  let pattern = line.replace(/(?<!\\)[ \t]+$/, "");
  if (pattern === "" || pattern.startsWith("#")) return [];
  const negated = pattern.startsWith("!");
  if (negated) pattern = pattern.slice(1);
  const foldersOnly = pattern.endsWith("/");
  if (foldersOnly) pattern = pattern.slice(0, -1);
  const anchored = pattern.includes("/");
  const words = (pattern.startsWith("/") ? pattern.slice(1) : pattern).split("/");
  if (words.every((word) => word === "")) return [];
  const segments = words.map((word) => (word === "**" ? null : tokens(word)));
  return [{ segments: anchored ? segments : [null, ...segments], negated, foldersOnly }];
}

function tokens(word: string): readonly Token[] {
  const found: Token[] = [];
  let index = 0;
  while (index < word.length) {
    const char = word.charAt(index);
    index += 1;
    if (char === "*") {
      if (found.at(-1)?.type !== "many") found.push({ type: "many" });
    } else if (char === "?") found.push({ type: "one" });
    else if (char === "\\" && index < word.length) {
      found.push({ type: "char", char: word.charAt(index) });
      index += 1;
    } else if (char === "[") {
      const close = word.indexOf("]", index + 1 + (/[!^]/.test(word.charAt(index)) ? 1 : 0));
      if (close < 0) return [...found, { type: "char", char: "\0" }];
      found.push(characterClass(word.slice(index, close)));
      index = close + 1;
    } else found.push({ type: "char", char });
  }
  return found;
}

function characterClass(body: string): Token {
  const negated = /^[!^]/.test(body);
  const text = negated ? body.slice(1) : body;
  const ranges: (readonly [string, string])[] = [];
  for (let index = 0; index < text.length; index += 1) {
    const from = text.charAt(index);
    if (text.charAt(index + 1) === "-" && index + 2 < text.length) {
      ranges.push([from, text.charAt(index + 2)]);
      index += 2;
    } else ranges.push([from, from]);
  }
  return { type: "class", negated, ranges };
}

/** `**` crosses folders; a trailing `**` needs at least one segment. */
function matchesSegments(wanted: readonly (readonly Token[] | null)[], segments: readonly string[]): boolean {
  return matches(
    wanted.length,
    segments.length,
    (index) => wanted[index] === null,
    (index, at) => {
      const word = wanted[index];
      return word !== undefined && word !== null && matchesWord(word, segments[at] ?? "");
    },
    wanted.at(-1) === null ? 1 : 0,
  );
}

function matchesWord(word: readonly Token[], text: string): boolean {
  return matches(
    word.length,
    text.length,
    (index) => word[index]?.type === "many",
    (index, at) => {
      const token = word[index];
      const char = text.charAt(at);
      if (token === undefined || token.type === "many") return false;
      if (token.type === "one") return true;
      if (token.type === "char") return token.char === char;
      return token.ranges.some(([from, to]) => char >= from && char <= to) !== token.negated;
    },
    0,
  );
}

/** Wildcard matching with one point of return: linear in the product of the lengths, whatever the pattern. */
function matches(
  patternLength: number,
  length: number,
  isStar: (index: number) => boolean,
  fits: (index: number, at: number) => boolean,
  leastInLastStar: number,
): boolean {
  let index = 0;
  let at = 0;
  let star = -1;
  let resume = 0;
  while (at < length) {
    if (index < patternLength && isStar(index)) {
      star = index;
      resume = at;
      index += 1;
    } else if (index < patternLength && fits(index, at)) {
      index += 1;
      at += 1;
    } else if (star >= 0) {
      resume += 1;
      index = star + 1;
      at = resume;
    } else return false;
  }
  if (leastInLastStar > 0) return index === patternLength && star === patternLength - 1 && resume < length;
  while (index < patternLength && isStar(index)) index += 1;
  return index === patternLength;
}
