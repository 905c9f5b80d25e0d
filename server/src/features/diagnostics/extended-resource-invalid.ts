// Diagnostic `extended-resource-invalid`: a request for an extended resource that the API server refuses.
import type { Container } from "../../kube/pod-spec.ts";
import { isExtendedResource } from "../../kube/resources.ts";
import { type ResourceError, validateExtendedResources } from "../../scheduling/validate-resources.ts";
import { itemsAt, keyText, mappingAt, nodeAt, shownSpan } from "../../yaml/locate.ts";
import type { YamlMapping, YamlNode, YamlPath } from "../../yaml/tree.ts";
import { fill } from "../fill.ts";
import { resourceFixes } from "../fixes/resource.ts";
import type { Found, ManifestRule, WorkloadContext } from "./rule.ts";

export const messages = {
  "limit-missing":
    "{resource} is requested without a limit. Extended resources cannot be overcommitted: the API server refuses the {kind}.",
  "not-equal":
    "{resource}: the request of {request} must equal the limit of {limit}. The API server refuses the {kind}.",
  fraction: "{resource} is counted in whole units: {amount} is refused by the API server.",
  negative: "{resource} cannot be negative: {amount} is refused by the API server.",
} as const;

/** Only where they can stand: ephemeral containers have no resources. */
const CONTAINER_LISTS = ["initContainers", "containers"] as const;

export const extendedResourceInvalid: ManifestRule = {
  code: "extended-resource-invalid",
  subject: "manifest",
  check(context) {
    const { item } = context;
    if (!item.workload.template.containers.some(namesDevices)) return [];
    return CONTAINER_LISTS.flatMap((list) => {
      const path = [...item.podSpecPath, list];
      return itemsAt(item.object, path).flatMap((_, index) => checkContainer([...path, index, "resources"], context));
    });
  },
};

function namesDevices({ requests, limits }: Container): boolean {
  return Object.keys(requests).some(isExtendedResource) || Object.keys(limits).some(isExtendedResource);
}

function checkContainer(path: YamlPath, context: WorkloadContext): readonly Found[] {
  const resources = mappingAt(context.item.object, path);
  if (resources === null) return [];
  const requests = mappingAt(resources, ["requests"]);
  const limits = mappingAt(resources, ["limits"]);
  const errors = validateExtendedResources({ requests: amountsOf(requests), limits: amountsOf(limits) }, "");
  return errors.map((error): Found => {
    const place = /^\.limits/.test(error.field) && error.rule !== "limit-missing" ? limits : requests;
    const node = nodeAt(place, [error.resource]) ?? resources;
    return {
      severity: "error",
      span: shownSpan(node),
      message: wording(error, node, nodeAt(limits, [error.resource]), context.item.workload.kind),
      fixes: resourceFixes(context, path, error),
    };
  });
}

/** Amounts as written. */
function amountsOf(mapping: YamlMapping | null): Readonly<Record<string, string>> {
  const amounts: [string, string][] = [];
  for (const entry of mapping?.entries ?? []) {
    const name = keyText(entry.key);
    if (isExtendedResource(name) && entry.value.kind === "scalar") amounts.push([name, entry.value.source]);
  }
  return Object.fromEntries(amounts);
}

function wording(error: ResourceError, node: YamlNode, limit: YamlNode | null, kind: string): string {
  const { resource, rule } = error;
  const amount = node.kind === "scalar" ? node.source : "";
  switch (rule) {
    case "limit-missing":
      return fill(messages["limit-missing"], { resource, kind });
    case "not-equal":
      return fill(messages["not-equal"], {
        resource,
        request: amount,
        limit: limit?.kind === "scalar" ? limit.source : "",
        kind,
      });
    case "fraction":
      return fill(messages.fraction, { resource, amount });
    case "negative":
      return fill(messages.negative, { resource, amount });
  }
}
