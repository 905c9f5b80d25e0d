// Command-line layer: `taintwise contexts`. Reads files only; no cluster is contacted and no plugin started.
import { readContexts } from "../cluster/live/open-context.ts";
import { commonJson, jsonText } from "../report/document.ts";
import type { Arguments } from "./arguments.ts";
import type { ExitCode, Host } from "./host.ts";
import { formatOf } from "./settings.ts";
import { Unusable } from "./unusable.ts";

/** Lists the contexts of the kubeconfig as kubectl finds it; 2 when there is none. */
export async function run(args: Arguments, host: Host): Promise<ExitCode> {
  const [extra] = args.operands;
  if (extra !== undefined) throw new Unusable(`contexts takes no operand, but got "${extra}".`);
  const format = formatOf(args, "contexts", ["text", "json"]);
  const loaded = await readContexts({ kubeconfig: "", environment: host.env });
  for (const { path, line, character, message } of loaded.problems) {
    host.stderr.write(`taintwise: ${path}:${line + 1}:${character + 1}: ${message}\n`);
  }
  const contexts = loaded.contexts.map(({ name, path, cluster, namespace, unusable }) => ({
    name,
    current: name === loaded.currentContext,
    server: cluster?.server ?? null,
    namespace: namespace === "" ? null : namespace,
    file: path,
    unusable,
  }));
  const json = { ...commonJson([]), contexts };
  if (format === "json") host.stdout.write(jsonText(json));
  else {
    const width = Math.max(0, ...contexts.map(({ name }) => name.length));
    for (const { name, current, server, unusable } of contexts) {
      const detail = unusable === null ? (server ?? "") : `not usable: ${unusable}`;
      host.stdout.write(`${current ? "*" : " "} ${name.padEnd(width)}  ${detail}\n`);
    }
    if (contexts.length === 0) host.stderr.write("taintwise: The kubeconfig holds no context.\n");
  }
  return contexts.length === 0 ? 2 : 0;
}
