// Kubernetes data layer: a taint as kubectl writes it.
import { nearest } from "../text/nearest.ts";
import type { Taint, TaintEffect } from "./taint.ts";

const EFFECTS: readonly TaintEffect[] = ["NoSchedule", "PreferNoSchedule", "NoExecute"];

/** Source: k8s.io/apimachinery/pkg/util/validation IsQualifiedName, IsValidLabelValue. */
const NAME = /^[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;
const PREFIX = /^(?=.{1,253}$)[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

/** A taint, and whether the text takes it away (a `-` at its end, as in `kubectl taint nodes n key:NoSchedule-`). */
export interface TaintText {
  readonly taint: Pick<Taint, "key" | "value" | "effect">;
  readonly removes: boolean;
}

/** Reads `key=value:Effect`, `key:Effect` and the same with `-` behind; else a sentence with what is wrong. */
export function readTaintText(text: string): TaintText | { readonly problem: string } {
  const removes = text.endsWith("-");
  const match = /^([^=:]*)(?:=([^:]*))?(?::(.*))?$/.exec(removes ? text.slice(0, -1) : text);
  const [, key = "", value = "", effect = ""] = match ?? [];
  if (match === null || !isKey(key)) {
    return { problem: `"${key}" is no taint key; write KEY=VALUE:EFFECT, e.g. dedicated=rdma:NoSchedule.` };
  }
  if (value !== "" && !NAME.test(value)) {
    return { problem: `"${value}" is no taint value (letters, digits, -, _ and ., at most 63).` };
  }
  if (effect === "") {
    return { problem: `the effect is missing; write KEY=VALUE:EFFECT with ${EFFECTS.join(", ")}.` };
  }
  const known = EFFECTS.find((candidate) => candidate === effect);
  if (known === undefined) {
    const close = nearest(effect, EFFECTS);
    const meant = close === null ? "" : ` Did you mean ${close}?`;
    return { problem: `"${effect}" is no effect.${meant} There are ${EFFECTS.join(", ")}.` };
  }
  return { taint: { key, value, effect: known }, removes };
}

function isKey(key: string): boolean {
  const slash = key.indexOf("/");
  return slash < 0 ? NAME.test(key) : PREFIX.test(key.slice(0, slash)) && NAME.test(key.slice(slash + 1));
}
