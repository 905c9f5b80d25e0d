// LSP layer: the contexts that a person can choose. The kubeconfig reader is loaded when they are asked for.
import type { ContextChoices } from "../../../../shared/src/protocol.ts";

export interface ContextSettings {
  /** The kubeconfig a person named; empty: the usual files. */
  readonly kubeconfig: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly trusted: boolean;
}

const NOT_TRUSTED = "The workspace is not trusted: no kubeconfig is read.";

/** Reads the kubeconfig files; contacts nothing and runs nothing. */
export async function answerContexts({ kubeconfig, environment, trusted }: ContextSettings): Promise<ContextChoices> {
  if (!trusted) return { contexts: [], problems: [NOT_TRUSTED] };
  const { describeContext, readContexts } = await import("../../cluster/live/open-context.ts");
  const loaded = await readContexts({ kubeconfig, environment });
  return {
    contexts: loaded.contexts.map((context) => ({
      name: context.name,
      kubeconfig: context.path,
      description: describeContext(context),
      current: context.name === loaded.currentContext,
      unusable: context.unusable,
    })),
    problems: loaded.problems
      .filter((problem) => problem.severity !== "information")
      .map(({ path, line, message }) => `${path}:${line + 1}: ${message}`),
  };
}
