// Extended resources as the API server refuses them. Tolerations are held against the oracle.
import { describe, expect, test } from "vitest";
import { quoteGo, quoteJson } from "../../server/src/scheduling/field-error.ts";
import { validateExtendedResources } from "../../server/src/scheduling/validate-resources.ts";

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
