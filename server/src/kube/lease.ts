// Kubernetes data layer: a node's lease as plain data.

/** A node's lease in kube-node-lease. */
export interface NodeLease {
  readonly nodeName: string;
  readonly renewTime: number | null;
}
