// Every finding code has its page, and no page is left without a code.
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { FINDING_CODES } from "../../shared/src/codes.ts";

const folder = new URL("../../docs/findings/", import.meta.url);

describe("pages of findings", () => {
  it("are one for every code", () => {
    const pages = readdirSync(folder).filter((file) => file !== "README.md");
    expect(pages.sort()).toEqual(FINDING_CODES.map((code) => `${code}.md`).sort());
  });

  it("say what, why, where it was seen, what to do and when it is silent", () => {
    for (const code of FINDING_CODES) {
      const text = readFileSync(new URL(`${code}.md`, folder), "utf8");
      const headings = [...text.matchAll(/^#+ (.*)$/gm)].map((match) => match[1]);
      expect(headings).toEqual([
        code,
        "What",
        "Why it matters",
        "Seen in the wild",
        "What to do",
        "When it stays silent",
      ]);
    }
  });

  it("are listed in the overview", () => {
    const overview = readFileSync(new URL("README.md", folder), "utf8");
    for (const code of FINDING_CODES) expect(overview).toContain(`[${code}](${code}.md)`);
  });
});
