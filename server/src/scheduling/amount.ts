// Scheduling layer: amounts of resources as people write them.

const BINARY_UNITS = ["", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];

/**
 * Writes an amount in the unit the scheduler compares (see kube/resources.ts) as a quantity: `1500m` or `2` for cpu,
 * `3.5Gi` for bytes (rounded to two places), a plain number for everything else.
 */
export function formatAmount(resource: string, amount: number): string {
  if (resource === "cpu") return amount % 1000 === 0 ? String(amount / 1000) : `${amount}m`;
  if (resource === "memory" || resource === "ephemeral-storage" || resource.startsWith("hugepages-")) {
    return formatBytes(amount);
  }
  return String(amount);
}

function formatBytes(bytes: number): string {
  let unit = 0;
  let amount = bytes;
  while (amount >= 1024 && unit < BINARY_UNITS.length - 1) {
    amount /= 1024;
    unit++;
  }
  return `${Number(amount.toFixed(2))}${BINARY_UNITS[unit] ?? ""}`;
}
