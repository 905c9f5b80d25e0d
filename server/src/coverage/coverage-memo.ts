// Coverage layer: indices of the clusters in use, so that every question about one model shares one index.
import type { ClusterModel } from "../cluster/model.ts";
import { type CoverageIndex, type CoverageOptions, indexCoverage } from "./coverage-index.ts";

export interface CoverageMemo {
  /**
   * The index of a model. A newer model of the same name and origin takes over from the index before it; other options
   * (compared by their content) make a new one.
   */
  readonly indexOf: (cluster: ClusterModel, options: CoverageOptions) => CoverageIndex;
}

/** A memory of the last index of each cluster. Whoever asks many questions over time holds one. */
export function createCoverageMemo(): CoverageMemo {
  const last = new Map<string, { readonly index: CoverageIndex; readonly options: string }>();
  return {
    indexOf: (cluster, options) => {
      const key = `${cluster.origin} ${cluster.name}`;
      const wanted = JSON.stringify(options);
      const known = last.get(key);
      if (known !== undefined && known.options === wanted) {
        if (known.index.cluster === cluster) return known.index;
        const index = known.index.update(cluster);
        last.set(key, { index, options: wanted });
        return index;
      }
      const index = indexCoverage(cluster, options);
      last.set(key, { index, options: wanted });
      return index;
    },
  };
}
