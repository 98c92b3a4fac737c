import { expect, test } from "vitest";
import { windowRange } from "./clock.ts";

test.each([
  // A month back from 15 March is 28 days, from 15 August 31.
  ["2026-03-15T12:00:00Z", "2026-02-13T12:00:00Z", "2026-02-15T12:00:00Z"],
  ["2026-08-15T12:00:00Z", "2026-07-15T12:00:00Z", "2026-07-16T12:00:00Z"],
])("points in days and months as of %s are taken in their order in time", (asOf, from, to) => {
  const reference = Date.parse(asOf);
  const clock = { reference, end: reference, timezone: "UTC" };
  const days = { n: 30, unit: "day" } as const;
  const month = { n: 1, unit: "month" } as const;
  const range = { from: Date.parse(from), to: Date.parse(to) };
  expect(windowRange({ kind: "between", older: days, newer: month }, clock)).toEqual(range);
  expect(windowRange({ kind: "between", older: month, newer: days }, clock)).toEqual(range);
});
