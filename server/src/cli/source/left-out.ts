// Command-line layer: files that were read, and judged less than others; counted, and told at the end.
import { clustersForPath } from "../../config/read-workspace.ts";
import { WORKSPACE_FILE } from "../../config/workspace.ts";
import { requestsDevice } from "../../report/missing-parts.ts";
import { count, listSome } from "../../report/text-layout.ts";
import type { CheckedManifest } from "./checking.ts";

/** Names that a sentence lists. */
const NAMES = 3;

/** Gathers such files while they are read. */
export class LeftOut {
  readonly #templates: string[] = [];
  readonly #patched: string[] = [];
  readonly #unmapped: string[] = [];
  readonly #records: string[] = [];

  #asksForDevices = false;

  /** Whether any workload so far requests an extended resource. */
  get asksForDevices(): boolean {
    return this.#asksForDevices;
  }

  /** Looks at a file that was judged. */
  add({ file, source, facts, snapshot }: CheckedManifest): void {
    const templates = file.documents.filter((document) => document.other === "template");
    const workloads = file.documents.flatMap((document) => document.workloads);
    this.#asksForDevices ||= workloads.some(({ workload }) => requestsDevice(workload));
    if (file.template || templates.length > 0) this.#templates.push(source.path);
    if (file.documents.some((document) => document.other === "record")) this.#records.push(source.path);
    if (workloads.length === 0 || snapshot.clusters.length === 0) return;
    if (facts.rendered) this.#patched.push(source.path);
    if (clustersForPath(snapshot.config, facts.path)?.length === 0) this.#unmapped.push(source.path);
  }

  /** One sentence for each reason. */
  notes(): readonly string[] {
    return [
      ...told(this.#templates, "holds a template and is not judged", "hold templates and are not judged", TEMPLATES),
      ...told(
        this.#records,
        "holds objects as a cluster returned them and is not judged",
        "hold objects as a cluster returned them and are not judged",
        RECORDS,
      ),
      ...told(
        this.#patched,
        "is patched by a kustomization and is judged as written: hints at most",
        "are patched by a kustomization and are judged as written: hints at most",
      ),
      ...told(
        this.#unmapped,
        `lies outside the path mappings of ${WORKSPACE_FILE} and is judged against no cluster`,
        `lie outside the path mappings of ${WORKSPACE_FILE} and are judged against no cluster`,
      ),
    ];
  }
}

const TEMPLATES = "; render them first (helm template … | taintwise check -)";

const RECORDS = "; --cluster FILE uses such a file as the cluster";

function told(paths: readonly string[], one: string, many: string, advice = ""): readonly string[] {
  if (paths.length === 0) return [];
  return [`${count(paths.length, "file")} ${paths.length === 1 ? one : many}${advice} (${listSome(paths, NAMES)}).`];
}
