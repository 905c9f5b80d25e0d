#!/usr/bin/env node
// Entry point of the command line: hands the process to `run`, and nothing else.
import { existsSync } from "node:fs";
import module from "node:module";
import process from "node:process";
import type { WriteStream } from "node:tty";
import { setFlagsFromString } from "node:v8";
import type { Host, OutputStream } from "../cli/host.ts";
import { run } from "../cli/run.ts";
import { reasonOf } from "../cli/unusable.ts";
import { terminalText } from "../report/printable.ts";

// Node 22 and later keep compiled code between runs; Node 20 has no such function.
module.enableCompileCache?.();

// The young generation stays as small as it starts: half the memory over thousands of files, in the same time.
setFlagsFromString("--semi-space-growth-factor=1");

/** A reader that goes away (`| head`) is no error: stop without a word. A full disk is one. */
function onStreamError(error: NodeJS.ErrnoException): void {
  if (error.code === "EPIPE") process.exit();
  process.stderr.write(`taintwise: The output cannot be written: ${reasonOf(error)}.\n`);
  process.exit(2);
}

function outputStream(stream: WriteStream): OutputStream {
  stream.on("error", onStreamError);
  return {
    write: (text) => {
      stream.write(terminalText(text));
    },
    raw: (text) => {
      stream.write(text);
    },
    isTerminal: stream.isTTY === true,
    get columns() {
      return stream.columns ?? 100;
    },
    get rows() {
      return stream.rows ?? null;
    },
    onResize: (listener) => {
      stream.on("resize", listener);
    },
  };
}

async function readStdin(): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk)));
  return Buffer.concat(chunks);
}

/** The language server beside this file: the bundle, or its source when run without a build. */
const languageServer = [new URL("./server.cjs", import.meta.url), new URL("./lsp.ts", import.meta.url)].find((url) =>
  existsSync(url),
);

const host: Host = {
  cwd: process.cwd(),
  env: process.env,
  stdout: outputStream(process.stdout),
  stderr: outputStream(process.stderr),
  readStdin,
  elapsed: () => performance.now(),
  startLanguageServer:
    languageServer === undefined
      ? null
      : async () => {
          await import(languageServer.href);
        },
};

process.exitCode = await run(process.argv.slice(2), host);
