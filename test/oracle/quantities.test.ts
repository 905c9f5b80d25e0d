import { expect, test } from "vitest";
import { parseQuantity } from "../../server/src/kube/quantity.ts";
import { readVectors } from "./vectors.ts";

// The product keeps numbers, not 64-bit integers: near 2^63 it may differ by the rounding of a double.
test("every quantity: refused, or of the value upstream gives it", () => {
  const { vectors } = readVectors("quantities");
  const mismatches = vectors.cases.filter(({ text, value, milliValue, error }) => {
    const ours = parseQuantity(text);
    if (error !== undefined) return ours !== null;
    if (ours === null) return true;
    return (
      (value !== undefined && ours.value !== Number(value)) ||
      (milliValue !== undefined && ours.milli !== Number(milliValue))
    );
  });
  expect(mismatches.map((vector) => ({ ...vector, ours: parseQuantity(vector.text) }))).toEqual([]);
});
