// Workload layer: telling templates (Helm's Go templates, Jinja) from YAML that merely holds braces.

import { isFatal } from "../yaml/parse.ts";
import type { YamlDocument } from "../yaml/tree.ts";

/** Go templates, Jinja, ERB, and the `@NAME@` of configure scripts. */
const ACTION = /\{\{|\{%|<%|@[A-Za-z_][\w.-]*@/;
const TEMPLATES_FOLDER = /(?:^|[\\/])templates[\\/]/;
const PLACEHOLDER = /\{\{|\{%|\$\{|\$\(|<%|^\$[A-Za-z_]|^<[^>]+>$|^@[^@]+@$|^%[^%]+%$/;

/**
 * Whether a file is a chart's template as a whole: it lies in a `templates` folder and holds actions.
 * @param inChart whether the folder belongs to a chart, null where the caller does not know
 */
export function isTemplateFile(text: string, path: string, inChart: boolean | null): boolean {
  return inChart !== false && TEMPLATES_FOLDER.test(path) && text.includes("{{");
}

/** Whether a document is a template: it holds actions, and does not parse because of them. Braces alone prove nothing. */
export function isTemplateDocument(source: string, yaml: YamlDocument): boolean {
  return yaml.problems.some(isFatal) && ACTION.test(source);
}

/** Whether a scalar stands for something filled in later (`${REPLICAS}`, `{{ x }}`, `<your-name>`): its type says nothing. */
export function isPlaceholder(text: string): boolean {
  return PLACEHOLDER.test(text);
}
