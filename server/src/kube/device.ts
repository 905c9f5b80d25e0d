// Kubernetes data layer: the objects of dynamic resource allocation (DRA) as plain data.

export interface DeviceClass {
  readonly name: string;
  /** spec.extendedResourceName; empty when unset. */
  readonly extendedResourceName: string;
}

export interface ResourceSlice {
  readonly name: string;
  readonly driver: string;
  /** spec.nodeName; empty when the pool is not local to a node. */
  readonly nodeName: string;
  readonly pool: string;
  readonly devices: number;
}
