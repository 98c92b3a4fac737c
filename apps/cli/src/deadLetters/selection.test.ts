import { expect, test } from "vitest";
import { filtersOf, selectionOf } from "./selection.ts";

const whose = { number: 1, timezone: "Europe/Berlin" };

test("a range in which nothing can be is refused, by the times of the account's zone", () => {
  const empty = { from: "2026-01-10", to: "2026-01-09T23:00:00Z" };
  const message = "--from 2026-01-10 is not before --to 2026-01-09T23:00:00Z: nothing can be in this range.";
  expect(() => filtersOf(empty, whose)).toThrow(message);
  expect(() => selectionOf(empty, [], whose)).toThrow(message);
  expect(filtersOf({ ...empty, to: "2026-01-09T23:00:01Z" }, whose)).toMatchObject({ account: 1 });
});
