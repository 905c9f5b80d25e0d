// Workload layer: a document whose text stayed the same, at another place of its file. An edit moves every document
// below it, and hardly anything looks at them again: spans are worked out when somebody reads them.
import type { Span } from "../text/span.ts";
import { shiftDocument } from "../yaml/shift.ts";
import type { YamlDocument, YamlMapping } from "../yaml/tree.ts";
import { findObjects } from "./find-objects.ts";
import type { ManifestDocument, ManifestWorkload } from "./manifest.ts";

/** The document at offset `start` and place `index` of its file; itself where it has not moved. */
export function moveDocument(document: ManifestDocument, index: number, start: number): ManifestDocument {
  return MovedDocument.of(document, index, start - document.yaml.span.start);
}

class MovedDocument implements ManifestDocument {
  readonly yaml: YamlDocument;
  readonly #origin: ManifestDocument;
  readonly #index: number;
  #workloads: readonly ManifestWorkload[] | null = null;

  static of(document: ManifestDocument, index: number, delta: number): ManifestDocument {
    if (!(document instanceof MovedDocument)) {
      const stays = delta === 0 && document.workloads.every((item) => item.document === index);
      return stays ? document : new MovedDocument(document, shiftDocument(document.yaml, delta), index);
    }
    if (delta === 0 && document.#index === index) return document;
    // Moved again, it is moved once from where it was read: moves do not pile up.
    return new MovedDocument(document.#origin, shiftDocument(document.yaml, delta), index);
  }

  constructor(origin: ManifestDocument, yaml: YamlDocument, index: number) {
    this.#origin = origin;
    this.yaml = yaml;
    this.#index = index;
  }

  get other(): ManifestDocument["other"] {
    return this.#origin.other;
  }

  get workloads(): readonly ManifestWorkload[] {
    this.#workloads ??= this.#moveWorkloads();
    return this.#workloads;
  }

  #moveWorkloads(): readonly ManifestWorkload[] {
    const { workloads, yaml } = this.#origin;
    if (workloads.length === 0) return workloads;
    const delta = this.yaml.span.start - yaml.span.start;
    // The moved tree holds the same objects in the same order.
    const moved = objectsOf(this.yaml);
    const places = new Map(objectsOf(yaml).map((object, place) => [object, place]));
    return workloads.map((known) => ({
      ...known,
      object: moved[places.get(known.object) ?? -1] ?? known.object,
      nameSpan: shiftSpan(known.nameSpan, delta),
      undecodable: known.undecodable.map((field) => ({ ...field, span: shiftSpan(field.span, delta) })),
      document: this.#index,
    }));
  }
}

/** Every object that can be a workload; which of them are, is known. */
function objectsOf(yaml: YamlDocument): readonly YamlMapping[] {
  return findObjects(yaml, true).objects.map(({ object }) => object);
}

function shiftSpan({ start, end }: Span, delta: number): Span {
  return { start: start + delta, end: end + delta };
}
