// Workload layer: the objects of a document that are workloads, wherever in Lists they stand.
import { type WorkloadKind, workloadKind } from "../kube/kinds.ts";
import { nodeAt, textAt } from "../yaml/locate.ts";
import type { YamlDocument, YamlMapping } from "../yaml/tree.ts";
import { isPatch, isRecord } from "./classify.ts";

const MAX_LIST_NESTING = 3;

/** An object that is a complete workload. */
export interface WorkloadObject {
  readonly object: YamlMapping;
  readonly kind: WorkloadKind;
}

export interface Found {
  readonly objects: WorkloadObject[];
  /** Whether records are workloads too. */
  readonly records: boolean;
  patches: boolean;
  /** Whether a record was left out. */
  left: boolean;
}

/** Looks through a document, Lists included. */
export function findObjects(yaml: YamlDocument, records: boolean): Found {
  const found: Found = { objects: [], records, patches: false, left: false };
  if (yaml.root?.kind === "mapping") collect(yaml.root, null, 0, found);
  return found;
}

/** `listed` is the kind that a typed list (DaemonSetList) gives to items which do not name theirs. */
function collect(object: YamlMapping, listed: TypeMeta | null, nesting: number, found: Found): void {
  const type = typeMeta(object) ?? listed;
  if (type === null) return;
  const items = nodeAt(object, ["items"]);
  if (type.kind.endsWith("List") && items?.kind === "sequence" && nesting < MAX_LIST_NESTING) {
    const kind = type.kind.slice(0, -"List".length);
    const ofItems = kind === "" ? null : { apiVersion: type.apiVersion, kind };
    for (const item of items.items) {
      if (item.kind === "mapping") collect(item, ofItems, nesting + 1, found);
    }
    return;
  }
  const kind = workloadKind(type.apiVersion, type.kind);
  if (kind === null) return;
  if (!found.records && isRecord(object, nesting > 0)) found.left = true;
  else if (isPatch(object, kind)) found.patches = true;
  else found.objects.push({ object, kind });
}

interface TypeMeta {
  readonly apiVersion: string;
  readonly kind: string;
}

function typeMeta(object: YamlMapping): TypeMeta | null {
  const apiVersion = textAt(object, ["apiVersion"]);
  const kind = textAt(object, ["kind"]);
  return apiVersion === null || kind === null ? null : { apiVersion, kind };
}
