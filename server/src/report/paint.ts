// Report layer: colour, when a terminal wants it.
import type { Severity } from "../../../shared/src/severity.ts";
import { colourMark } from "./printable.ts";

export type Paint = (text: string) => string;

/** Colours by meaning. Each maps a text to the text to print, with marks that the stream turns into sequences. */
export interface Palette {
  readonly strong: Paint;
  readonly faint: Paint;
  readonly good: Paint;
  readonly path: Paint;
  readonly severity: (severity: Severity | "none") => Paint;
  readonly added: Paint;
  readonly removed: Paint;
}

const plain: Paint = (text) => text;

function sgr(open: number, close: number): Paint {
  return (text) => (text === "" ? "" : `${colourMark(open)}${text}${colourMark(close)}`);
}

/** Colours nothing. */
export const PLAIN: Palette = {
  strong: plain,
  faint: plain,
  good: plain,
  path: plain,
  severity: () => plain,
  added: plain,
  removed: plain,
};

const SEVERITY_COLOURS: Readonly<Record<Severity | "none", Paint>> = {
  error: sgr(31, 39),
  warning: sgr(33, 39),
  information: sgr(36, 39),
  hint: sgr(90, 39),
  none: sgr(32, 39),
};

const COLOURED: Palette = {
  strong: sgr(1, 22),
  faint: sgr(90, 39),
  good: sgr(32, 39),
  path: sgr(1, 22),
  severity: (severity) => SEVERITY_COLOURS[severity],
  added: sgr(32, 39),
  removed: sgr(31, 39),
};

/**
 * The palette for a stream. `when` is --color: `always`, `never` or `auto`; auto follows NO_COLOR (any text), then
 * FORCE_COLOR (any text but 0), then whether the stream is a terminal that is not TERM=dumb.
 */
export function paletteFor(
  stream: { readonly isTerminal: boolean },
  when: "auto" | "always" | "never",
  env: Readonly<Record<string, string | undefined>>,
): Palette {
  if (when === "always") return COLOURED;
  if (when === "never") return PLAIN;
  if ((env.NO_COLOR ?? "") !== "") return PLAIN;
  const forced = env.FORCE_COLOR;
  if (forced !== undefined) return forced === "0" || forced === "false" ? PLAIN : COLOURED;
  return stream.isTerminal && env.TERM !== "dumb" ? COLOURED : PLAIN;
}
