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
      await run("curl", [
        ...["-sS", "--fail", "--retry", "2", "--retry-all-errors", "-o", "/dev/null", "--cacert", from.caPath],
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
