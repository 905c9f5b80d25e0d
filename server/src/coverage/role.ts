// Coverage layer: the roles a workload can have. Types and names only; finding them is coverage/find-role.ts.

export const ROLES = [
  "network plugin",
  "CSI node driver",
  "device plugin",
  "exporter",
  "log agent",
  "local-storage provisioner",
  "kube-proxy",
  "node agent",
  "application",
] as const;
export type Role = (typeof ROLES)[number];

/** Every role but application is a platform role. */
export function isPlatformRole(role: Role): boolean {
  return role !== "application";
}
