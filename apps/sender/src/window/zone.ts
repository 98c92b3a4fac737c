import type { Account } from "@headwater/contracts";

const zones = new Map<string, boolean>();
const ZONES_MAX = 1_000;

/** Returns a contact's time zone: of the attribute that the account names, else of its first geo attribute, else the account's. */
export function zoneOf({ settings }: Account, attributes: Readonly<Record<string, unknown>>): string {
  const { timezoneAttribute } = settings.messaging;
  const named = timezoneAttribute === undefined ? undefined : attributes[timezoneAttribute];
  const places = Object.values(attributes).flatMap((value) => {
    const zone = typeof value === "object" && value !== null ? Reflect.get(value, "tz") : undefined;
    return typeof zone === "string" ? [zone] : [];
  });
  const found = [named, ...places].find((zone) => typeof zone === "string" && isZone(zone));
  return typeof found === "string" ? found : settings.timezone;
}

function isZone(name: string): boolean {
  const known = zones.get(name);
  if (known !== undefined) return known;
  if (zones.size >= ZONES_MAX) zones.clear();
  const supported = toResolved(name) !== undefined;
  zones.set(name, supported);
  return supported;
}

function toResolved(name: string): string | undefined {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
