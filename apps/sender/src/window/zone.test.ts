import { type Account, accountSettings } from "@headwater/contracts";
import { expect, test } from "vitest";
import { zoneOf } from "./zone.ts";

const account = (messaging: object = {}): Account => ({
  ...{ number: 1, id: "a".repeat(24), name: "zones" },
  settings: accountSettings.parse({ timezone: "Europe/Berlin", messaging }),
});
const here = { home: { lat: 1, lon: 2, tz: "Asia/Tokyo" }, office: { tz: "America/New_York" } };

test("the attribute that the account names comes first, then the first place, then the account", () => {
  const named = account({ timezoneAttribute: "zone" });
  expect(zoneOf(named, { ...here, zone: "Africa/Cairo" })).toBe("Africa/Cairo");
  expect(zoneOf(named, here)).toBe("Asia/Tokyo");
  expect(zoneOf(account(), { ...here, zone: "Africa/Cairo" })).toBe("Asia/Tokyo");
  expect(zoneOf(named, {})).toBe("Europe/Berlin");
});

test("what is no zone is passed over", () => {
  const named = account({ timezoneAttribute: "zone" });
  expect(zoneOf(named, { zone: "Mars/Olympus", home: { tz: 7 }, office: { tz: "America/New_York" } })).toBe(
    "America/New_York",
  );
  expect(zoneOf(named, { zone: "", home: { tz: "x".repeat(10_000) }, other: null })).toBe("Europe/Berlin");
});
