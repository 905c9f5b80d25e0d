// Scheduling layer: the annotations by which a namespace gives its pods tolerations and node selectors.
import type { Toleration } from "../kube/toleration.ts";

/**
 * Reads `scheduler.alpha.kubernetes.io/defaultTolerations` (a JSON list); null when it is unset or no such list: the
 * plugin then refuses every pod or leaves it alone. Source: podtolerationrestriction extractNSTolerations.
 */
export function parseDefaultTolerations(annotation: string): readonly Toleration[] | null {
  if (annotation === "") return null;
  const parsed = parseJson(annotation);
  if (!Array.isArray(parsed)) return null;
  const tolerations: Toleration[] = [];
  for (const item of parsed) {
    const toleration = readToleration(item);
    if (toleration === null) return null;
    tolerations.push(toleration);
  }
  return tolerations;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON: the caller treats it as no list, as the annotation is data of others.
    return null;
  }
}

function readToleration(item: unknown): Toleration | null {
  if (typeof item !== "object" || item === null) return null;
  const fields = new Map<string, unknown>(Object.entries(item));
  const text = (name: string): string => {
    const value = fields.get(name);
    return typeof value === "string" ? value : "";
  };
  const seconds = fields.get("tolerationSeconds");
  return {
    key: text("key"),
    operator: text("operator"),
    value: text("value"),
    effect: text("effect"),
    tolerationSeconds: typeof seconds === "number" ? seconds : null,
  };
}

/**
 * Reads `key=value,key=value`; null when it is empty or not of this form.
 * Source: k8s.io/apimachinery/pkg/labels ConvertSelectorToLabelsMap.
 */
export function parseNodeSelector(annotation: string): Readonly<Record<string, string>> | null {
  if (annotation.trim() === "") return null;
  const entries: [string, string][] = [];
  for (const part of annotation.split(",")) {
    const [key, value, ...rest] = part.split("=");
    if (key === undefined || value === undefined || rest.length > 0) return null;
    entries.push([key.trim(), value.trim()]);
  }
  return Object.fromEntries(entries);
}
