import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatTime, parseTime } from "../../server/src/kube/time.ts";

describe("times of the API", () => {
  it.each([
    ["2026-03-02T10:00:00Z", "2026-03-02T10:00:00.000Z"],
    ["2026-03-02T10:00:00.123456Z", "2026-03-02T10:00:00.123Z"],
    ["2026-03-02T10:00:00.5Z", "2026-03-02T10:00:00.500Z"],
    ["2024-02-29T10:00:00Z", "2024-02-29T10:00:00.000Z"],
    ["2026-03-02T12:00:00+02:00", "2026-03-02T10:00:00.000Z"],
    ["2026-03-02T04:30:00-05:30", "2026-03-02T10:00:00.000Z"],
  ])("%s is %s", (source, expected) => {
    expect(parseTime(source)).toBe(Date.parse(expected));
  });

  it.each([
    "",
    "2026-03-02",
    "2026-03-02 10:00:00Z",
    "2026-03-02T10:00:00",
    "2026-13-02T10:00:00Z",
    "2026-02-29T10:00:00Z",
    "2026-04-31T10:00:00Z",
    "2026-03-02T25:00:00Z",
    "2026-03-02T10:00:00.Z",
    "2026-03-02T10:00:00+0200",
    "0001-01-01T00:00:00Z",
    "yesterday at about ten o'clock",
    null,
    Number.NaN,
    true,
  ])("%j is no time", (source) => {
    expect(parseTime(source)).toBeNull();
  });

  it("reads what it writes", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: Date.parse("0100-01-01T00:00:00Z"), max: Date.parse("9999-12-31T00:00:00Z") }),
        (time) => {
          expect(parseTime(formatTime(time))).toBe(time);
        },
      ),
    );
  });
});
