// Sentences that say the same of several objects are said once.
import { expect, it } from "vitest";
import { foldSentences } from "../../server/src/report/fold-sentences.ts";

it("joins sentences that differ in one stretch of words", () => {
  const text =
    "Add x to the tolerations of DaemonSet a/one in its template. Add x to the tolerations of DaemonSet b/two in its template. Look at the node.";
  expect(foldSentences(text)).toEqual([
    "Add x to the tolerations of DaemonSet a/one, b/two in its template.",
    "Look at the node.",
  ]);
});

it("leaves different sentences, and full stops inside of words, as they are", () => {
  expect(foldSentences("Restart it. See k8s.io for more! Done")).toEqual([
    "Restart it.",
    "See k8s.io for more!",
    "Done",
  ]);
  expect(foldSentences("Same words here. Same words here.")).toEqual(["Same words here."]);
  expect(foldSentences("")).toEqual([""]);
});
