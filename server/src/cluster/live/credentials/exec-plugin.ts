// Live cluster, credentials: an exec plugin of a kubeconfig user. One run at a time per user; no terminal, a deadline,
// nothing inherited but the environment. Source: k8s.io/client-go/plugin/pkg/client/auth/exec.
import { delimiter, dirname, isAbsolute, resolve } from "node:path";
import type { ExecEntry } from "../kubeconfig/entry.ts";
import type { Endpoint } from "../transport/endpoint.ts";
import { type Credential, CredentialError, type CredentialSource, type RequestHeaders } from "./credential.ts";
import { tokenFault } from "./expiry.ts";
import { type PluginFailure, runPlugin } from "./plugin-process.ts";
import { SharedRun } from "./shared-run.ts";

const API_VERSIONS = ["client.authentication.k8s.io/v1", "client.authentication.k8s.io/v1beta1"];
/** Unset counts as IfAvailable, the default of v1beta1. */
const INTERACTIVE_MODES = ["", "Never", "IfAvailable", "Always"];
/** A credential is renewed this many milliseconds before it says it ends: clocks differ. */
const MARGIN = 30_000;
/** Milliseconds a credential is used although it says it has ended: its clock is another one, and the server decides. */
const LEAST_USE = 60_000;
/** Characters of the plugin's output that a message quotes. */
const QUOTED = 300;

/** What is about to be run, and who names it. */
export interface PluginRun {
  /** The file of the user entry. */
  readonly kubeconfig: string;
  /** The resolved command and its arguments. */
  readonly command: readonly string[];
}

/** Whether something may be done: true, false, or why not, in words that follow a colon. */
export type Permission = boolean | string;

export interface ExecSurroundings {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** More folders to look for the command in, before PATH. */
  readonly extraPath: readonly string[];
  /** Milliseconds a run may take. */
  readonly deadline: number;
  readonly now: () => number;
  /** Lines that the plugin writes to stderr, as they come. */
  readonly onOutput: (line: string) => void;
  /**
   * Asked before each run; false, or a sentence that says why: it must not run (an untrusted workspace, a flag, a person
   * who said no). May take as long as a person needs.
   */
  readonly allowed: (run: PluginRun) => Permission | Promise<Permission>;
  /** Told of each run that begins; what it gives back is called when the run has ended. */
  readonly onRun?: (run: PluginRun, cancel: () => void) => () => void;
}

interface Held {
  readonly credential: Credential;
  /** Milliseconds since the epoch; null: until the server refuses it. */
  readonly expires: number | null;
}

export class ExecPlugin implements CredentialSource {
  readonly #entry: ExecEntry;
  readonly #path: string;
  readonly #endpoint: Endpoint;
  readonly #around: ExecSurroundings;
  readonly #impersonation: RequestHeaders;
  #held: Held | null = null;
  #running: SharedRun<Credential> | null = null;

  /** `path` is the kubeconfig file of the user entry: a command with a separator is relative to its folder. */
  constructor(
    entry: ExecEntry,
    path: string,
    endpoint: Endpoint,
    impersonation: RequestHeaders,
    around: ExecSurroundings,
  ) {
    this.#entry = entry;
    this.#path = path;
    this.#endpoint = endpoint;
    this.#impersonation = impersonation;
    this.#around = around;
  }

  current(signal: AbortSignal): Promise<Credential> {
    const held = this.#held;
    if (held !== null && (held.expires === null || held.expires - MARGIN > this.#around.now())) {
      return Promise.resolve(held.credential);
    }
    if (this.#running === null || this.#running.abandoned) this.#running = this.#begin();
    return this.#running.join(signal);
  }

  renewable(): boolean {
    return true;
  }

  drop(refused: Credential): void {
    if (this.#held?.credential === refused) this.#held = null;
  }

  expires(): number | null {
    return this.#held?.expires ?? null;
  }

  #begin(): SharedRun<Credential> {
    const run = new SharedRun((signal) => this.#run(signal));
    void run.settled.then(() => {
      if (this.#running === run) this.#running = null;
    });
    return run;
  }

  async #run(signal: AbortSignal): Promise<Credential> {
    const { apiVersion, args, interactiveMode } = this.#entry;
    const name = this.#entry.command;
    if (!API_VERSIONS.includes(apiVersion)) {
      throw new CredentialError(
        `the credential plugin "${name}" speaks ${apiVersion || "no version"}; ${API_VERSIONS.join(" and ")} are understood`,
      );
    }
    if (name === "") throw new CredentialError(`a user of ${this.#path} has an exec plugin without a command`);
    if (!INTERACTIVE_MODES.includes(interactiveMode)) {
      throw new CredentialError(
        `the credential plugin "${name}" has the interactiveMode "${interactiveMode}"; Never, IfAvailable and Always are known`,
      );
    }
    if (interactiveMode === "Always") {
      throw new CredentialError(
        `the credential plugin "${name}" needs a terminal (interactiveMode: Always): sign in with kubectl in a terminal first`,
      );
    }
    const command = this.#resolved();
    const run: PluginRun = { kubeconfig: this.#path, command: [command, ...args] };
    const allowed = await this.#around.allowed(run);
    if (allowed !== true) {
      const why = allowed === false ? "plugins are not allowed here" : allowed;
      throw new CredentialError(`the credential plugin "${name}" was not started: ${why}`);
    }
    const stop = new AbortController();
    const ended = this.#around.onRun?.(run, () => stop.abort());
    const output = this.#output(command, AbortSignal.any([signal, stop.signal]));
    const held = this.#read(await output.finally(() => ended?.()));
    this.#held = held;
    return held.credential;
  }

  /** A bare name is looked up in PATH; a name with a separator starts at the kubeconfig's folder. */
  #resolved(): string {
    const { command } = this.#entry;
    const bare = !command.includes("/") && !command.includes("\\");
    return bare || isAbsolute(command) ? command : resolve(dirname(this.#path), command);
  }

  /** @throws CredentialError that says how the run ended, unless it gave its output. */
  async #output(command: string, signal: AbortSignal): Promise<string> {
    const { args, env, apiVersion } = this.#entry;
    const { environment } = this.#around;
    const path = [...this.#around.extraPath, pathOf(environment)].filter((part) => part !== "").join(delimiter);
    const information = {
      apiVersion,
      kind: "ExecCredential",
      spec: { interactive: false, ...(this.#entry.provideClusterInfo ? { cluster: this.#clusterInformation() } : {}) },
    };
    const end = await runPlugin(
      {
        command,
        args,
        environment: { ...environment, PATH: path, ...env, KUBERNETES_EXEC_INFO: JSON.stringify(information) },
        deadline: this.#around.deadline,
        onLine: this.#around.onOutput,
      },
      signal,
    );
    if (end.how === "done") return end.output;
    throw end.how === "not-started" ? this.#notStarted(end.error, path) : new CredentialError(this.#ended(end));
  }

  #notStarted(error: Error, path: string): CredentialError {
    const missing = "code" in error && error.code === "ENOENT";
    const hint = this.#entry.installHint === "" ? "" : ` ${this.#entry.installHint.trim()}`;
    if (!missing)
      return new CredentialError(
        `the credential plugin "${this.#entry.command}" could not be started: ${error.message}`,
      );
    return new CredentialError(
      `the credential plugin "${this.#entry.command}" was not found; searched: ${path}. An editor started from a desktop has a shorter PATH than a terminal: add the folder to taintwise.cluster.extraPath.${hint}`,
    );
  }

  #ended(end: PluginFailure): string {
    const said = end.errors === "" ? " and said nothing" : `: ${end.errors.slice(0, QUOTED)}`;
    return `the credential plugin "${this.#entry.command}" ${this.#manner(end)}${said}`;
  }

  #manner(end: PluginFailure): string {
    if (end.how === "too-slow") return `did not finish within ${this.#around.deadline / 1000} s and was stopped`;
    if (end.how === "too-long") return "wrote more than a credential can hold and was stopped";
    return end.killed === null ? `ended with code ${end.code}` : `was ended by ${end.killed}`;
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
    const { apiVersion, token, certificate, key, expires } = status;
    if (apiVersion !== "" && apiVersion !== this.#entry.apiVersion) {
      throw new CredentialError(
        `the credential plugin "${this.#entry.command}" answered in ${apiVersion}, but the kubeconfig says ${this.#entry.apiVersion}`,
      );
    }
    const fault = tokenFault(token);
    if (fault !== null) {
      throw new CredentialError(`the token of the credential plugin "${this.#entry.command}" ${fault}`);
    }
    if ((certificate === "") !== (key === "") || (token === "" && certificate === "")) {
      throw new CredentialError(
        `the credential plugin "${this.#entry.command}" gave ${token === "" ? "neither a token nor a certificate with its key" : "a certificate or a key without the other"}`,
      );
    }
    return {
      credential: {
        headers: { ...this.#impersonation, ...(token === "" ? {} : { authorization: `Bearer ${token}` }) },
        clientCertificate: certificate !== "" && key !== "" ? { cert: certificate, key } : null,
      },
      expires: expires === null ? null : Math.max(expires, this.#around.now() + LEAST_USE + MARGIN),
    };
  }
}

/** PATH; Windows spells it as it likes. */
function pathOf(environment: Readonly<Record<string, string | undefined>>): string {
  const name = Object.keys(environment).find((key) => key.toUpperCase() === "PATH");
  return name === undefined ? "" : (environment[name] ?? "");
}

interface ExecStatus {
  readonly apiVersion: string;
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
    apiVersion: "apiVersion" in value && typeof value.apiVersion === "string" ? value.apiVersion : "",
    token: text("token"),
    certificate: text("clientCertificateData"),
    key: text("clientKeyData"),
    expires: Number.isNaN(expires) ? null : expires,
  };
}
