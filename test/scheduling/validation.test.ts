// Selectors, affinities and extended resources as the API server refuses them. Tolerations are held against the oracle.
import { describe, expect, test } from "vitest";
import { quoteGo, quoteJson } from "../../server/src/scheduling/field-error.ts";
import { validateExtendedResources } from "../../server/src/scheduling/validate-resources.ts";
import { validateNodeSelector, validateRequiredAffinity } from "../../server/src/scheduling/validate-selection.ts";

const NAME_RULE =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";

test("a nodeSelector's keys and values are labels", () => {
  const errors = validateNodeSelector({ pool: "rdma", "bad key": "x", zone: "a b" }, "spec.nodeSelector");
  expect(errors.map(({ key, field }) => [key, field])).toEqual([
    ["bad key", "spec.nodeSelector"],
    ["zone", "spec.nodeSelector"],
  ]);
  expect(errors[0]?.message).toBe(`Invalid value: "bad key": name part ${NAME_RULE}`);
  expect(errors[1]?.message).toContain('Invalid value: "a b": a valid label must be an empty string or consist of');
});

describe("required node affinity", () => {
  const path = "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution";
  const messages = (...requirements: readonly (readonly [string, string, ...string[]])[]) =>
    validateRequiredAffinity(
      {
        terms: [
          {
            matchExpressions: requirements.map(([key, operator, ...values]) => ({ key, operator, values })),
            matchFields: [],
          },
        ],
      },
      path,
    ).map(({ field, message }) => `${field.slice(path.length)}: ${message}`);

  test("needs a term", () => {
    expect(validateRequiredAffinity({ terms: [] }, path)).toEqual([
      {
        field: `${path}.nodeSelectorTerms`,
        detail: "must have at least one node selector term",
        message: "Required value: must have at least one node selector term",
      },
    ]);
  });

  test("accepts every operator with its number of values", () => {
    expect(
      messages(["a", "In", "x", "y"], ["a", "NotIn", "x"], ["a", "Exists"], ["a", "DoesNotExist"], ["a", "Gt", "5"]),
    ).toEqual([]);
  });

  test("refuses the wrong number of values, unknown operators and values that are no labels", () => {
    const at = (index: number) => `.nodeSelectorTerms[0].matchExpressions[${index}]`;
    expect(messages(["a", "In"], ["a", "Exists", "x"], ["a", "Gt", "1", "2"], ["a", "in", "x"])).toEqual([
      `${at(0)}.values: Required value: must be specified when \`operator\` is 'In' or 'NotIn'`,
      `${at(1)}.values: Forbidden: may not be specified when \`operator\` is 'Exists' or 'DoesNotExist'`,
      `${at(2)}.values: Required value: must be specified single value when \`operator\` is 'Lt' or 'Gt'`,
      `${at(3)}.operator: Invalid value: "in": not a valid selector operator`,
    ]);
    expect(messages(["a", "In", "ok", "not ok"])[0]).toContain(`${at(0)}.values[1]: Invalid value: "not ok"`);
  });

  test("matchFields knows metadata.name, In and NotIn, and one value", () => {
    const fields = (key: string, operator: string, ...values: readonly string[]) =>
      validateRequiredAffinity(
        { terms: [{ matchExpressions: [], matchFields: [{ key, operator, values }] }] },
        path,
      ).map((error) => error.message);
    expect(fields("metadata.name", "In", "node-1")).toEqual([]);
    expect(fields("metadata.name", "Exists")).toEqual(['Invalid value: "Exists": not a valid selector operator']);
    expect(fields("metadata.name", "In", "a", "b")).toEqual([
      "Required value: must be only one value when `operator` is 'In' or 'NotIn' for node field selector",
    ]);
    expect(fields("metadata.labels", "In", "a")).toEqual([
      'Invalid value: "metadata.labels": not a valid field selector key',
    ]);
    expect(fields("metadata.name", "In", "Node_1")[0]).toContain("a lowercase RFC 1123 subdomain must consist of");
  });
});

describe("extended resources", () => {
  const told = (requests: Record<string, string>, limits: Record<string, string>) =>
    validateExtendedResources({ requests, limits }, "resources").map(
      ({ field, rule, message }) => `${rule} ${field}: ${message}`,
    );

  test("a request needs an equal limit; a limit alone is a request", () => {
    expect(told({}, { "rdma/hca": "1" })).toEqual([]);
    expect(told({ "rdma/hca": "1k" }, { "rdma/hca": "1000" })).toEqual([]);
    expect(told({ "rdma/hca": "1" }, {})).toEqual([
      "limit-missing resources.limits: Required value: Limit must be set for non overcommitable resources",
    ]);
    expect(told({ "rdma/hca": "1" }, { "rdma/hca": "2" })).toEqual([
      'not-equal resources.requests: Invalid value: "1": must be equal to rdma/hca limit of 2',
    ]);
  });

  test("whole units only", () => {
    expect(told({}, { "nvidia.com/gpu": "0.5" })).toEqual([
      'fraction resources.limits[nvidia.com/gpu]: Invalid value: "0.5": must be an integer',
    ]);
    expect(told({}, { "nvidia.com/gpu": "-1" })).toEqual([
      'negative resources.limits[nvidia.com/gpu]: Invalid value: "-1": must be greater than or equal to 0',
    ]);
  });

  test("native resources may be overcommitted, and what is no quantity is not judged here", () => {
    expect(told({ cpu: "500m", memory: "1Gi" }, { cpu: "2" })).toEqual([]);
    expect(told({}, { "rdma/hca": "many" })).toEqual([]);
  });
});

test("texts are quoted as Go quotes them", () => {
  expect(quoteGo('a\n"b"\u0001ü\u2028')).toBe('"a\\n\\"b\\"\\x01ü\\u2028"');
  expect(quoteJson("a<b>&c")).toBe('"a\\u003cb\\u003e\\u0026c"');
});
