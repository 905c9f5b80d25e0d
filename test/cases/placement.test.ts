// Reported cases: the `#=` lines of each fixture. They hold what upstream 1.37.2 answers:
//   Kind/name @ node -> verdict          placement
//   api Kind/name ~ text | ok            what the API server says
//   decode Kind/name ~ text              the object cannot be decoded
//   strict Kind/name ~ text              strict field validation refuses it
//   dstol Kind/name key effect -> seconds=n|nil   what a DaemonSet's pods end up with
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { daemonSetTolerations } from "../../server/src/scheduling/implied-tolerations.ts";
import { place } from "../../server/src/scheduling/place.ts";
import { validateTolerations } from "../../server/src/scheduling/validate-tolerations.ts";
import { DEFAULT_SCHEDULING } from "../../server/src/scheduling/verdict.ts";
import { readManifest } from "../../server/src/workload/read.ts";
import { clusterOf, diagnose } from "../support/judge.ts";

const FOLDER = "test/cases";
const FIXTURES = readdirSync(FOLDER)
  .filter((name) => /^C\d+\.yaml$/.test(name) && /^#= /m.test(readFileSync(`${FOLDER}/${name}`, "utf8")))
  .sort();

describe.each(FIXTURES)("%s", (name) => {
  const text = readFileSync(`${FOLDER}/${name}`, "utf8");
  const cluster = clusterOf(text);
  const items = readManifest(text, { path: "case.yaml" }).documents.flatMap((document) => document.workloads);
  const item = (ref: string) => {
    const [kind, named] = ref.split("/");
    const found = items.find(({ workload }) => workload.kind === kind && workload.name === named);
    if (found === undefined) throw new Error(`${ref} is not in ${name}`);
    return found;
  };
  const lines = [...text.matchAll(/^#= (.*)$/gm)].map((match) => match[1] ?? "");

  for (const line of lines) {
    const placed = /^(\S+) @ (\S+) -> (\S+)$/.exec(line);
    const api = /^api (\S+) (?:~ (.+)|ok)$/.exec(line);
    const decode = /^decode (\S+) ~ (.+)$/.exec(line);
    const strict = /^strict (\S+) ~ (.+)$/.exec(line);
    const seconds = /^dstol (\S+) (\S+) (\S+) -> seconds=(\S+)$/.exec(line);
    it(line, () => {
      if (placed) {
        const [, ref = "", node = "", verdict = ""] = placed;
        const found = cluster.nodes.get(node);
        if (found === undefined) throw new Error(`no node ${node}`);
        const answer = place(item(ref).workload, found, DEFAULT_SCHEDULING);
        const [word, key] = verdict.split(/:(.*)/);
        expect(answer.verdict).toBe(word);
        if (key) expect(answer.untolerated.map((taint) => taint.key)).toContain(key);
      } else if (api) {
        const [, ref = "", wanted] = api;
        const errors = validateTolerations(item(ref).workload.template.tolerations, "", DEFAULT_SCHEDULING);
        if (wanted === undefined) expect(errors).toEqual([]);
        else expect(errors.map((error) => error.message).join("\n")).toContain(wanted);
      } else if (decode) {
        expect(item(decode[1] ?? "").undecodable).not.toEqual([]);
      } else if (strict) {
        checkStrict(strict[1] ?? "", strict[2] ?? "");
      } else if (seconds) {
        const [, ref = "", key, effect, wanted] = seconds;
        const list = daemonSetTolerations(item(ref).workload.template).map((entry) => entry.toleration);
        const entries = list.filter((toleration) => toleration.key === key && toleration.effect === effect);
        expect(entries.map((toleration) => toleration.tolerationSeconds ?? "nil")).toEqual([wanted]);
      } else throw new Error(`not understood: ${line}`);
    });
  }

  /** Unknown fields are ours to find; of duplicate keys the false alarm about overridden merge keys is not repeated. */
  function checkStrict(ref: string, wanted: string): void {
    const field = /unknown field "(.+)"/.exec(wanted)?.[1];
    const codes = diagnose(text).map(({ code, message }) => `${code} ${message}`);
    if (field !== undefined) expect(codes.join("\n")).toMatch(new RegExp(`toleration-misplaced .*no field ${field} `));
    else if (/^\s*- \{<<:/m.test(text)) expect(codes).toEqual([]);
    else expect(codes.join("\n")).toMatch(/yaml-problem .*stands twice/);
    expect(item(ref).workload.name).not.toBeNull();
  }
});
