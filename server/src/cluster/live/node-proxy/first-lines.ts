// Live cluster, node proxy: the beginning of a body, however large the whole is.
import type { Readable } from "node:stream";

export interface Limits {
  /** Bytes that are read; then the connection is closed. */
  readonly bytes: number;
  /** Milliseconds for the whole body. */
  readonly deadline: number;
}

export interface Beginning {
  readonly text: string;
  /** Whether there was more than was read, or the body broke off. */
  readonly truncated: boolean;
}

/**
 * Reads a text until its end or a limit. What came before a break is kept: half a log is better than none.
 * Rejects only when `signal` is aborted.
 */
export async function readBeginning(body: Readable, limits: Limits, signal: AbortSignal): Promise<Beginning> {
  const chunks: Buffer[] = [];
  let size = 0;
  let truncated = false;
  const stop = (): void => {
    truncated = true;
    body.destroy();
  };
  const timer = setTimeout(stop, limits.deadline);
  signal.addEventListener("abort", stop);
  try {
    for await (const chunk of body) {
      const piece: Buffer = chunk;
      const room = limits.bytes - size;
      if (piece.length > room) {
        chunks.push(piece.subarray(0, room));
        truncated = true;
        break;
      }
      chunks.push(piece);
      size += piece.length;
    }
  } catch {
    // The reason that a body breaks off changes nothing: what came is used, and said to be not all.
    truncated = true;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
    body.destroy();
  }
  signal.throwIfAborted();
  return { text: Buffer.concat(chunks).toString("utf8"), truncated };
}
