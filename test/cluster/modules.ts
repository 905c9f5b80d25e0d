// What a cluster for the tests is built from: Go modules beside this file,
// and the folder their binaries are kept in.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The programs of a test cluster. */
export type Program = "etcd" | "kube-apiserver" | "kube-controller-manager" | "kube-scheduler" | "kubectl" | "kwok";

/** A Go module of ours that pins one upstream and the programs built from it. */
export interface Module {
  readonly name: string;
  /** Folder of go.mod and go.sum. */
  readonly folder: string;
  /** Program → Go package. */
  readonly programs: Readonly<Partial<Record<Program, string>>>;
  readonly ldflags: string;
  /** Files copied out of an upstream module beside the programs. */
  readonly files?: { readonly module: string; readonly paths: readonly string[] };
}

const here = fileURLToPath(new URL(".", import.meta.url));
const version = "k8s.io/component-base/version";

/** The modules in the order in which they are built. */
export const modules: readonly Module[] = [
  {
    name: "etcd",
    folder: join(here, "modules/etcd"),
    programs: { etcd: "go.etcd.io/etcd/server/v3" },
    ldflags: "-s -w",
  },
  {
    name: "k8s",
    folder: join(here, "modules/k8s"),
    programs: {
      "kube-apiserver": "k8s.io/kubernetes/cmd/kube-apiserver",
      "kube-controller-manager": "k8s.io/kubernetes/cmd/kube-controller-manager",
      "kube-scheduler": "k8s.io/kubernetes/cmd/kube-scheduler",
      kubectl: "k8s.io/kubernetes/cmd/kubectl",
    },
    // Upstream's own build stamps these; without them the server calls itself v0.0.0.
    ldflags: `-s -w -X ${version}.gitVersion=v1.37.2 -X ${version}.gitMajor=1 -X ${version}.gitMinor=37`,
  },
  {
    name: "kwok",
    folder: join(here, "modules/kwok"),
    programs: { kwok: "sigs.k8s.io/kwok/cmd/kwok" },
    ldflags: "-s -w",
    files: {
      module: "sigs.k8s.io/kwok",
      paths: [
        "kustomize/stage/node/fast/node-initialize.yaml",
        "kustomize/stage/node/heartbeat-with-lease/node-heartbeat-with-lease.yaml",
        "kustomize/stage/pod/fast/pod-ready.yaml",
        "kustomize/stage/pod/fast/pod-complete.yaml",
        "kustomize/stage/pod/fast/pod-delete.yaml",
      ],
    },
  },
];

/**
 * The folder a module's binaries are kept in. TAINTWISE_CLUSTER_BIN names one
 * for all of them and is taken as it is; otherwise it lies in the ignored
 * cache and its name changes with the module's dependencies, which is what
 * makes them rebuilt.
 */
export function binaryFolder(module: Module): string {
  const given = process.env.TAINTWISE_CLUSTER_BIN;
  if (given) return given;
  const hash = createHash("sha256").update(module.ldflags);
  for (const file of ["go.mod", "go.sum"]) hash.update(readFileSync(join(module.folder, file)));
  return join(here, "../../.cache/cluster-bin", hash.digest("hex").slice(0, 16));
}

/** The path of a program, whether or not it has been built. */
export function programPath(program: Program): string {
  const module = modules.find((candidate) => program in candidate.programs);
  if (module === undefined) throw new Error(`No module builds ${program}`);
  return join(binaryFolder(module), program);
}

/** KWOK's stages: what its stand-in kubelets do, in the order its configuration wants. */
export function kwokStagePaths(): readonly string[] {
  return modules.flatMap((module) =>
    (module.files?.paths ?? []).map((path) => join(binaryFolder(module), path.split("/").at(-1) ?? path)),
  );
}
