// LSP layer: documents that were at hand each time the process ended, as the client counted. Reading one might end it again.
import { uriKey } from "./uri.ts";

/** Holds them until they are written again: then they may be well. */
export class Quarantine {
  readonly #keys: Set<string>;

  /** `uris` in any spelling. */
  constructor(uris: readonly string[]) {
    this.#keys = new Set(uris.map(uriKey));
  }

  holds(uri: string): boolean {
    return this.#keys.size > 0 && this.#keys.has(uriKey(uri));
  }

  release(uri: string): void {
    this.#keys.delete(uriKey(uri));
  }
}
