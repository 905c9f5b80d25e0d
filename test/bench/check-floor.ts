// Bench, run as a process of its own: the least that a check of a folder could cost if it left nothing out: every file
// read, a regular expression passed over it, and the documents that can hold a workload parsed with `yaml`.
import { parseDocument } from "yaml";
import { isTemplateFile } from "../../server/src/workload/template.ts";
import { scanDocuments } from "../../server/src/yaml/scan.ts";
import { corpusFiles } from "../corpus/files.ts";

const folder = process.argv[2] ?? "";
const kinds = /^kind:/gm;
let found = 0;
for (const { path, read } of corpusFiles(folder)) {
  const text = read();
  found += text.match(kinds)?.length ?? 0;
  if (isTemplateFile(text, path, null)) continue;
  for (const { span } of scanDocuments(text)) parseDocument(text.slice(span.start, span.end), { logLevel: "silent" });
}
if (found === 0) process.exitCode = 1;
