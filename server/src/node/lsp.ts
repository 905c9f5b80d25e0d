// Entry point of the language server: makes the connection and guards the process; everything else is in server/src/lsp.
import { resolve } from "node:path";
import { createConnection, ProposedFeatures } from "vscode-languageserver/node";
import { cacheFolder } from "../cluster/live/cache-folder.ts";
import { describeError } from "../lsp/boundary.ts";
import type { ClusterSource } from "../lsp/clusters/source.ts";
import { serve } from "../lsp/server.ts";
import { collectEarly, keepYoungGenerationSmall } from "./heap.ts";

keepYoungGenerationSmall();
collectEarly();

/** Serves the client at the other end of stdio or IPC. */
function startLanguageServer(args: readonly string[]): void {
  // The library finds its transport in the process's own arguments.
  if (!args.some((arg) => arg === "--node-ipc" || arg === "--stdio")) process.argv.push("--stdio");
  const connection = createConnection(ProposedFeatures.all);
  // Nothing that floats may end the server: requests have their own boundary, these are the rest.
  process.on("uncaughtException", (error) => connection.console.error(`uncaught: ${describeError(error)}`));
  process.on("unhandledRejection", (error) => connection.console.error(`unhandled: ${describeError(error)}`));
  serve(connection, {
    sources: sourcesOf(args),
    readStdin: () => Promise.reject(new Error("standard input carries the protocol; a cluster cannot be read from it")),
    environment: process.env,
    storage: cacheFolder(process.env),
    now: () => Date.now(),
    exit: (code) => process.exit(code),
  });
  connection.listen();
}

/** `--cluster FILE` and `--context NAME`, also written with `=`. */
function sourcesOf(args: readonly string[]): readonly ClusterSource[] {
  return args.flatMap((arg, index): readonly ClusterSource[] => {
    const [flag = "", ...rest] = arg.split("=");
    const value = rest.length > 0 ? rest.join("=") : (args[index + 1] ?? "");
    if (flag === "--cluster") return [{ kind: "file", path: value === "-" ? value : resolve(value), name: null }];
    if (flag === "--context") return [{ kind: "context", context: value, kubeconfig: null, name: null }];
    return [];
  });
}

startLanguageServer(process.argv.slice(2));
