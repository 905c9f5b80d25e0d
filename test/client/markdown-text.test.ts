// Plain text in a hover: nothing of it is read as Markdown, and its blanks stay blanks.
import { expect, it } from "vitest";
import { markdownText } from "../../client/src/markdown-text.ts";

it.each([
  ["rdma/hca gone: blocked by dedicated=rdma:NoSchedule", "rdma/hca gone: blocked by dedicated=rdma:NoSchedule"],
  ["Add - {key: dedicated}", "Add \\- \\{key: dedicated\\}"],
  ["1. <b>*x*</b> [a](b) `c` & d | e", "1\\. \\<b\\>\\*x\\*\\</b\\> \\[a\\]\\(b\\) \\`c\\` \\& d \\| e"],
])("%s", (text, expected) => {
  expect(markdownText(text)).toBe(expected);
});
