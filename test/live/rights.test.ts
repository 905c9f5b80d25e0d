// The ClusterRole in the docs grants what is read, no more and no less.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { LIVE_RESOURCES } from "../../server/src/cluster/live/resource.ts";
import { toPlain } from "../../server/src/yaml/locate.ts";
import { parseText } from "../../server/src/yaml/parse.ts";

interface Role {
  readonly kind: string;
  readonly rules: readonly {
    readonly apiGroups: readonly string[];
    readonly resources: readonly string[];
    readonly verbs: readonly string[];
  }[];
}

test("docs/rbac.yaml lists exactly the resources that are followed, with list and watch alone", () => {
  const role = toPlain(parseText(readFileSync("docs/rbac.yaml", "utf8")).root) as Role;
  const granted = role.rules.flatMap((rule) =>
    rule.apiGroups.flatMap((group) => rule.resources.map((resource) => `${group}/${resource} ${rule.verbs.join(",")}`)),
  );
  const read = new Set(LIVE_RESOURCES.map((resource) => `${resource.group}/${resource.plural} list,watch`));
  expect([...granted].sort()).toEqual([...read].sort());
});

test("docs/rbac-node-proxy.yaml grants get on nodes/proxy and nothing else", () => {
  const role = toPlain(parseText(readFileSync("docs/rbac-node-proxy.yaml", "utf8")).root) as Role;
  expect(role.rules).toEqual([{ apiGroups: [""], resources: ["nodes/proxy"], verbs: ["get"] }]);
});

test("the page on rights says what each of them costs", () => {
  const page = readFileSync("docs/live-clusters.md", "utf8");
  const rows = page
    .split("\n")
    .filter((line) => line.startsWith("| "))
    .map((line) => line.split("|")[1] ?? "");
  for (const { plural } of LIVE_RESOURCES) expect(rows.some((row) => row.includes(plural))).toBe(true);
});
