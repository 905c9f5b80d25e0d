// Command-line layer: how a context of the kubeconfig is opened, as the options say.
import type { LiveSettings } from "../../cluster/live/open-context.ts";
import type { Arguments } from "../arguments.ts";
import type { Host } from "../host.ts";
import { listOf } from "../settings.ts";

/** Settings of the live reader. Lines that a credential plugin writes for a person go to stderr. */
export async function liveSettings(args: Arguments, host: Host): Promise<LiveSettings> {
  const { defaultLiveSettings } = await import("../../cluster/live/open-context.ts");
  return {
    ...defaultLiveSettings(host.env, (line) => host.stderr.write(`${line}\n`)),
    namespaces: listOf(args, "namespace"),
    pluginsAllowed: !args.has("no-plugins"),
    mayUsePlainHttp: () => args.has("plain-http"),
  };
}
