// Stands in for the editor's API where client code is tested without an editor. Only what those tests reach.

export const l10n = {
  /** The message with its named parameters filled in, as VS Code does it. */
  t: (message: string, parameters: Readonly<Record<string, string | number>> = {}): string =>
    message.replace(/\{(\w+)\}/g, (placeholder, name: string) => String(parameters[name] ?? placeholder)),
};

export class EventEmitter<T> {
  readonly #listeners = new Set<(value: T) => void>();
  readonly event = (listener: (value: T) => void) => {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  };
  fire(value: T): void {
    for (const listener of this.#listeners) listener(value);
  }
  dispose(): void {
    this.#listeners.clear();
  }
}

/** Messages; a test says which button is pressed. */
export const window = {
  showWarningMessage: (..._shown: readonly unknown[]): Promise<string | undefined> => Promise.resolve(undefined),
  showInformationMessage: (..._shown: readonly unknown[]): Promise<string | undefined> => Promise.resolve(undefined),
};
