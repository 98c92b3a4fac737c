import { expect, test } from "vitest";
import { anniversaryDays } from "./anniversary.ts";

const on = (day: string) => ({ reference: Date.parse(`${day}T12:00:00Z`), end: 0, timezone: "UTC" });
const days = (
  kind: "anniversaryInNext" | "anniversaryInLast",
  n: number,
  unit: "day" | "month" | "year",
  day: string,
) => anniversaryDays({ kind, span: { n, unit } }, on(day));

test("today and the days after or before it, n in all", () => {
  expect(days("anniversaryInNext", 7, "day", "2026-05-01")).toEqual({ first: 501, last: 507 });
  expect(days("anniversaryInLast", 7, "day", "2026-05-01")).toEqual({ first: 425, last: 501 });
  expect(days("anniversaryInNext", 1, "day", "2026-05-01")).toEqual({ first: 501, last: 501 });
});

test("a span over New Year wraps", () => {
  expect(days("anniversaryInNext", 1, "month", "2026-12-20")).toEqual({ first: 1220, last: 119 });
});

test("29 February is kept on the 28th of years that have none", () => {
  expect(days("anniversaryInNext", 2, "day", "2026-02-27")).toEqual({ first: 227, last: 229 });
  expect(days("anniversaryInNext", 2, "day", "2028-02-27")).toEqual({ first: 227, last: 228 });
});

test("more than a year holds every anniversary", () => {
  expect(days("anniversaryInNext", 2, "year", "2026-05-01")).toEqual(undefined);
});
