// kubectl of the test cluster's version.
import { spawn } from "node:child_process";
import { programPath } from "./modules.ts";

/** Runs kubectl and gives its standard output; rejects with its standard error. */
export function runKubectl(args: readonly string[], input = ""): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(programPath("kubectl"), args, { stdio: ["pipe", "pipe", "pipe"] });
    let output = "";
    let complaint = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      complaint += text;
    });
    child.on("error", reject);
    child.on("close", (code) => {
      if (code === 0) resolve(output);
      else reject(new Error(`kubectl ${args.join(" ")} ended with ${code}:\n${complaint}`));
    });
    // kubectl may end before it has read everything; its exit code says enough.
    child.stdin.on("error", () => undefined);
    child.stdin.end(input);
  });
}
