// Analysis layer: what the session needs to judge a text. The rules live above this room and are handed in.
import type { ClusterModel } from "../cluster/model.ts";
import type { WorkspaceConfig } from "../config/workspace.ts";
import type { ManifestDocument, ManifestFile } from "../workload/manifest.ts";

/** Everything a judgement depends on beside the file. */
export interface Circumstances {
  readonly clusters: readonly ClusterModel[];
  readonly config: WorkspaceConfig;
}

/** What is known of a file beside its text. */
export interface FileFacts {
  /** Relative to the workspace file's folder, with `/`: what globs see. */
  readonly path: string;
  /** Where it lies: only the names of its folders and its own are looked at. */
  readonly location: string;
  /** Whether it lies in a Helm chart's folder; null where that is not known. */
  readonly inChart: boolean | null;
  /** Patched or templated before it is applied: judged as written, so hints at most. */
  readonly rendered: boolean;
  /** Whether a person named the file itself: then also what a cluster returned, which dumps hold, is judged. */
  readonly named?: boolean;
}

export interface Engine<Diagnosis> {
  /** Reads a text; takes unchanged documents over from an earlier reading. Never throws. */
  readonly read: (text: string, facts: FileFacts, previous: ManifestFile | null) => ManifestFile;
  /**
   * Prepares for one file and gives the judge of its documents. Pure; a document's result depends on its own text and
   * the comments before it only. Diagnoses stand in text order, at UTF-16 offsets of the file.
   */
  readonly judge: (
    file: ManifestFile,
    facts: FileFacts,
    circumstances: Circumstances,
  ) => (document: ManifestDocument) => readonly Diagnosis[];
  /** The same diagnosis for a text in which it stands `by` UTF-16 units further on. */
  readonly shift: (diagnosis: Diagnosis, by: number) => Diagnosis;
}
