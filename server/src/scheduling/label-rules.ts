// Scheduling layer: what label keys, label values and node names may look like, in the API server's words.

const NAME = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
const NAME_PATTERN = new RegExp(`^${NAME}$`);
const NAME_RULE =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
const VALUE = `(${NAME})?`;
const VALUE_PATTERN = new RegExp(`^${VALUE}$`);
const DNS_LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
const SUBDOMAIN = `${DNS_LABEL}(\\.${DNS_LABEL})*`;
const SUBDOMAIN_PATTERN = new RegExp(`^${SUBDOMAIN}$`);
const NAME_EXAMPLES = ["MyName", "my.name", "123-abc"];

/** Every rule a label key breaks; empty when it is valid. Source: k8s.io/apimachinery content.IsLabelKey. */
export function labelKeyProblems(key: string): readonly string[] {
  const parts = key.split("/");
  if (parts.length > 2) {
    const rule = withExamples(NAME_RULE, NAME, NAME_EXAMPLES);
    return [`a valid label key ${rule} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`];
  }
  const problems: string[] = [];
  const prefix = parts.length === 2 ? (parts[0] ?? "") : null;
  const name = parts[parts.length - 1] ?? "";
  if (prefix === "") problems.push("prefix part must be non-empty");
  else if (prefix !== null) problems.push(...subdomainProblems(prefix).map((problem) => `prefix part ${problem}`));
  if (name === "") problems.push("name part must be non-empty");
  else if (isLonger(name, 63)) problems.push("name part must be no more than 63 bytes");
  if (!NAME_PATTERN.test(name)) problems.push(`name part ${withExamples(NAME_RULE, NAME, NAME_EXAMPLES)}`);
  return problems;
}

/** Every rule a label value breaks; the empty value is valid. Source: k8s.io/apimachinery content.IsLabelValue. */
export function labelValueProblems(value: string): readonly string[] {
  const problems: string[] = [];
  if (isLonger(value, 63)) problems.push("must be no more than 63 bytes");
  if (!VALUE_PATTERN.test(value)) {
    const rule = `a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character`;
    problems.push(withExamples(rule, VALUE, ["MyValue", "my_value", "12345"]));
  }
  return problems;
}

/** Every rule a DNS subdomain (a node's name) breaks. Source: k8s.io/apimachinery content.IsDNS1123Subdomain. */
function subdomainProblems(name: string): readonly string[] {
  const problems: string[] = [];
  if (isLonger(name, 253)) problems.push("must be no more than 253 bytes");
  if (!SUBDOMAIN_PATTERN.test(name)) {
    const rule =
      "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character";
    problems.push(withExamples(rule, SUBDOMAIN, ["example.com"]));
  }
  return problems;
}

/** Source: k8s.io/apimachinery content.RegexError, whose separators leave two blanks before each `or`. */
function withExamples(rule: string, pattern: string, examples: readonly string[]): string {
  const quoted = examples.map((example) => `'${example}', `).join(" or ");
  return `${rule} (e.g. ${quoted}regex used for validation is '${pattern}')`;
}

/** Whether the text is longer than so many bytes of UTF-8, as Go counts strings. */
function isLonger(text: string, bytes: number): boolean {
  if (text.length * 3 <= bytes) return false;
  return text.length > bytes || new TextEncoder().encode(text).length > bytes;
}
