// Report layer: triage for services that annotate: GitHub's workflow commands and SARIF.
import type { ClusterModel } from "../cluster/model.ts";
import { formatRef, type ObjectRef } from "../kube/workload.ts";
import type { Finding, TriageReport } from "../triage/finding.ts";
import { commonJson } from "./document.ts";
import { command, GITHUB_LEVELS } from "./github.ts";
import { SARIF_LEVELS, type SarifResult, sarifLog, uriOf } from "./sarif-log.ts";

/** A cluster with its report. */
export interface Triaged {
  readonly cluster: ClusterModel;
  readonly report: TriageReport;
}

/** A finding and the node or pod that it is about. */
interface Told {
  readonly cluster: ClusterModel;
  readonly subject: ObjectRef;
  readonly finding: Finding;
  /** The file that the node was read from; null for pods and live clusters. */
  readonly path: string | null;
}

/** One annotation line for each finding, and one for each thing that is unknown. */
export function triageGithub(triaged: readonly Triaged[]): string {
  const lines = findingsOf(triaged).map(({ subject, finding, path }) =>
    command(
      GITHUB_LEVELS[finding.severity],
      { ...(path === null ? {} : { file: path }), title: `taintwise ${finding.code} ${formatRef(subject)}` },
      finding.message,
    ),
  );
  const unknown = unknownOf(triaged).map((text) => command("notice", { title: "taintwise" }, text));
  return [...lines, ...unknown].join("");
}

/** The findings as a SARIF log; nodes and pods are its logical locations. */
export function triageSarif(triaged: readonly Triaged[]): string {
  const results = findingsOf(triaged).map((told): SarifResult => {
    const { cluster, subject, finding, path } = told;
    const fullyQualifiedName = formatRef(subject);
    return {
      ruleId: finding.code,
      level: SARIF_LEVELS[finding.severity],
      message: { text: finding.message },
      locations: [
        {
          ...(path === null ? {} : { physicalLocation: { artifactLocation: { uri: uriOf(path) } } }),
          logicalLocations: [{ fullyQualifiedName, kind: "object" }],
        },
      ],
      partialFingerprints: { "taintwise/v1": [finding.code, fullyQualifiedName, cluster.name].join("|") },
      properties: { severity: finding.severity, cluster: cluster.name },
    };
  });
  return sarifLog(results, unknownOf(triaged), commonJson(triaged.map(({ cluster }) => cluster)));
}

function findingsOf(triaged: readonly Triaged[]): readonly Told[] {
  return triaged.flatMap(({ cluster, report }) => [
    ...report.nodes.flatMap(({ name, findings }) => {
      const place = cluster.nodes.get(name)?.place ?? null;
      const path = place === null || place.path === "-" ? null : place.path;
      const subject: ObjectRef = { kind: "Node", namespace: null, name };
      return findings.map((finding) => ({ cluster, subject, finding, path }));
    }),
    ...report.pods.flatMap(({ namespace, name, findings }) =>
      findings.map((finding) => ({ cluster, subject: { kind: "Pod", namespace, name }, finding, path: null })),
    ),
  ]);
}

function unknownOf(triaged: readonly Triaged[]): readonly string[] {
  return [...new Set(triaged.flatMap(({ report }) => report.unknown))];
}
