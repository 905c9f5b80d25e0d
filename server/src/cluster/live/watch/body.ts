// Live cluster, watching: the body of an answer, as long as it says something.
import type { Readable } from "node:stream";

/**
 * Hands on the chunks of a body until it ends; false when no byte came for `silence` milliseconds and it was closed.
 * Rejects when the connection breaks, `signal` is aborted, or `take` throws; the body is closed in every case.
 */
export async function readChunks(
  body: Readable,
  silence: number,
  signal: AbortSignal,
  take: (chunk: Buffer) => void,
): Promise<boolean> {
  let silent = false;
  const stop = (): void => {
    body.destroy();
  };
  const timer = setTimeout(() => {
    silent = true;
    stop();
  }, silence);
  signal.addEventListener("abort", stop);
  try {
    for await (const chunk of body) {
      timer.refresh();
      take(chunk);
    }
  } catch (error) {
    if (!silent) throw error;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
    stop();
  }
  return !silent;
}
