// Command-line layer: the sentence on an answer without a cluster. Unknown is never clean, so each format carries it.

export const NO_CLUSTER =
  "No cluster: gaps, time bombs and unschedulable workloads are unknown. Give one with --cluster FILE or --context NAME.";
