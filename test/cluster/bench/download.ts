// Bench: what others take for the same lists.
import type { ControlPlane } from "../control-plane.ts";
import { programPath } from "../modules.ts";
import { type Run, run } from "./child.ts";

/**
 * curl for nodes and pods as protobuf, thrown away; `compressed` asks for gzip, as every client of Kubernetes does. A
 * stream that the server cut is asked for again.
 */
export async function curl(from: ControlPlane, compressed: boolean): Promise<Run> {
  const runs: Run[] = [];
  for (const kind of ["nodes", "pods"]) {
    const headers = [`Authorization: Bearer ${from.token}`, "Accept: application/vnd.kubernetes.protobuf"];
    runs.push(
      await again("curl", [
        ...["-sS", "--fail", "-o", "/dev/null", "--cacert", from.caPath],
        ...(compressed ? ["--compressed"] : []),
        ...headers.flatMap((header) => ["-H", header]),
        `${from.server}/api/v1/${kind}`,
      ]),
    );
  }
  return {
    seconds: runs.reduce((sum, { seconds }) => sum + seconds, 0),
    peak: Math.max(...runs.map(({ peak }) => peak)),
  };
}

/** kubectl for nodes and pods; `output` is its `-o`, empty for the table. */
export function kubectl(from: ControlPlane, output: string): Promise<Run> {
  const format = output === "" ? [] : ["-o", output];
  return run(programPath("kubectl"), ["--kubeconfig", from.kubeconfigPath, "get", "nodes,pods", "-A", ...format]);
}

/** Tries of one download. */
const TRIES = 3;

/** Runs a program until it succeeds; the time is that of the run that did. */
async function again(program: string, args: readonly string[]): Promise<Run> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run(program, args);
    } catch (error) {
      if (attempt === TRIES) throw error;
    }
  }
}
