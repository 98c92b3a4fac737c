import { type Account, canonicalTimezone } from "@headwater/contracts";

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
  const said = [named, zoneOfPosition(named), ...Object.values(attributes).map(zoneOfPosition)];
  for (const name of said) {
    const zone = typeof name === "string" ? canonicalTimezone(name) : undefined;
    if (zone !== undefined) return zone;
  }
  return undefined;
}

function zoneOfPosition(value: unknown): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, "tz") : undefined;
}
