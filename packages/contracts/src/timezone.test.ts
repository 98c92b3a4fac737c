import { expect, test } from "vitest";
import { accountSettings } from "./settings.ts";
import { canonicalTimezone, wrongTimezone } from "./timezone.ts";

test.each([
  ["Europe/Berlin", "Europe/Berlin"],
  ["europe/berlin", "Europe/Berlin"],
  ["AMERICA/NEW_YORK", "America/New_York"],
  ["asia/calcutta", "Asia/Calcutta"],
  ["utc", "UTC"],
  ["etc/gmt-2", "Etc/GMT-2"],
])("%s is stored as %s", (input, stored) => {
  expect(canonicalTimezone(input)).toBe(stored);
  expect(wrongTimezone(input)).toBeUndefined();
});

test.each([
  "+02:00",
  "-0500",
  "+00",
  "Z",
  "UTC+2",
  "America/Coyhaique",
  "Mars/Olympus",
  "",
  " Europe/Berlin",
  "x".repeat(10_000),
])("%.20j is not a zone, and stays where an account has it already", (provided) => {
  expect(canonicalTimezone(provided)).toBeUndefined();
  expect(wrongTimezone(provided, "UTC")).toMatchObject({ path: "/timezone", code: "bad_value" });
  expect(wrongTimezone(provided, provided)).toBeUndefined();
});

test.each([
  ["europe/berlin", "Europe/Berlin"],
  ["+02:00", "Etc/GMT-2"],
  ["-0500", "Etc/GMT+5"],
  ["+00:00", "UTC"],
  ["+05:30", "+05:30"],
  ["+15:00", "+15:00"],
])("an account that has %s stored reads as %s", (stored, timezone) => {
  expect(accountSettings.parse({ timezone: stored }).timezone).toBe(timezone);
});
