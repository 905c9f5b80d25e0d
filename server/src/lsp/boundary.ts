// LSP layer: the one place where errors and cancellation of requests end. A failing rule never ends the server.
import { type CancellationToken, LSPErrorCodes, ResponseError } from "vscode-languageserver";

export interface ServerLog {
  error(message: string): void;
  warn(message: string): void;
  info(message: string): void;
}

/** Runs a request; an error is logged with what was asked and answered by `fallback`, cancellation by the protocol's code. */
export async function answer<T>(
  what: string,
  log: ServerLog,
  token: CancellationToken,
  fallback: T,
  run: () => T | Promise<T>,
): Promise<T | ResponseError> {
  if (token.isCancellationRequested) return cancelled();
  try {
    const result = await run();
    return token.isCancellationRequested ? cancelled() : result;
  } catch (error) {
    if (error instanceof Cancelled) return cancelled();
    log.error(`${what}: ${describeError(error)}`);
    return fallback;
  }
}

/** Thrown between two steps of a long answer when nobody waits for it any more. */
export class Cancelled extends Error {
  override readonly name = "Cancelled";
}

/** Ends a long answer that nobody waits for; `answer` turns it into the protocol's code. */
export function throwIfCancelled(token: CancellationToken): void {
  if (token.isCancellationRequested) throw new Cancelled();
}

/** What a log says of an error: its stack, where it has one. */
export function describeError(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

function cancelled(): ResponseError {
  return new ResponseError(LSPErrorCodes.RequestCancelled, "cancelled");
}

/** The library answers with an error only when one is thrown. */
export function orThrow<T>(result: T | ResponseError): T {
  if (result instanceof ResponseError) throw result;
  return result;
}
