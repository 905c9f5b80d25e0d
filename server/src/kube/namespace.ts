// Kubernetes data layer: a Namespace as plain data.

export interface Namespace {
  readonly name: string;
  /** scheduler.alpha.kubernetes.io/{defaultTolerations,node-selector,tolerationsWhitelist}, openshift.io/node-selector. */
  readonly annotations: Readonly<Record<string, string>>;
  readonly labels: Readonly<Record<string, string>>;
}
