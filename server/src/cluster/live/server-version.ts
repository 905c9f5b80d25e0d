// Live cluster: the version an API server tells of itself.
import type { ApiClient } from "./transport/api-client.ts";
import { readChunks } from "./watch/body.ts";
import type { ReflectorLimits } from "./watch/limits.ts";

/** Characters of an answer that can be a version. */
const LONGEST = 64 * 1024;

/** "1.37" as /version says; empty when it cannot be read: the cluster is followed without it. Never rejects. */
export async function readVersion(client: ApiClient, limits: ReflectorLimits, signal: AbortSignal): Promise<string> {
  let text = "";
  try {
    const answer = await client.get("/version", "application/json", limits.deadline, signal);
    await readChunks(answer.body, limits.deadline, signal, (chunk) => {
      if (text.length < LONGEST) text += chunk.toString("latin1");
    });
  } catch {
    // The resources tell why the server cannot be read; here nothing is known, and that is all.
    return "";
  }
  return /"gitVersion"\s*:\s*"v?(\d+\.\d+)/.exec(text)?.[1] ?? "";
}
