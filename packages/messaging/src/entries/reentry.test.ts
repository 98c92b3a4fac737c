import { expect, test } from "vitest";
import { mayEnterAgain, type Reentry } from "./reentry.ts";

const HOUR_MS = 3_600_000;
const when = { at: 10 * HOUR_MS, timezone: "Europe/Berlin" };
const never = { enteredAt: undefined, isLive: false };
const ended = { enteredAt: 9 * HOUR_MS, isLive: false };
const live = { enteredAt: 9 * HOUR_MS, isLive: true };

test.each<[Reentry, boolean, boolean, boolean]>([
  ["once", true, false, false],
  ["after-exit", true, true, false],
  ["always", true, true, true],
  [{ after: { n: 1, unit: "hour" } }, true, true, false],
  [{ after: { n: 61, unit: "minute" } }, true, false, false],
])("%j lets in who never entered: %s, whose entry has ended: %s, and who is under way: %s", (reentry, ...expected) => {
  expect([never, ended, live].map((past) => mayEnterAgain(reentry, past, when))).toEqual(expected);
});

test("a time after the last entry goes by the calendar of the zone, to the last day of a shorter month", () => {
  const enteredAt = Date.parse("2024-01-31T08:00:00Z");
  const past = { enteredAt, isLive: false };
  const monthly: Reentry = { after: { n: 1, unit: "month" } };
  const may = (text: string) => mayEnterAgain(monthly, past, { at: Date.parse(text), timezone: "Europe/Berlin" });
  expect([may("2024-02-29T07:59:59.999Z"), may("2024-02-29T08:00:00Z")]).toEqual([false, true]);
});
