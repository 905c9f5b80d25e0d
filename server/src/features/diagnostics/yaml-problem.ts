// Diagnostic `yaml-problem`: a document that matters cannot be read as written.
import { isFatal } from "../../yaml/parse.ts";
import type { YamlProblem } from "../../yaml/tree.ts";
import { fill } from "../fill.ts";
import type { DocumentContext, DocumentRule, Found } from "./rule.ts";

export const messages = {
  fatal: "{problem} Kubernetes cannot read this document; its workloads are not judged beyond this point.",
  duplicate: "{problem} A strict reader refuses the document; otherwise only the last one counts.",
} as const;

/** What every YAML extension reports by itself. */
const COMMON_PROBLEMS: ReadonlySet<YamlProblem["code"]> = new Set(["syntax", "tab-indent"]);

export const yamlProblem: DocumentRule = {
  code: "yaml-problem",
  subject: "document",
  check(context) {
    if (!matters(context)) return [];
    return told(context).map((problem): Found => {
      const template = isFatal(problem) ? messages.fatal : messages.duplicate;
      return { severity: "error", span: problem.span, message: fill(template, { problem: sentence(problem.message) }) };
    });
  },
};

/** Of syntax errors only the first: the others follow from it more often than not. */
function told({ document, options }: DocumentContext): readonly YamlProblem[] {
  const { problems } = document.yaml;
  const first = problems.find((problem) => COMMON_PROBLEMS.has(problem.code));
  return problems.filter((problem) => {
    return COMMON_PROBLEMS.has(problem.code) ? problem === first && !options.yamlErrorsShown : true;
  });
}

/** A document with workloads, or one that could not be read as Kubernetes would, so that what it holds is unknown. */
function matters({ file, document }: DocumentContext): boolean {
  if (file.template) return false;
  return document.workloads.length > 0 || document.other === null;
}

function sentence(text: string): string {
  const trimmed = text.trim().replace(/^./, (first) => first.toUpperCase());
  return /[.!?]$/.test(trimmed) ? trimmed : `${trimmed}.`;
}
