// Explorer layer, reports: what to look at on the node itself, as blocks to copy. Nothing of it is run from here.
import { code } from "../../report/markdown.ts";
import { namedOn } from "../../triage/facts/resources.ts";
import type { JudgedCluster } from "../judged-cluster.ts";
import { debugNode } from "./kubectl.ts";
import { type NodePrograms, programsOf } from "./node-programs.ts";
import { type Block, DEVICE_BLOCKS, linuxBlocks, WINDOWS_BLOCKS } from "./on-node-blocks.ts";

/** The checklist for a node; blocks for accelerators only where the node has, had or announces them. */
export function onNodeChecklist(cluster: JudgedCluster, node: string): string {
  const programs = programsOf(cluster.facts.nodes.get(node));
  const [blocks, language] = programs.windows
    ? [WINDOWS_BLOCKS, "powershell"]
    : [[...linuxBlocks(programs), ...deviceBlocks(cluster, node)], "sh"];
  return `${[
    `## On the node ${code(node)}`,
    "",
    ...wayIn(cluster, node, programs),
    ...(programs.note === "" ? [] : ["", programs.note]),
    ...blocks.flatMap((block) => [
      "",
      `### ${block.title}`,
      "",
      block.expect,
      "",
      `\`\`\`${language}`,
      ...block.lines,
      "```",
    ]),
  ].join("\n")}\n`;
}

function deviceBlocks(cluster: JudgedCluster, node: string): readonly Block[] {
  const facts = cluster.facts.nodes.get(node);
  if (facts === undefined) return [];
  const names = [...namedOn(facts.node), ...cluster.facts.index.lacks(facts).map((lack) => lack.resource)];
  return DEVICE_BLOCKS.filter(({ resources }) => names.some((name) => resources.test(name)));
}

function wayIn(cluster: JudgedCluster, node: string, { windows }: NodePrograms): readonly string[] {
  if (windows) {
    return [
      "This is a Windows node. `kubectl debug` makes pods for Linux: the way in is Remote Desktop, SSH, or a HostProcess pod with PowerShell.",
    ];
  }
  const ready = cluster.facts.nodes.get(node)?.ready;
  return [
    "The way in, where there is no other. The node's file system is under `/host`; the pod stays until it is deleted:",
    "",
    "```sh",
    debugNode(cluster.access, node),
    "chroot /host",
    "```",
    ...(ready === "Unknown" || ready === "False"
      ? [
          "",
          ready === "Unknown"
            ? "Its kubelet is silent, so that no pod starts there, this one neither: take SSH or the machine's console."
            : "It is not Ready: if the pod does not start, take SSH or the machine's console.",
        ]
      : []),
  ];
}
