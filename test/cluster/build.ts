// Builds the programs of a test cluster from the Go modules beside this file.
// Programs that are there already are left alone: `node test/cluster/build.ts`.
import { spawn } from "node:child_process";
import { chmodSync, copyFileSync, existsSync, mkdirSync, renameSync } from "node:fs";
import { basename, join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { binaryFolder, type Module, modules } from "./modules.ts";

/** How often a long build says that it is alive, in milliseconds. */
const progressInterval = 15_000;

/**
 * Builds what is missing and tells `say` about it, a line at a time. Rejects
 * with the compiler's words when a build fails, or when Go is not installed.
 */
export async function buildPrograms(say: (line: string) => void): Promise<void> {
  for (const module of modules) await buildModule(module, say);
}

async function buildModule(module: Module, say: (line: string) => void): Promise<void> {
  const folder = binaryFolder(module);
  mkdirSync(folder, { recursive: true });
  for (const [program, goPackage] of Object.entries(module.programs)) {
    const target = join(folder, program);
    if (existsSync(target)) continue;
    const started = Date.now();
    const seconds = () => `${Math.round((Date.now() - started) / 1000)} s`;
    say(`${program}: building`);
    let compiled = 0;
    const timer = setInterval(() => say(`${program}: ${compiled} packages compiled, ${seconds()}`), progressInterval);
    // A build that is cut short must not look finished: built aside, then moved.
    const unfinished = `${target}.${process.pid}.unfinished`;
    const args = ["build", "-v", "-trimpath", "-ldflags", module.ldflags, "-o", unfinished, goPackage];
    try {
      await go(args, module.folder, () => {
        compiled++;
      });
    } finally {
      clearInterval(timer);
    }
    renameSync(unfinished, target);
    say(`${program}: built in ${seconds()}`);
  }
  await copyFiles(module, folder);
}

async function copyFiles(module: Module, folder: string): Promise<void> {
  if (module.files === undefined) return;
  const missing = module.files.paths.filter((path) => !existsSync(join(folder, basename(path))));
  if (missing.length === 0) return;
  const source = (
    await go(["list", "-m", "-f", "{{.Dir}}", module.files.module], module.folder, () => undefined)
  ).trim();
  for (const path of missing) {
    const target = join(folder, basename(path));
    copyFileSync(join(source, path), target);
    // Go's module cache is read-only, and the copies should not be.
    chmodSync(target, 0o644);
  }
}

/** Runs Go and gives its standard output; rejects with the end of its standard error. */
function go(args: readonly string[], folder: string, onLine: () => void): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn("go", args, { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
    const lines: string[] = [];
    createInterface({ input: child.stderr }).on("line", (line) => {
      lines.push(line);
      onLine();
    });
    let output = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
    child.on("error", (error) => reject(new Error(`Go is needed to build the test cluster: ${error.message}`)));
    child.on("close", (code) => {
      if (code === 0) resolve(output);
      else reject(new Error(`go ${args.join(" ")} failed with ${code}:\n${lines.slice(-30).join("\n")}`));
    });
  });
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  await buildPrograms((line) => console.log(line));
}
