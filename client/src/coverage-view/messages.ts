// Client: what the coverage page and the extension say to each other. Plain data; both sides check what they get.
import type { RowTarget } from "../../../shared/src/explorer.ts";
import type { MatrixWords } from "../../../shared/src/matrix-svg.ts";
import type { PackedMatrix } from "./packed-matrix.ts";

/** Texts of the page, in the editor's language. */
export interface PageTexts extends MatrixWords {
  readonly noCluster: string;
  readonly grid: string;
  readonly legend: string;
  readonly sortWorst: string;
  readonly whatIf: string;
  readonly whatIfClass: string;
  readonly whatIfShow: string;
  readonly whatIfClear: string;
  readonly saveSvg: string;
  readonly savePng: string;
  readonly cluster: string;
}

/** Extension → page. */
export interface MatrixMessage {
  readonly type: "matrix";
  readonly matrix: PackedMatrix | null;
  readonly clusters: readonly { readonly key: string; readonly name: string }[];
  readonly texts: PageTexts;
}

/** Page → extension. */
export type PageMessage =
  | { readonly type: "ready" }
  | { readonly type: "open"; readonly what: "fix" | "node"; readonly target: RowTarget }
  | { readonly type: "whatIf"; readonly row: string; readonly taint: string }
  | { readonly type: "clear" }
  | { readonly type: "cluster"; readonly key: string }
  /** `data` is the text of an SVG, or a PNG in Base64. */
  | { readonly type: "save"; readonly format: "svg" | "png"; readonly data: string };
