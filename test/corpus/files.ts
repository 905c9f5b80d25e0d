// The corpus: real manifests of public projects, kept outside of the repository.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Where the corpus is: `TAINTWISE_CORPUS`, else an unpacked copy in an ignored folder; null when there is none. */
export function corpusFolder(): string | null {
  const folder = process.env.TAINTWISE_CORPUS ?? ".cache/corpus";
  return existsSync(folder) ? folder : null;
}

export interface CorpusFile {
  /** Relative to the corpus, with `/`. */
  readonly path: string;
  readonly read: () => string;
}

/** Every YAML and JSON file, sorted; with `every` above 1 only each n-th, always the same ones. */
export function corpusFiles(folder: string, every = 1): readonly CorpusFile[] {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:ya?ml|json)$/.test(entry.name))
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll("\\", "/"),
    )
    .sort();
  return paths
    .filter((_, index) => index % every === 0)
    .map((path) => ({ path, read: () => readFileSync(join(folder, path), "utf8") }));
}

/** All files with TAINTWISE_CORPUS_WHOLE=1; each sixth otherwise, so that `npm test` stays short. */
export function sampling(): number {
  return process.env.TAINTWISE_CORPUS_WHOLE === "1" ? 1 : 6;
}
