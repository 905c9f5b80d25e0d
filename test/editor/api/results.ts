// What the API suite writes for the process that started the editor.

export interface ApiResults {
  readonly vscode: string;
  readonly node: string;
  readonly tests: readonly {
    readonly name: string;
    readonly seconds: number;
    /** null when it passed. */
    readonly error: string | null;
  }[];
}
