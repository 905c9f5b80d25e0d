// Bench: the smallest language client: a server process on stdio, and messages as they are.
import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";

export interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
}

export class LspClient {
  readonly #child: ChildProcess;
  readonly #onMessage: (message: Message) => void;
  readonly #waiting = new Map<number, (result: unknown) => void>();
  #chunks: Buffer[] = [];
  #size = 0;
  #ids = 0;

  /** `onMessage` hears of what the server says by itself; its requests are answered with null. */
  constructor(server: string, args: readonly string[], onMessage: (message: Message) => void) {
    this.#onMessage = onMessage;
    this.#child = spawn(process.execPath, [server, "--stdio", ...args], { stdio: ["pipe", "pipe", "ignore"] });
    this.#child.stdout?.on("data", (bytes: Buffer) => this.#take(bytes));
  }

  notify(method: string, params: unknown): void {
    this.#send({ method, params });
  }

  request(method: string, params: unknown): Promise<unknown> {
    this.#ids += 1;
    const id = this.#ids;
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      this.#send({ id, method, params });
    });
  }

  /** Bytes of memory that the process holds, and held at most; 0 where the platform does not tell. */
  memory(): { readonly now: number; readonly most: number } {
    try {
      const status = readFileSync(`/proc/${this.#child.pid}/status`, "utf8");
      const of = (name: string): number =>
        Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(status)?.[1] ?? 0) * 1024;
      return { now: of("VmRSS"), most: of("VmHWM") };
    } catch {
      // There is no /proc here.
      return { now: 0, most: 0 };
    }
  }

  /** Milliseconds of CPU that the process has used, all its threads together; 0 where the platform does not tell. */
  cpu(): number {
    try {
      const fields = readFileSync(`/proc/${this.#child.pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
      // utime and stime, in hundredths of a second.
      return (Number(fields[11]) + Number(fields[12])) * 10;
    } catch {
      // There is no /proc here.
      return 0;
    }
  }

  async stop(): Promise<void> {
    const gone = new Promise((resolve) => this.#child.once("exit", resolve));
    await this.request("shutdown", null);
    this.notify("exit", null);
    await gone;
  }

  #send(message: object): void {
    const body = JSON.stringify({ jsonrpc: "2.0", ...message });
    this.#child.stdin?.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  }

  #take(bytes: Buffer): void {
    this.#chunks.push(bytes);
    this.#size += bytes.length;
    for (;;) {
      const first = this.#chunks[0];
      if (first === undefined) return;
      const head = /^Content-Length: (\d+)\r\n\r\n/.exec(first.subarray(0, 64).toString("latin1"));
      const needed = head === null ? Number.POSITIVE_INFINITY : head[0].length + Number(head[1]);
      if (head === null && this.#chunks.length === 1) return;
      if (head !== null && this.#size < needed) return;
      const all = this.#chunks.length === 1 ? first : Buffer.concat(this.#chunks);
      this.#chunks = [all];
      if (head === null) continue;
      const message: Message = JSON.parse(all.subarray(head[0].length, needed).toString("utf8"));
      const rest = all.subarray(needed);
      this.#chunks = rest.length === 0 ? [] : [rest];
      this.#size = rest.length;
      this.#hear(message);
    }
  }

  #hear(message: Message): void {
    const { id, method } = message;
    if (method === undefined) {
      if (typeof id !== "number") return;
      this.#waiting.get(id)?.(message.result);
      this.#waiting.delete(id);
      return;
    }
    if (id !== undefined) this.#send({ id, result: null });
    this.#onMessage(message);
  }
}
