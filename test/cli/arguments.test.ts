// The words of a command line, and the sentence for each that cannot be used.
import { describe, expect, it } from "vitest";
import { parseArguments } from "../../server/src/cli/arguments.ts";
import type { OptionName } from "../../server/src/cli/options.ts";

const OPTIONS: readonly OptionName[] = ["cluster", "format", "node", "remove", "output"];

const parse = (...words: string[]) => parseArguments(words, OPTIONS, "triage");

describe("options and operands", () => {
  it("takes values behind a space or an equals sign, and operands between them", () => {
    const args = parse("a.yaml", "--cluster", "one.yaml", "--cluster=two.yaml", "b.yaml", "-o", "out", "--remove");
    expect(args.operands).toEqual(["a.yaml", "b.yaml"]);
    expect(args.all("cluster")).toEqual(["one.yaml", "two.yaml"]);
    expect(args.one("output")).toBe("out");
    expect(args.has("remove")).toBe(true);
    expect(args.one("format")).toBeNull();
  });

  it("reads - as standard input, also as a value, and everything behind -- as operands", () => {
    const args = parse("--cluster", "-", "-", "--", "--cluster", "-x");
    expect(args.all("cluster")).toEqual(["-"]);
    expect(args.operands).toEqual(["-", "--cluster", "-x"]);
  });

  it("keeps an equals sign inside a value", () => {
    expect(parse("--node=a=b").one("node")).toBe("a=b");
    expect(parse("-oname").one("output")).toBe("name");
  });
});

describe("words that cannot be used", () => {
  it.each([
    [["--clutser", "x"], 'Unknown option --clutser for "triage". Did you mean --cluster? See taintwise triage --help.'],
    [["--dry-run"], 'Unknown option --dry-run for "triage". See taintwise triage --help.'],
    [["-x"], 'Unknown option -x for "triage". See taintwise triage --help.'],
    [["--cluster"], "--cluster needs a value: --cluster FILE|-."],
    [["--cluster", "--format", "json"], "--cluster needs a value: --cluster FILE|-."],
    [["--remove=yes"], '--remove takes no value, but got "yes".'],
    [["--format", "json", "--format", "text"], "--format is given twice."],
    [["--cluster="], "--cluster needs a value: --cluster FILE|-."],
    [["--cluster", ""], "--cluster needs a value: --cluster FILE|-."],
    [["a.yaml", ""], 'An argument of "triage" is empty.'],
  ])("%j", (words, message) => {
    expect(() => parse(...words)).toThrow(message);
  });
});
