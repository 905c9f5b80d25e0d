// Command-line layer: the world a command runs in. The entry point hands in the real one, tests hand in their own.

export interface OutputStream {
  /** Writes text for people: colour marks become sequences, characters that a terminal would obey are replaced. */
  readonly write: (text: string) => void;
  /** Writes text as it is: for another program, or to move the cursor. */
  readonly raw: (text: string) => void;
  readonly isTerminal: boolean;
  /** Columns of the terminal as it is now; 100 where there is none. */
  readonly columns: number;
  /** Lines of the terminal as it is now; null where there is none. */
  readonly rows: number | null;
  /** Calls `listener` after the terminal got another size. */
  readonly onResize: (listener: () => void) => void;
}

export interface Host {
  /** Absolute path that relative arguments start from. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  /** Reads standard input to its end. */
  readonly readStdin: () => Promise<Buffer>;
  /** Milliseconds on a clock that only measures durations (progress); never the observation time. */
  readonly elapsed: () => number;
  /** Starts the language server, which reads the process's own arguments; resolves when it listens. null: none here. */
  readonly startLanguageServer: (() => Promise<void>) | null;
}

/** 0: clean; 1: findings at or above --fail-on; 2: a path, flag, cluster or configuration is unusable. */
export type ExitCode = 0 | 1 | 2;
