// Live cluster, watching: how long a resource waits for what.

export interface ReflectorLimits {
  /** Milliseconds until a request's status line must be there. */
  readonly deadline: number;
  /** Milliseconds without a byte after which a stream is taken for dead. */
  readonly silence: number;
  /** Milliseconds a stream must live to count as healthy. */
  readonly healthy: number;
  /** Milliseconds between full lists where every version expires at once, and where a right is missing. */
  readonly slow: number;
  /** Milliseconds after which a whole list is read although every watch went well. */
  readonly resync: number;
}

export const DEFAULT_LIMITS: ReflectorLimits = {
  deadline: 9_000,
  silence: 90_000,
  healthy: 5_000,
  slow: 300_000,
  resync: 6 * 3_600_000,
};
