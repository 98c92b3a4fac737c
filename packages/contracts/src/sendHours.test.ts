import { expect, test } from "vitest";
import { sendHoursOf } from "./sendHours.ts";
import { accountSettings } from "./settings.ts";

test("quiet hours come with the zones that they are read in, and zones alone hold nobody up", () => {
  const quietHours = { from: "22:00", to: "06:00" };
  const settings = accountSettings.parse({ timezone: "Europe/Berlin", messaging: { quietHours } });
  expect(sendHoursOf(settings)).toEqual({ quietHours, timezone: "Europe/Berlin" });
  expect(sendHoursOf(accountSettings.parse({ timezone: "Europe/Berlin" }))).toBeUndefined();
});
