// The main job, end to end, over examples/rdma-incident: `npm run demo`.

import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const cli = fileURLToPath(new URL("../dist/cli.js", import.meta.url));
const example = fileURLToPath(new URL("rdma-incident", import.meta.url));

const STEPS = [
  {
    title: "1. Weeks before: would tainting the RDMA nodes have hurt? Ask before anybody does it.",
    words: [
      ...["preflight", "--node", "rdma-1", "--node", "rdma-2", "--taint", "dedicated=rdma:NoSchedule"],
      ...["--cluster", "before.yaml"],
    ],
    expected: [0],
  },
  {
    title: "2. Nobody asked. The taint came, then a rollout; training pods hang. What is wrong with rdma-1?",
    words: ["triage", "rdma-1", "--cluster", "cluster.yaml"],
    expected: [1],
  },
  {
    title: "3. What the manifests say about it (in an editor: while they are typed).",
    words: ["check", "manifests", "--cluster", "cluster.yaml"],
    expected: [1],
  },
  {
    title: "4. The fix, as a diff.",
    words: [
      ...["fix", "manifests", "--cluster", "cluster.yaml", "--dry-run"],
      ...["--code", "toleration-gap,toleration-time-bomb"],
    ],
    expected: [0],
  },
];

if (!existsSync(cli)) {
  console.error("There is no build yet: run npm ci (or npm run build) first.");
  process.exit(2);
}
const colour = process.stdout.isTTY && !process.env.NO_COLOR;
const bold = (text) => (colour ? `\u001b[1m${text}\u001b[22m` : text);

for (const { title, words, expected } of STEPS) {
  console.log(`\n${bold("=".repeat(100))}\n${bold(title)}\n$ taintwise ${words.join(" ")}\n`);
  const { status } = spawnSync(process.execPath, [cli, ...words], { cwd: example, stdio: "inherit" });
  if (!expected.includes(status)) {
    console.error(`\nThe demo expected exit status ${expected.join(" or ")}, but got ${status}.`);
    process.exit(1);
  }
}
console.log(`
${bold("=".repeat(100))}
That was the command line. The same in an editor, while you type: ${bold("npm run editor")}
The files are in examples/rdma-incident; more commands: npx taintwise --help`);
