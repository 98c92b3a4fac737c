import { type Account, accountSettings } from "@headwater/contracts";
import { expect, test } from "vitest";
import { zoneOfContact } from "./zoneOfContact.ts";

const account = (messaging: object = {}): Account => ({
  ...{ number: 1, id: "a".repeat(24), name: "zones" },
  settings: accountSettings.parse({ timezone: "Europe/Berlin", messaging }),
});
const here = { home: { lat: 1, lon: 2, tz: "Asia/Tokyo" }, office: { tz: "America/New_York" } };

test("the attribute that the account names comes first, then the first place", () => {
  const named = account({ timezoneAttribute: "zone" });
  expect(zoneOfContact(named, { ...here, zone: "Africa/Cairo" })).toBe("Africa/Cairo");
  expect(zoneOfContact(named, here)).toBe("Asia/Tokyo");
  expect(zoneOfContact(account(), { ...here, zone: "Africa/Cairo" })).toBe("Asia/Tokyo");
  expect(zoneOfContact(named, {})).toBeUndefined();
});

test("the attribute that the account names may be a place", () => {
  const named = account({ timezoneAttribute: "office" });
  expect(zoneOfContact(named, here)).toBe("America/New_York");
});

test("what is no zone is passed over", () => {
  const named = account({ timezoneAttribute: "zone" });
  expect(zoneOfContact(named, { zone: "Mars/Olympus", home: { tz: 7 }, office: { tz: "America/New_York" } })).toBe(
    "America/New_York",
  );
  expect(zoneOfContact(named, { zone: "", home: { tz: "x".repeat(10_000) }, other: null })).toBeUndefined();
  expect(zoneOfContact(named, { zone: "+02:00", home: { tz: "europe/berlin" } })).toBe("Europe/Berlin");
});
