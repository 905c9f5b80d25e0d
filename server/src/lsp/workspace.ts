// LSP layer: all folders together: which one a document belongs to, and which clusters each is held against.
import type { ClusterChoice, ClusterState, ClusterSummary } from "../../../shared/src/protocol.ts";
import type { Settings } from "../../../shared/src/settings.ts";
import { lackingParts } from "../cluster/empty.ts";
import type { ClusterModel } from "../cluster/model.ts";
import type { ClusterPool } from "./clusters/cluster-pool.ts";
import { type ClusterSource, type LoadedCluster, sourceKey } from "./clusters/source.ts";
import { pathOf, uriKey } from "./documents/uri.ts";
import { type FolderOptions, WorkspaceFolder } from "./workspace-folder.ts";

export interface WorkspaceOptions extends FolderOptions {
  readonly pool: ClusterPool;
  /** What the command line named: the sources until the client chooses others. */
  readonly startingSources: readonly ClusterSource[];
  /** False: sources that files of the workspace name are read only where they lie inside of it, and no context is opened. */
  readonly trusted: () => boolean;
}

/** Every folder, and one more for documents that lie in none. */
export class Workspace {
  readonly #options: WorkspaceOptions;
  readonly #folders = new Map<string, WorkspaceFolder>();
  readonly #loose: WorkspaceFolder;
  #choice: ClusterChoice | null = null;

  constructor(options: WorkspaceOptions, settings: Settings) {
    this.#options = options;
    this.#loose = new WorkspaceFolder("", null, settings, options);
  }

  get folders(): readonly WorkspaceFolder[] {
    return [...this.#folders.values()];
  }

  /** The folders and the one of documents that lie in none. */
  get all(): readonly WorkspaceFolder[] {
    return [...this.#folders.values(), this.#loose];
  }

  get choice(): ClusterChoice | null {
    return this.#choice;
  }

  addFolder(uri: string, settings: Settings): void {
    const path = pathOf(uri)?.replace(/\/$/, "") ?? null;
    if (path === null) return;
    this.#folders.set(uriKey(uri), new WorkspaceFolder(uri, path, settings, this.#options));
  }

  removeFolder(uri: string): void {
    this.#folders.delete(uriKey(uri));
  }

  /** The innermost folder that holds the document. */
  folderOf(uri: string): WorkspaceFolder {
    const path = pathOf(uri);
    if (path === null) return this.#folders.size === 1 ? (this.folders[0] ?? this.#loose) : this.#loose;
    let best = this.#loose;
    for (const folder of this.#folders.values()) {
      const inside = folder.path !== null && (path === folder.path || path.startsWith(`${folder.path}/`));
      if (inside && (folder.path?.length ?? 0) > (best.path?.length ?? -1)) best = folder;
    }
    return best;
  }

  setChoice(choice: ClusterChoice | null): void {
    this.#choice = choice;
  }

  /** The sources of a folder: the user's choice, else its own, else the command line's. */
  sourcesOf(folder: WorkspaceFolder): readonly ClusterSource[] {
    const choice = this.#choice;
    if (choice?.kind === "none") return [];
    if (choice?.kind === "file") return [{ kind: "file", path: choice.path, name: null }];
    if (choice?.kind === "context") {
      return [{ kind: "context", context: choice.name, kubeconfig: choice.kubeconfig, name: null }];
    }
    const own = folder.ownSources.filter((source) => this.#options.trusted() || folder.holds(source));
    return own.length > 0 ? own : this.#options.startingSources;
  }

  /** The models in use, each once, with the first folder that they are used in. */
  get clusters(): ReadonlyMap<ClusterModel, WorkspaceFolder> {
    const found = new Map<ClusterModel, WorkspaceFolder>();
    for (const folder of this.all) {
      for (const model of folder.clusters) if (!found.has(model)) found.set(model, folder);
    }
    return found;
  }

  /** Every source in use, each once; the pool lets go of the others. */
  get sources(): readonly ClusterSource[] {
    const byKey = new Map<string, ClusterSource>();
    // Loose documents follow the first folder's clusters only by choice or command line.
    for (const folder of this.all) for (const source of this.sourcesOf(folder)) byKey.set(sourceKey(source), source);
    return [...byKey.values()];
  }

  /** Hands each folder the models of its sources as they are now; the folders that changed. */
  distribute(): readonly WorkspaceFolder[] {
    this.#options.pool.keepOnly(this.sources);
    return this.all.filter((folder) => {
      const sources = this.sourcesOf(folder);
      const models = sources.map((source) => this.#options.pool.get(source).model);
      const dumps = sources.flatMap((source) => (source.kind === "file" ? [source.path] : []));
      return folder.setClusters(
        models.filter((model): model is ClusterModel => model !== null),
        dumps,
      );
    });
  }

  /** Resolves when every source was read, or cannot be. */
  async ready(): Promise<void> {
    await Promise.all(this.sources.map((source) => this.#options.pool.ready(source)));
  }

  get state(): ClusterState {
    const loaded = this.sources.map((source) => this.#options.pool.get(source));
    const folder = this.folders[0] ?? this.#loose;
    return {
      choice: this.#choice,
      clusters: loaded.flatMap(summary),
      loading: loaded.some((each) => each.loading),
      problems: loaded.flatMap((each) => each.problems),
      forbidden: loaded.some((each) => each.forbidden === true),
      staleAfter: folder.settings.staleAfter,
    };
  }
}

function summary({ model, description }: LoadedCluster): readonly ClusterSummary[] {
  if (model === null || model.origin === "none") return [];
  const missing = lackingParts(model).flatMap((part) => {
    const state = model.parts[part];
    return state === "known" ? [] : [{ part, why: state }];
  });
  const { name, origin, observedAt } = model;
  return [{ name, origin, source: description, observedAt, nodes: model.nodes.size, missing }];
}
