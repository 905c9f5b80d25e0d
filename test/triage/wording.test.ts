// Words of containers and components, as a report repeats them.
import { expect, it } from "vitest";
import { quote } from "../../server/src/triage/wording/list.ts";

it.each([
  ["\u001b[31mpanic:\u001b[0m no config\n", '"panic: no config"'],
  ["line one\r\n\tline two\u0007", '"line one line two"'],
  ["at\n[3s] timeout", '"at [3s] timeout"'],
  ["\u001b[2J\u001b[1;1Hgone", '"gone"'],
])("%j is quoted on one line, without what a terminal reads", (text, quoted) => {
  expect(quote(text)).toBe(quoted);
});
