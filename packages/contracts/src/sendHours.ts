import type { AccountSettings } from "./settings.ts";

type Hours = Pick<AccountSettings["messaging"], "quietHours" | "timezoneAttribute"> & Pick<AccountSettings, "timezone">;

/** Returns the settings that say when an account's promotional messages have to wait; undefined where they never do. */
export function sendHoursOf({
  timezone,
  messaging: { quietHours, timezoneAttribute },
}: Pick<AccountSettings, "messaging" | "timezone">): Hours | undefined {
  return quietHours && { quietHours, timezone, timezoneAttribute };
}
