// Features layer: messages as templates with named parameters. Each rule keeps its own in an exported `messages`
// record, so that a script can gather them into a bundle to translate.

/** The parameters that a template names in braces. */
export type Parameters<Template extends string> = Template extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Parameters<Rest>
  : never;

/** Puts the values into a template; each `{name}` is replaced once, and values are not read as templates. */
export function fill<Template extends string>(
  template: Template,
  values: Readonly<Record<Parameters<Template>, string | number>>,
): string {
  const known = new Map<string, string | number>(Object.entries(values));
  return template.replace(/\{(\w+)\}/g, (whole, name: string) => String(known.get(name) ?? whole));
}

/** Joins a list for people: the first `limit`, then how many more. A declared pool loses its brackets. */
export function listing(items: readonly string[], limit = 3): string {
  const shown = items.slice(0, limit).map(withoutBrackets).join(", ");
  return items.length > limit ? `${shown} +${items.length - limit}` : shown;
}

/** `(pool name)`, a name that no node can have, as `pool name`. */
export function withoutBrackets(name: string): string {
  return name.startsWith("(pool ") ? name.slice(1, -1) : name;
}

/** `1 node`, `3 nodes`. */
export function count(amount: number, noun: string): string {
  return amount === 1 ? `1 ${noun}` : `${amount} ${noun}s`;
}
