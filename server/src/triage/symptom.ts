// Triage layer: one thing wrong with one object on one node, before causes are linked and findings folded by code.
import type { FindingCode } from "../../../shared/src/codes.ts";
import type { Severity } from "../../../shared/src/severity.ts";
import type { Role } from "../coverage/role.ts";
import type { Taint } from "../kube/taint.ts";
import type { ObjectRef } from "../kube/workload.ts";
import type { Evidence } from "./finding.ts";
import type { Failure } from "./read/failure.ts";

/** What a symptom is about, as far as the rules that link causes need it. Every list may be empty. */
export interface About {
  /** `namespace/name` of the pods. */
  readonly pods: readonly string[];
  /** `namespace/name` of the DaemonSet; empty when it is about none. */
  readonly daemonSet: string;
  readonly role: Role | null;
  /** Extended resources that are short, or that the DaemonSet's pods make. */
  readonly resources: readonly string[];
  /** CSI or DRA drivers that are missing, or that the DaemonSet's pods register. */
  readonly drivers: readonly string[];
  /** Taints that stand in the way, or that this symptom puts on the node. */
  readonly taintKeys: readonly string[];
  /** Whether the pod only waits in an init container, for something that others prepare. */
  readonly waitsInInit: boolean;
  /** `namespace/name` of DaemonSets whose absence is the reason: those that set a label this one selects. */
  readonly waitsFor: readonly string[];
  /** Other nodes where the cause may lie: those that hold a volume this one waits for. */
  readonly elsewhere: readonly string[];
  /** Type of the condition; empty when it is about none. */
  readonly condition: string;
  /** Why the runtime, a registry or the kubelet could not do it. */
  readonly failure: Failure | null;
  /** The words of the components themselves, to be searched. */
  readonly texts: readonly string[];
}

export interface Symptom {
  readonly code: FindingCode;
  /** The node it is charged to; empty for a pod that no node is charged with. */
  readonly node: string;
  readonly severity: Severity;
  /** What and where, in one or two sentences. */
  readonly message: string;
  /** What people will notice; empty where the message says it. */
  readonly consequence: string;
  /** A few words for the top line: "csi-node has no pod". */
  readonly summary: string;
  /** The next thing to do when this is the root. */
  readonly advice: string;
  readonly object: ObjectRef | null;
  /** What a root of this kind points at; null when it is the node itself. */
  readonly rootObject: ObjectRef | null;
  readonly since: number | null;
  readonly evidence: readonly Evidence[];
  /** Taints whose toleration is the remedy; empty for every other remedy. */
  readonly tolerate: readonly Taint[];
  /** Set when the cause is known to lie outside every node: what, and where. */
  readonly outside: { readonly object: ObjectRef | null; readonly summary: string; readonly advice: string } | null;
  readonly about: About;
}

const NOTHING: About = {
  pods: [],
  daemonSet: "",
  role: null,
  resources: [],
  drivers: [],
  taintKeys: [],
  waitsInInit: false,
  waitsFor: [],
  elsewhere: [],
  condition: "",
  failure: null,
  texts: [],
};

/** What a rule must say; the rest has defaults. */
export type SymptomDraft = Pick<Symptom, "code" | "node" | "severity" | "message" | "summary" | "advice"> &
  Partial<Omit<Symptom, "about">> & { readonly about?: Partial<About> };

/** Completes a rule's draft. */
export function symptom(draft: SymptomDraft): Symptom {
  return {
    consequence: "",
    object: null,
    rootObject: null,
    since: null,
    evidence: [],
    tolerate: [],
    outside: null,
    ...draft,
    about: { ...NOTHING, ...draft.about },
  };
}
