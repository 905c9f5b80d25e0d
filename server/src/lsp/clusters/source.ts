// LSP layer: where a cluster comes from, as the client, the settings, the workspace file and the command line name it.
import type { ClusterModel } from "../../cluster/model.ts";

export type ClusterSource =
  | { readonly kind: "file"; readonly path: string; readonly name: string | null }
  | {
      readonly kind: "context";
      readonly context: string;
      readonly kubeconfig: string | null;
      readonly name: string | null;
    };

/** A source as it stands. */
export interface LoadedCluster {
  readonly source: ClusterSource;
  /** null while it is read for the first time, or when it cannot be used. */
  readonly model: ClusterModel | null;
  readonly loading: boolean;
  /** What is wrong with it, each a sentence with its place. */
  readonly problems: readonly string[];
  /** For people: a path, or a context and its server. */
  readonly description: string;
  /** Whether there is no model because these credentials may not list nodes. */
  readonly forbidden?: boolean;
}

/** Equal sources have equal keys. */
export function sourceKey(source: ClusterSource): string {
  return source.kind === "file" ? `file\0${source.path}` : `context\0${source.kubeconfig ?? ""}\0${source.context}`;
}
