import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseQuantity } from "../../server/src/kube/quantity.ts";

describe("quantities as Kubernetes reads them", () => {
  it.each([
    ["0", 0, 0],
    ["1", 1, 1000],
    ["-1", -1, -1000],
    ["+3", 3, 3000],
    [2, 2, 2000],
    [0.5, 1, 500],
    ["100m", 1, 100],
    ["1500m", 2, 1500],
    ["1.5", 2, 1500],
    [".5", 1, 500],
    ["5.", 5, 5000],
    ["100u", 1, 1],
    ["1n", 1, 1],
    ["0.1n", 1, 1],
    ["-1500m", -2, -1500],
    ["1k", 1000, 1_000_000],
    ["1M", 1e6, 1e9],
    ["1G", 1e9, 1e12],
    ["1T", 1e12, 1e15],
    ["1P", 1e15, 1e18],
    ["1E", 1e18, 1e21],
    ["1Ki", 1024, 1_024_000],
    ["4Gi", 4294967296, 4294967296000],
    ["0.5Mi", 524288, 524288000],
    ["1Ti", 1099511627776, 1099511627776000],
    ["1Pi", 1125899906842624, 1125899906842624000],
    ["1Ei", 2 ** 60, 1000 * 2 ** 60],
    ["1e3", 1000, 1_000_000],
    ["1E3", 1000, 1_000_000],
    ["25e-1", 3, 2500],
    ["1e+2", 100, 100_000],
    ["16037436Ki", 16422334464, 16422334464000],
    ["0.1", 1, 100],
    ["1.1Gi", 1181116007, 1181116006400],
    [".", 0, 0],
    ["-", 0, 0],
    ["Ki", 0, 0],
  ])("%s is %s units, %s thousandths", (source, value, milli) => {
    expect(parseQuantity(source)).toEqual({ value, milli });
  });

  it("caps what is larger than an int64, as upstream does", () => {
    expect(parseQuantity("100E")?.value).toBe(Number(2n ** 63n - 1n));
    expect(parseQuantity("1e999999999")?.value).toBe(Number(2n ** 63n - 1n));
  });

  it.each(["", "abc", "1 Gi", "1gi", "1K", "1KI", "1e", "1e1.5", "1Ee3", "--1", "0x10", "1,5", null, true, {}, []])(
    "refuses %j",
    (source) => {
      expect(parseQuantity(source)).toBeNull();
    },
  );

  it("refuses what is no finite number", () => {
    expect(parseQuantity(Number.NaN)).toBeNull();
    expect(parseQuantity(Number.POSITIVE_INFINITY)).toBeNull();
  });

  it("never throws and rounds up, whatever the text", () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.stringMatching(/^[-+]?[0-9.]{0,30}([eE][-+]?[0-9]{1,12}|[KMGTPE]i?|[numk])?$/)),
        (source) => {
          const quantity = parseQuantity(source);
          if (quantity === null) return;
          expect(Math.abs(quantity.value) * 1000).toBeGreaterThanOrEqual(Math.abs(quantity.milli));
        },
      ),
    );
  });
});
