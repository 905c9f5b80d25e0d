// Kubernetes data layer: an Event as plain data (core/v1 and events.k8s.io/v1 read alike).

export interface ClusterEvent {
  readonly namespace: string;
  readonly name: string;
  readonly involved: {
    readonly apiVersion: string;
    readonly kind: string;
    readonly namespace: string;
    readonly name: string;
    readonly uid: string;
    readonly fieldPath: string;
  };
  /** Normal or Warning. */
  readonly type: string;
  readonly reason: string;
  readonly message: string;
  /** How often, series included; at least 1. */
  readonly count: number;
  /** Milliseconds; from firstTimestamp, else eventTime, else creation. */
  readonly firstSeen: number | null;
  /** Milliseconds; from series.lastObservedTime, lastTimestamp, eventTime, creation, in this order. */
  readonly lastSeen: number | null;
  /** source.component or reportingComponent. */
  readonly component: string;
  /** source.host; empty when unset. */
  readonly host: string;
}
