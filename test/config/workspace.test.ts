// The workspace file: what it can say, what is said of bad parts, and that schema and parser agree.
import { readFileSync } from "node:fs";
import { Ajv } from "ajv";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { clustersForPath, readWorkspaceText } from "../../server/src/config/read-workspace.ts";
import { DEFAULT_CONFIG, ROLE_NAMES } from "../../server/src/config/workspace.ts";
import { workspaceSchema } from "../../server/src/config/workspace-shape.ts";
import { ROLES } from "../../server/src/coverage/role.ts";
import { toPlain } from "../../server/src/yaml/locate.ts";
import { parseText } from "../../server/src/yaml/parse.ts";

const EVERYTHING = `
clusters:
- {name: prod, file: dumps/prod}
- {name: lab, context: lab-admin}
paths:
- path: clusters/prod/**
  clusters: prod
- path: [clusters/lab/**, sandbox/]
  clusters: [lab]
pools:
- name: gpu
  clusters: prod
  labels: {pool: gpu}
  taints: ["nvidia.com/gpu=present:NoSchedule", "example.com/busy:NoExecute"]
  allocatable: {nvidia.com/gpu: 8, memory: 64Gi}
  arch: arm64
roles:
- {workload: DaemonSet/kube-system/site-*, role: network plugin}
expected:
- workload: logging/shipper
  taint: dedicated=db:NoSchedule
  nodes: db-*
  reason: they ship their own
- {role: exporter, taint: "example.com/*"}
ignoredTaints: [example.com/soft]
transientTaints: ["example.com/booting:NoSchedule"]
exclude: [vendor/**]
severity:
  toleration-blanket: off
  toleration-gap: error
kubernetes:
  version: 1.36
  featureGates: {TaintTolerationComparisonOperators: true}
`;

/** Each problem as `line:column message`, 1-based. */
function problemsOf(text: string): readonly string[] {
  return readWorkspaceText(text).problems.map(({ message, span }) => {
    const before = text.slice(0, span.start).split("\n");
    return `${before.length}:${(before.at(-1)?.length ?? 0) + 1} ${message}`;
  });
}

describe("a workspace file", () => {
  it("is read whole", () => {
    const { config, problems } = readWorkspaceText(EVERYTHING);
    expect(problems).toEqual([]);
    expect(config).toMatchInlineSnapshot(`
      {
        "clusters": [
          {
            "context": null,
            "file": "dumps/prod",
            "name": "prod",
          },
          {
            "context": "lab-admin",
            "file": null,
            "name": "lab",
          },
        ],
        "exclude": [
          "vendor/**",
        ],
        "expected": [
          {
            "clusters": [],
            "nodes": [
              "db-*",
            ],
            "reason": "they ship their own",
            "role": null,
            "taint": {
              "effect": "NoSchedule",
              "key": "dedicated",
              "value": "db",
            },
            "workload": {
              "kind": "logging",
              "name": "shipper",
              "namespace": null,
            },
          },
          {
            "clusters": [],
            "nodes": [],
            "reason": "",
            "role": "exporter",
            "taint": {
              "effect": null,
              "key": "example.com/*",
              "value": null,
            },
            "workload": null,
          },
        ],
        "ignoredTaints": [
          {
            "effect": null,
            "key": "example.com/soft",
            "value": null,
          },
        ],
        "kubernetes": {
          "comparisonOperators": true,
          "minorVersion": 36,
        },
        "paths": [
          {
            "clusters": [
              "prod",
            ],
            "paths": [
              "clusters/prod/**",
            ],
          },
          {
            "clusters": [
              "lab",
            ],
            "paths": [
              "clusters/lab/**",
              "sandbox/",
            ],
          },
        ],
        "pools": [
          {
            "allocatable": {
              "memory": "64Gi",
              "nvidia.com/gpu": "8",
            },
            "clusters": [
              "prod",
            ],
            "labels": {
              "kubernetes.io/arch": "arm64",
              "kubernetes.io/os": "linux",
              "pool": "gpu",
            },
            "name": "gpu",
            "taints": [
              {
                "effect": "NoSchedule",
                "key": "nvidia.com/gpu",
                "timeAdded": null,
                "value": "present",
              },
              {
                "effect": "NoExecute",
                "key": "example.com/busy",
                "timeAdded": null,
                "value": "",
              },
            ],
          },
        ],
        "roles": [
          {
            "role": "network plugin",
            "workload": {
              "kind": "DaemonSet",
              "name": "site-*",
              "namespace": "kube-system",
            },
          },
        ],
        "severity": {
          "toleration-blanket": "off",
          "toleration-gap": "error",
        },
        "transientTaints": [
          {
            "effect": "NoSchedule",
            "key": "example.com/booting",
            "value": null,
          },
        ],
      }
    `);
  });

  it("gives the defaults when it is empty, only comments, or not there", () => {
    for (const text of ["", "# nothing\n", "---\n", "{}"]) {
      expect(readWorkspaceText(text), JSON.stringify(text)).toEqual({ config: DEFAULT_CONFIG, problems: [] });
    }
  });

  it("reports each bad value with its place and keeps the rest", () => {
    const text = `
severity:
  toleration-gap: fatal
  toleration-gaps: error
colour: red
pools:
- name: gpu
  taints: [dedicated]
  allocatable: {memory: lots}
- labels: {pool: nameless}
kubernetes: {version: 2.0}
exclude: [/etc/**, vendor/**]
`;
    expect(problemsOf(text)).toMatchInlineSnapshot(`
      [
        "3:19 severity.toleration-gap must be one of error, warning, information, hint, off, not "fatal".",
        "4:3 severity: toleration-gaps is no diagnostic code; known: yaml-problem, toleration-gap, toleration-time-bomb, unschedulable, toleration-invalid, toleration-value-type, toleration-misplaced, toleration-duplicate, toleration-unmatched, toleration-blanket, toleration-defeats-drain, toleration-eviction, toleration-attracts-nothing, selector-unmatched, os-selector-missing, virtual-node-reached, admission-selector, extended-resource-unavailable, extended-resource-invalid, template-drift.",
        "5:1 colour is not known here; known: clusters, paths, pools, roles, expected, ignoredTaints, transientTaints, exclude, severity, kubernetes.",
        "8:12 pools[0].taints[0] must be a taint such as dedicated=rdma:NoSchedule, not "dedicated".",
        "9:25 pools[0].allocatable.memory: "lots" is no quantity such as 8, 500m or 16Gi.",
        "10:3 pools[1] needs name.",
        "11:23 kubernetes.version must be a version such as "1.37", not "2.0".",
        "12:11 exclude[0]: must be relative to this file and inside its folder.",
      ]
    `);
    const { config } = readWorkspaceText(text);
    expect(config.pools.map((pool) => pool.name)).toEqual(["gpu"]);
    expect(config.exclude).toEqual(["vendor/**"]);
  });

  it("reports broken YAML, a list at the root and entries that mean everything", () => {
    expect(problemsOf("- a\n")).toEqual(["1:1 The file must be a mapping, not a list."]);
    expect(problemsOf("expected:\n- reason: because\n")).toEqual([
      "1:1 expected: an entry without workload, role, taint or nodes would mean every gap.",
    ]);
    expect(problemsOf("clusters:\n- {name: a, file: x, context: y}\n- {name: a, file: z}\n")).toEqual([
      "1:1 clusters: a is listed twice.",
      "1:1 clusters: a needs either file or context.",
    ]);
    expect(problemsOf("pools: [\n").length).toBeGreaterThan(0);
  });

  it("never throws, whatever the bytes", () => {
    const values = fc.json({ depthSize: "small" });
    fc.assert(fc.property(fc.oneof(fc.string(), values), (text) => readWorkspaceText(text).config !== null));
  });

  it("knows the roles of the coverage layer", () => {
    expect(ROLE_NAMES).toEqual(ROLES);
  });
});

describe("path mappings", () => {
  const { config } = readWorkspaceText(EVERYTHING);
  it.each([
    ["clusters/prod/a/b.yaml", ["prod"]],
    ["clusters/lab/x.yaml", ["lab"]],
    ["sandbox/deep/x.yaml", ["lab"]],
    ["apps/x.yaml", []],
  ])("%s belongs to %j", (path, names) => {
    expect(clustersForPath(config, path)).toEqual(names);
  });

  it("leave every file to every cluster where there are none", () => {
    expect(clustersForPath(DEFAULT_CONFIG, "apps/x.yaml")).toBeNull();
  });
});

describe("the JSON schema", () => {
  const shipped: unknown = JSON.parse(readFileSync("shared/taintwise.schema.json", "utf8"));
  const validate = new Ajv({ strict: false }).compile(workspaceSchema());

  it("is the parser's own shape, written out", () => {
    expect(shipped).toEqual(JSON.parse(JSON.stringify(workspaceSchema())));
  });

  it("accepts what the parser accepts", () => {
    expect(validate(toPlain(parseText(EVERYTHING.replace(": off", ': "off"')).root))).toBe(true);
  });

  it.each([
    ["an unknown field", { colour: "red" }],
    ["an unknown code", { severity: { "toleration-gaps": "error" } }],
    ["an unknown severity", { severity: { "toleration-gap": "fatal" } }],
    ["a pool without name", { pools: [{ labels: {} }] }],
    ["a mapping without clusters", { paths: [{ path: "a/**" }] }],
    ["an unknown role", { roles: [{ workload: "a", role: "butler" }] }],
    ["a list in a list's item", { exclude: [["a"]] }],
  ])("refuses %s, as the parser does", (_, value) => {
    expect(validate(value)).toBe(false);
    expect(readWorkspaceText(JSON.stringify(value)).problems).not.toEqual([]);
  });
});
