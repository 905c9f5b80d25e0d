// Kubernetes data layer, decoding: which tool deployed an object, told from its labels and annotations.
import type { Deployer } from "../workload.ts";

type Texts = Readonly<Record<string, string>>;

interface DeployerSign {
  readonly deployer: Deployer;
  readonly shows: (labels: Texts, annotations: Texts) => boolean;
}

/** Outermost first: Argo CD and Flux deploy charts and kustomizations, and their source is where the fix belongs. */
const SIGNS: readonly DeployerSign[] = [
  {
    deployer: "Argo CD",
    shows: (labels, annotations) =>
      hasPrefix(annotations, "argocd.argoproj.io/") || hasPrefix(labels, "argocd.argoproj.io/"),
  },
  {
    deployer: "Flux",
    shows: (labels, annotations) =>
      hasDomain(labels, ".toolkit.fluxcd.io") ||
      hasDomain(annotations, ".toolkit.fluxcd.io") ||
      "fluxcd.io/sync-checksum" in annotations,
  },
  { deployer: "Terraform", shows: (labels) => managedBy(labels) === "terraform" },
  {
    deployer: "Helm",
    shows: (labels, annotations) =>
      managedBy(labels) === "helm" ||
      "meta.helm.sh/release-name" in annotations ||
      "helm.sh/chart" in labels ||
      labels.heritage === "Helm" ||
      labels.heritage === "Tiller",
  },
  {
    deployer: "Kustomize",
    shows: (labels, annotations) => managedBy(labels) === "kustomize" || "config.kubernetes.io/origin" in annotations,
  },
];

/** The deployer that labels and annotations of an object show; null when they show none. */
export function deployerOf(labels: Texts, annotations: Texts): Deployer | null {
  return SIGNS.find((sign) => sign.shows(labels, annotations))?.deployer ?? null;
}

function managedBy(labels: Texts): string {
  return (labels["app.kubernetes.io/managed-by"] ?? "").toLowerCase();
}

function hasPrefix(texts: Texts, prefix: string): boolean {
  return Object.keys(texts).some((key) => key.startsWith(prefix));
}

/** Whether a key's domain (the part before `/`) ends in `suffix`. */
function hasDomain(texts: Texts, suffix: string): boolean {
  return Object.keys(texts).some((key) => key.slice(0, Math.max(0, key.indexOf("/"))).endsWith(suffix));
}
