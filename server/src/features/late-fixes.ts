// Features layer: fixes made when somebody reads them. While a person types, every key stroke brings diagnostics; their
// fixes, which weigh all nodes against each other, are asked for once in a while.
import type { Diagnostic, Fix } from "./diagnostic.ts";
import { once } from "./diagnostics/judge.ts";

/** The diagnostic with the fixes that `make` gives; it is asked once, at the first reading. */
export function withLateFixes(diagnostic: Omit<Diagnostic, "fixes">, make: () => readonly Fix[]): Diagnostic {
  const { code, severity, span, message, workload, taints, nodes, cluster, related, tags } = diagnostic;
  const fixes = once(make);
  // Field by field: a spread would read the fixes of the diagnostic it copies.
  return {
    code,
    severity,
    span,
    message,
    workload,
    taints,
    nodes,
    cluster,
    related,
    tags,
    get fixes() {
      return fixes();
    },
  };
}

/** The diagnostic with another severity, its fixes left as they are. */
export function withSeverity(diagnostic: Diagnostic, severity: Diagnostic["severity"]): Diagnostic {
  if (severity === diagnostic.severity) return diagnostic;
  const { code, span, message, workload, taints, nodes, cluster, related, tags } = diagnostic;
  const changed = { code, severity, span, message, workload, taints, nodes, cluster, related, tags };
  return withLateFixes(changed, () => diagnostic.fixes);
}
