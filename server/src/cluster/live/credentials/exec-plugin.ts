// Live cluster, credentials: an exec plugin of a kubeconfig user. One run at a time per user; no terminal, a deadline,
// nothing inherited but the environment. Source: k8s.io/client-go/plugin/pkg/client/auth/exec.
import { spawn } from "node:child_process";
import { delimiter, dirname, isAbsolute, resolve } from "node:path";
import type { ExecEntry } from "../kubeconfig/entry.ts";
import type { Endpoint } from "../transport/endpoint.ts";
import { type Credential, CredentialError, type CredentialSource, type RequestHeaders } from "./credential.ts";

const API_VERSIONS = ["client.authentication.k8s.io/v1", "client.authentication.k8s.io/v1beta1"];
/** A credential is renewed this many milliseconds before it says it ends: clocks differ. */
const MARGIN = 30_000;
/** Characters of the plugin's output that a message quotes. */
const QUOTED = 300;

export interface ExecSurroundings {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** More folders to look for the command in, before PATH. */
  readonly extraPath: readonly string[];
  /** Milliseconds a run may take. */
  readonly deadline: number;
  readonly now: () => number;
  /** Lines that the plugin writes to stderr, as they come. */
  readonly onOutput: (line: string) => void;
  /** False: plugins must not run (an untrusted workspace, a flag, not asked for yet). */
  readonly allowed: () => boolean;
}

interface Held {
  readonly credential: Credential;
  /** Milliseconds since the epoch; null: until the server refuses it. */
  readonly expires: number | null;
}

export class ExecPlugin implements CredentialSource {
  readonly #entry: ExecEntry;
  readonly #folder: string;
  readonly #endpoint: Endpoint;
  readonly #around: ExecSurroundings;
  readonly #impersonation: RequestHeaders;
  #held: Held | null = null;
  #running: Promise<Credential> | null = null;

  /** `path` is the kubeconfig file of the user entry: a command with a separator is relative to its folder. */
  constructor(
    entry: ExecEntry,
    path: string,
    endpoint: Endpoint,
    impersonation: RequestHeaders,
    around: ExecSurroundings,
  ) {
    this.#entry = entry;
    this.#folder = dirname(path);
    this.#endpoint = endpoint;
    this.#impersonation = impersonation;
    this.#around = around;
  }

  current(signal: AbortSignal): Promise<Credential> {
    const held = this.#held;
    if (held !== null && (held.expires === null || held.expires - MARGIN > this.#around.now())) {
      return Promise.resolve(held.credential);
    }
    this.#running ??= this.#run(signal).finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  renewable(): boolean {
    return true;
  }

  drop(): void {
    this.#held = null;
  }

  async #run(signal: AbortSignal): Promise<Credential> {
    const { apiVersion, interactiveMode } = this.#entry;
    const name = this.#entry.command;
    if (!this.#around.allowed())
      throw new CredentialError(`the credential plugin "${name}" was not started: plugins are not allowed here`);
    if (!API_VERSIONS.includes(apiVersion)) {
      throw new CredentialError(
        `the credential plugin "${name}" speaks ${apiVersion || "no version"}; ${API_VERSIONS.join(" and ")} are understood`,
      );
    }
    if (interactiveMode === "Always") {
      throw new CredentialError(
        `the credential plugin "${name}" needs a terminal (interactiveMode: Always): sign in with kubectl in a terminal first`,
      );
    }
    const output = await this.#start(this.#resolved(), signal);
    const held = this.#read(output);
    this.#held = held;
    return held.credential;
  }

  /** A bare name is looked up in PATH; a name with a separator starts at the kubeconfig's folder. */
  #resolved(): string {
    const { command } = this.#entry;
    const bare = !command.includes("/") && !command.includes("\\");
    return bare || isAbsolute(command) ? command : resolve(this.#folder, command);
  }

  #start(command: string, signal: AbortSignal): Promise<string> {
    const { args, env, apiVersion } = this.#entry;
    const path = [...this.#around.extraPath, this.#around.environment.PATH ?? ""]
      .filter((part) => part !== "")
      .join(delimiter);
    const information = {
      apiVersion,
      kind: "ExecCredential",
      spec: { interactive: false, ...(this.#entry.provideClusterInfo ? { cluster: this.#clusterInformation() } : {}) },
    };
    return new Promise((done, failed) => {
      const child = spawn(command, args, {
        env: { ...this.#around.environment, PATH: path, ...env, KUBERNETES_EXEC_INFO: JSON.stringify(information) },
        stdio: ["ignore", "pipe", "pipe"],
        timeout: this.#around.deadline,
        killSignal: "SIGKILL",
        signal,
        windowsHide: true,
      });
      const out: Buffer[] = [];
      let errors = "";
      child.stdout.on("data", (chunk: Buffer) => out.push(chunk));
      child.stderr.on("data", (chunk: Buffer) => {
        const text = chunk.toString("utf8");
        errors += text;
        for (const line of text.split("\n")) if (line.trim() !== "") this.#around.onOutput(line);
      });
      child.on("error", (error) => failed(this.#notStarted(error, path)));
      child.on("close", (code, killed) => {
        if (code === 0) done(Buffer.concat(out).toString("utf8"));
        else failed(new CredentialError(this.#ended(code, killed, errors)));
      });
    });
  }

  #notStarted(error: Error, path: string): CredentialError {
    const missing = "code" in error && error.code === "ENOENT";
    const hint = this.#entry.installHint === "" ? "" : ` ${this.#entry.installHint.trim()}`;
    if (!missing)
      return new CredentialError(
        `the credential plugin "${this.#entry.command}" could not be started: ${error.message}`,
      );
    return new CredentialError(
      `the credential plugin "${this.#entry.command}" was not found; searched: ${path}. An editor started from a desktop has a shorter PATH than a terminal: add the folder to taintwise.extraPath.${hint}`,
    );
  }

  #ended(code: number | null, killed: NodeJS.Signals | null, errors: string): string {
    const seconds = this.#around.deadline / 1000;
    const how =
      killed === "SIGKILL"
        ? `did not finish within ${seconds} s and was stopped`
        : killed !== null
          ? `was ended by ${killed}`
          : `ended with code ${code}`;
    const said = errors.trim() === "" ? " and said nothing" : `: ${errors.trim().slice(0, QUOTED)}`;
    return `the credential plugin "${this.#entry.command}" ${how}${said}`;
  }

  #clusterInformation(): Record<string, unknown> {
    const { server, tls } = this.#endpoint;
    return {
      server: server.href,
      ...(tls.serverName === "" ? {} : { "tls-server-name": tls.serverName }),
      ...(tls.skipVerify ? { "insecure-skip-tls-verify": true } : {}),
      ...(tls.ca === null ? {} : { "certificate-authority-data": Buffer.from(tls.ca).toString("base64") }),
    };
  }

  #read(output: string): Held {
    const status = statusOf(output);
    if (status === null) {
      throw new CredentialError(
        `the credential plugin "${this.#entry.command}" printed no ExecCredential: ${output.trim().slice(0, QUOTED) || "nothing"}`,
      );
    }
    const { token, certificate, key, expires } = status;
    if (token === "" && (certificate === "" || key === "")) {
      throw new CredentialError(
        `the credential plugin "${this.#entry.command}" gave neither a token nor a certificate with its key`,
      );
    }
    return {
      credential: {
        headers: { ...this.#impersonation, ...(token === "" ? {} : { authorization: `Bearer ${token}` }) },
        clientCertificate: certificate !== "" && key !== "" ? { cert: certificate, key } : null,
      },
      expires,
    };
  }
}

interface ExecStatus {
  readonly token: string;
  readonly certificate: string;
  readonly key: string;
  readonly expires: number | null;
}

/** The status of the ExecCredential that a plugin printed; null when the text is none. */
function statusOf(output: string): ExecStatus | null {
  let value: unknown;
  try {
    value = JSON.parse(output);
  } catch {
    return null;
  }
  if (typeof value !== "object" || value === null || !("status" in value)) return null;
  const status = value.status;
  if (typeof status !== "object" || status === null) return null;
  const fields = new Map(Object.entries(status));
  const text = (name: string): string => {
    const field = fields.get(name);
    return typeof field === "string" ? field : "";
  };
  const expires = Date.parse(text("expirationTimestamp"));
  return {
    token: text("token"),
    certificate: text("clientCertificateData"),
    key: text("clientKeyData"),
    expires: Number.isNaN(expires) ? null : expires,
  };
}
