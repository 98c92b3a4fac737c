/// <reference lib="esnext.temporal" />
import type { Account } from "@headwater/contracts";

const names = new Map<string, string | undefined>();
const NAMES_MAX = 1_000;

/**
 * Returns a contact's time zone: of the attribute that the account names, a zone's name or a place with a `tz`, else of its first place with one.
 * Undefined where neither says one: the account's is meant then.
 * @param attributes values by name.
 */
export function zoneOfContact(
  { settings }: Pick<Account, "settings">,
  attributes: Readonly<Record<string, unknown>>,
): string | undefined {
  const { timezoneAttribute } = settings.messaging;
  const named = timezoneAttribute === undefined ? undefined : attributes[timezoneAttribute];
  const said = [named, zoneOfPlace(named), ...Object.values(attributes).map(zoneOfPlace)];
  for (const name of said) {
    const zone = typeof name === "string" ? knownZone(name) : undefined;
    if (zone !== undefined) return zone;
  }
  return undefined;
}

function zoneOfPlace(value: unknown): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, "tz") : undefined;
}

/** Returns a zone's name as Temporal writes it; undefined for what is none, offsets such as `+02:00` among it. */
export function knownZone(name: string): string | undefined {
  if (names.has(name)) return names.get(name);
  if (names.size >= NAMES_MAX) names.clear();
  const zone = /^[A-Za-z]/.test(name) ? resolved(name) : undefined;
  names.set(name, zone);
  return zone;
}

function resolved(name: string): string | undefined {
  try {
    return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name).timeZoneId;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
