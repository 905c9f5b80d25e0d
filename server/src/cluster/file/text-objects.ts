// Cluster layer, files: the objects of a dump's text, whatever it is: YAML, JSON, or what kubectl prints instead.
import { looksLikeJson, readJsonObjects } from "./json-objects.ts";
import type { ObjectSink, TextProblem } from "./object-sink.ts";
import { readYamlObjects } from "./yaml-objects.ts";

/** Lines that kubectl writes to stderr and that land in a dump through `2>&1`. */
const KUBECTL_NOISE = /^(?:(?:Warning:|[IWEF]\d{4} \d\d:\d\d:\d\d)[^\n]*\n|\s+(?=\S))+/;
/** Above this size a broken JSON text is not tried again as YAML. */
const RETRY_LIMIT = 4_000_000;

const INSTEAD: readonly { readonly pattern: RegExp; readonly message: string }[] = [
  {
    pattern: /^(?:Error from server|error: |Unable to connect to the server|The connection to the server)/,
    message: "holds an error of kubectl instead of objects",
  },
  {
    pattern: /^(?:NAMESPACE +)?(?:LAST SEEN +)?NAME +[A-Z]/,
    message: "holds kubectl's table, which leaves out taints and conditions: write it with -o yaml or -o json",
  },
  {
    pattern: /^No resources found/,
    message: "says that kubectl found nothing: write it with -o yaml or -o json, and -A for all namespaces",
  },
  {
    pattern: /^Name: {2,}\S/,
    message: "holds the output of kubectl describe: write it with kubectl get -o yaml or -o json",
  },
];

/** Hands every object of a dump's text to `sink`; returns what could not be read, in text order. */
export function readObjects(source: string, sink: ObjectSink): readonly TextProblem[] {
  const text = withoutNoise(source);
  const instead = INSTEAD.find(({ pattern }) => pattern.test(text.trimStart()));
  if (instead !== undefined) {
    const line = text.trim().split("\n", 1)[0] ?? "";
    return [
      {
        offset: source.indexOf(line),
        lost: { start: 0, end: source.length },
        message: `${instead.message} (${line.slice(0, 120)})`,
      },
    ];
  }
  if (!looksLikeJson(text)) return readYamlObjects(text, sink);
  const held = new HoldingSink();
  const problems = readJsonObjects(text, text.length <= RETRY_LIMIT ? held : sink);
  if (problems.length === 0 || text.length > RETRY_LIMIT) {
    held.releaseTo(sink);
    return problems;
  }
  // A flow collection of YAML can start like JSON.
  const retried = new HoldingSink();
  const asYaml = readYamlObjects(text, retried);
  (asYaml.length === 0 ? retried : held).releaseTo(sink);
  return asYaml.length === 0 ? [] : problems;
}

/** The text with noise at its start blanked, so that offsets stay. */
function withoutNoise(text: string): string {
  const noise = KUBECTL_NOISE.exec(text)?.[0] ?? "";
  return noise.trim() === "" ? text : noise.replace(/[^\n]/g, " ") + text.slice(noise.length);
}

/** Keeps what it gets until it is clear that it counts. */
class HoldingSink implements ObjectSink {
  readonly #calls: ((sink: ObjectSink) => void)[] = [];

  object(...args: Parameters<ObjectSink["object"]>): void {
    this.#calls.push((sink) => sink.object(...args));
  }

  list(...args: Parameters<ObjectSink["list"]>): void {
    this.#calls.push((sink) => sink.list(...args));
  }

  serverVersion(...args: Parameters<ObjectSink["serverVersion"]>): void {
    this.#calls.push((sink) => sink.serverVersion(...args));
  }

  releaseTo(sink: ObjectSink): void {
    for (const call of this.#calls) call(sink);
  }
}
