// Live cluster, node proxy: the answer to a log query. A kubelet that has none answers 200 all the same.
// Seen on kubelet 1.37: without enableSystemLogQuery a listing of /var/log in HTML; without a journal of the unit, or
// without journalctl, a notice that the query leads to files. Source: k8s.io/kubernetes/pkg/kubelet
// (Kubelet.Run, nodeLogQuery.copyForBoot), systemd journalctl.
import type { Asked, NodeLog } from "../../on-node.ts";
import type { Beginning } from "./first-lines.ts";

const NOTICE =
  /^(options present and query resolved to log files for |try without specifying options$|log not found for )/;
/** What journalctl says between and instead of lines. */
const FRAME = /^-- .* --$|^Hint: |^Compiled without pattern matching support|^No journal files were/;

/** Whether the node's journalctl cannot search: then the lines must be asked for without a pattern. */
export function lacksPatterns({ text }: Beginning): boolean {
  return /^Compiled without pattern matching support/m.test(text);
}

/** Reads an answer of status 200. `type` is its content type. */
export function readNodeLog(node: string, type: string, { text, truncated }: Beginning): Asked<NodeLog> {
  if (type.includes("html") || /^\s*<(!doctype|pre|html)/i.test(text)) {
    return {
      kind: "not enabled",
      reason: `The kubelet of ${node} answers a log query with a listing of /var/log: its log query is off (enableSystemLogQuery, by default false; before 1.36 also the feature gate NodeLogQuery).`,
    };
  }
  const all = text.split(/\r?\n/);
  // The last line of half a text is half a line.
  const whole = truncated ? all.slice(0, -1) : all;
  const lines = whole.filter((line) => line !== "" && !NOTICE.test(line) && !FRAME.test(line));
  if (lines.length > 0) return { kind: "answered", value: { lines, truncated } };
  if (/^No journal files were/m.test(text)) {
    return { kind: "not enabled", reason: `${node} keeps no journal that journalctl finds.` };
  }
  // A unit without a journal beside one that has one, and nothing to say, is no refusal.
  if (/^(options present|log not found)/m.test(text) && !/^-- No entries --$/m.test(text)) {
    return {
      kind: "not enabled",
      reason: `The kubelet of ${node} finds no journal of this unit: it logs to a file, has another name, or the kubelet has no journalctl.`,
    };
  }
  return { kind: "answered", value: { lines: [], truncated } };
}
