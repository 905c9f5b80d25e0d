// Command-line layer: `taintwise lsp`.
import type { Arguments } from "./arguments.ts";
import type { ExitCode, Host } from "./host.ts";
import { Unusable } from "./unusable.ts";

/** Starts the language server on standard input and output; resolves when it has been loaded and listens. */
export async function run(args: Arguments, host: Host): Promise<ExitCode> {
  const [extra] = args.operands;
  if (extra !== undefined) throw new Unusable(`lsp takes no operand, but got "${extra}".`);
  if (args.all("cluster").includes("-")) {
    throw new Unusable("lsp cannot read a cluster from standard input, which carries the protocol; name a file.");
  }
  if (host.startLanguageServer === null) {
    throw new Unusable("The language server is not part of this build; run npm run build.");
  }
  await host.startLanguageServer();
  return 0;
}
