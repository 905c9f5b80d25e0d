// Cluster layer, files: a cluster from the bytes of its files. Pure: the files come from `load.ts`.

import { lineIndex } from "../../text/line-index.ts";
import type { Position } from "../../text/span.ts";
import { ClusterBuilder } from "../build/cluster-builder.ts";
import type { ClusterModel } from "../model.ts";
import { type ClusterProblem, fileProblem } from "../problem.ts";
import { isSnapshot, readSnapshot } from "../snapshot/read-snapshot.ts";
import { ByteText } from "./byte-text.ts";
import { decodeText, isTooLong, unzip } from "./bytes.ts";
import { isDumpFile } from "./dump-file.ts";
import { readJsonObjects } from "./json-objects.ts";
import { lostParts } from "./lost-parts.ts";
import type { ObjectSink, TextProblem } from "./object-sink.ts";
import { isTar, readTar } from "./tar.ts";
import { readObjects } from "./text-objects.ts";

/** A cluster read from files. An `error` among the problems says that the model cannot serve as asked. */
export interface ClusterReading {
  readonly model: ClusterModel;
  readonly problems: readonly ClusterProblem[];
}

/** A file of a dump. */
export interface ClusterFile {
  /** As people named it; `-` for standard input. */
  readonly path: string;
  readonly bytes: Uint8Array;
  /** Whether it was asked for itself; a file found in a folder may be broken without spoiling the rest. */
  readonly named: boolean;
}

export interface ReadingOptions {
  /** The cluster's name in outputs; null: what a snapshot carries, else the first file's name. */
  readonly name: string | null;
  /** `--now`: the observation time for sources that carry none of their own, milliseconds; null when not given. */
  readonly now: number | null;
}

const OPEN_BRACE = 123;
const GET_ALL =
  "kubectl get nodes,pods,daemonsets,deployments,replicasets,statefulsets,jobs,namespaces,events,csinodes,csidrivers -A -o yaml";

/** Reads the files of one cluster. Never throws. */
export function readClusterFiles(files: readonly ClusterFile[], options: ReadingOptions): ClusterReading {
  const reader = new ClusterReader();
  for (const file of files) reader.add(file);
  return reader.finish(files[0]?.path ?? "", options);
}

/** Takes the files of one cluster one after the other, so that only one need be in memory. */
export class ClusterReader {
  readonly #builder = new ClusterBuilder();
  readonly #problems: ClusterProblem[] = [];
  #objects = 0;
  #snapshot: { readonly path: string; readonly model: ClusterModel } | null = null;

  /** Takes a file. */
  add(file: ClusterFile): void {
    const severity = file.named ? "error" : "warning";
    const bytes = unzip(file.bytes);
    if (bytes === null) {
      this.fail(fileProblem(file.path, "the file is broken or cut off: its gzip cannot be unpacked", severity));
    } else if (isSnapshot(bytes)) {
      this.#addSnapshot(file, bytes);
    } else if (isTar(bytes)) {
      this.#addArchive(file, bytes);
    } else if (isTooLong(bytes) && bytes[0] === OPEN_BRACE) {
      this.#addHugeJson(file, bytes);
    } else {
      const decoded = decodeText(bytes);
      if (decoded.text === null) this.fail(fileProblem(file.path, `the file ${decoded.problem}`, severity));
      else this.#addText(file, decoded.text);
    }
  }

  /** Takes a file or folder that could not be read. */
  fail(problem: ClusterProblem): void {
    this.#problems.push(problem);
  }

  /**
   * The cluster of all files.
   * @param path what was asked for: the file, the folder, `-`
   */
  finish(path: string, options: ReadingOptions): ClusterReading {
    if (this.#snapshot !== null) return this.#finishSnapshot(this.#snapshot, options);
    const { model, problems } = this.#builder.finish(options.name ?? nameOfPath(path), options.now);
    const all = [...this.#problems, ...problems];
    if (model.nodes.size === 0 && !all.some(({ severity }) => severity === "error")) {
      all.push(fileProblem(path, this.#withoutNodes(model)));
    }
    return { model, problems: all };
  }

  #withoutNodes(model: ClusterModel): string {
    if (model.parts.nodes === "known") return "the list of nodes in it is empty: nothing can be judged without nodes";
    const found = this.#objects === 0 ? "no object of Kubernetes" : "no Node";
    return `there is ${found} in it: nothing can be judged without nodes (${GET_ALL})`;
  }

  #addHugeJson(file: ClusterFile, bytes: Uint8Array): void {
    const severity = file.named ? "error" : "warning";
    for (const { message } of readJsonObjects(new ByteText(bytes), this.#sinkFor(file))) {
      this.fail(fileProblem(file.path, message, severity));
    }
  }

  #sinkFor(file: ClusterFile): ObjectSink {
    return {
      object: (value, offset) => {
        this.#objects += 1;
        this.#builder.add(value, { path: file.path, offset });
      },
      list: (apiVersion, kind) => {
        this.#objects += 1;
        this.#builder.markListed(apiVersion, kind);
      },
      serverVersion: (gitVersion) => this.#builder.setServerVersion(gitVersion),
    };
  }

  #addText(file: ClusterFile, text: string): void {
    const problems = readObjects(text, this.#sinkFor(file));
    if (problems.length === 0) return;
    const lines = lineIndex(text);
    for (const problem of problems) {
      this.#problems.push(textProblem(file, problem, lines.positionAt(problem.offset)));
      for (const part of lostParts(text.slice(problem.lost.start, problem.lost.end))) this.#builder.markFailed(part);
    }
  }

  /** The dump files of an archive, as if it were a folder. */
  #addArchive(file: ClusterFile, bytes: Uint8Array): void {
    const files = readTar(bytes);
    if (files === null) {
      this.fail(fileProblem(file.path, "the tar archive is damaged or cut off", file.named ? "error" : "warning"));
      return;
    }
    for (const inner of files) {
      if (isDumpFile(inner.path)) this.add({ path: `${file.path}/${inner.path}`, bytes: inner.bytes, named: false });
    }
  }

  #addSnapshot(file: ClusterFile, bytes: Uint8Array): void {
    const read = readSnapshot(bytes);
    if (read.model === null) {
      this.fail(fileProblem(file.path, read.problem, file.named ? "error" : "warning"));
    } else if (this.#snapshot === null) {
      this.#snapshot = { path: file.path, model: read.model };
    } else {
      this.fail(fileProblem(file.path, `a second snapshot beside ${this.#snapshot.path} is left out`, "warning"));
    }
  }

  #finishSnapshot(
    snapshot: { readonly path: string; readonly model: ClusterModel },
    options: ReadingOptions,
  ): ClusterReading {
    const problems = [...this.#problems];
    if (this.#objects > 0) {
      problems.push(
        fileProblem(snapshot.path, "a snapshot stands for itself: the other files are left out", "warning"),
      );
    }
    if (snapshot.model.nodes.size === 0) problems.push(fileProblem(snapshot.path, this.#withoutNodes(snapshot.model)));
    const model: ClusterModel = {
      ...snapshot.model,
      origin: "file",
      name: options.name ?? snapshot.model.name,
      observedAt: snapshot.model.observedAt ?? options.now,
    };
    return { model, problems };
  }
}

function textProblem(file: ClusterFile, problem: TextProblem, { line, character }: Position): ClusterProblem {
  return { path: file.path, line, character, message: problem.message, severity: file.named ? "error" : "warning" };
}

/** `dumps/prod.yaml.gz` → `prod`; standard input is `stdin`. */
function nameOfPath(path: string): string {
  if (path === "-") return "stdin";
  const base = path.split(/[\\/]/).findLast((part) => part !== "" && part !== ".") ?? path;
  return base.replace(/\.gz$/i, "").replace(/\.(?:ya?ml|json|tar|tgz)$/i, "");
}
