// Kubernetes data layer: amounts of resources.

/**
 * Amounts by resource name, in the unit the scheduler compares: `cpu` in millicores, `memory`, `ephemeral-storage`
 * and `hugepages-*` in bytes, everything else in whole units (fractions rounded up, as resource.Quantity.Value does).
 * Amounts above 2^53 are as exact as a double.
 */
export type Resources = Readonly<Record<string, number>>;

/**
 * Whether a name is an extended resource: it has a domain outside kubernetes.io.
 * Source: k8s.io/kubernetes/pkg/apis/core/v1/helper IsExtendedResourceName.
 */
export function isExtendedResource(name: string): boolean {
  return name.includes("/") && !name.includes("kubernetes.io/") && !name.startsWith("requests.");
}
