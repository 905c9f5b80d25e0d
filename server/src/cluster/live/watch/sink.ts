// Live cluster, watching: where the objects of a resource go. Types only.
import type { PlainObject } from "../wire/decode.ts";

/** Receives objects in the API's JSON shape; keys are `namespace/name`. Must not throw. */
export interface ReflectorSink {
  /** A whole list, item by item, then `commit`: what was not in it is gone. `abandon` forgets a list that broke. */
  beginList(): void;
  listed(object: PlainObject): void;
  commitList(): void;
  abandonList(): void;
  changed(object: PlainObject): void;
  deleted(object: PlainObject): void;
  stateChanged(): void;
}
