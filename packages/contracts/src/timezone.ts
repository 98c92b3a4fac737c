/// <reference lib="esnext.temporal" />
import { z } from "zod";
import type { ErrorDetail } from "./errorCodes.ts";

const checked = new Map<string, string | undefined>();
const CHECKED_MAX = 1_000;
const NAME_CHARACTERS_MAX = 64;
const BEGINNING = /^[A-Za-z]/;

/**
 * Returns the IANA name of a time zone as it is stored, whatever its case: `europe/berlin` is `Europe/Berlin`.
 * @returns undefined for offsets such as `+02:00`, and for names that Node or one of the stores does not know.
 */
export function canonicalTimezone(name: string): string | undefined {
  // Accounts begin with it, and the first check of any other zone loads the data of them all.
  if (name === "UTC") return name;
  if (name.length > NAME_CHARACTERS_MAX || !BEGINNING.test(name)) return undefined;
  if (checked.has(name)) return checked.get(name);
  if (checked.size >= CHECKED_MAX) checked.clear();
  const zone = resolved(name);
  const known = zone === undefined || UNKNOWN_TO_STORES.has(zone) ? undefined : zone;
  checked.set(name, known);
  return known;
}

function resolved(name: string): string | undefined {
  try {
    return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name).timeZoneId;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Zones that Node knows and ClickHouse or Postgres does not. */
const UNKNOWN_TO_STORES: ReadonlySet<string> = new Set(["America/Coyhaique"]);

const HOURS = /^([+-])(\d{2}):?00$/;
const HOURS_MAX = { "+": 14, "-": 12 } as const;

/**
 * Returns the zone of an account that was stored by a former version: names get their canonical form, and whole hours, which were taken once,
 * the zone that means them: `+02:00` is `Etc/GMT-2`. Any other text stays as it is.
 */
export function storedTimezone(name: string): string {
  const [, sign, hours] = HOURS.exec(name) ?? [];
  if (sign !== "+" && sign !== "-") return canonicalTimezone(name) ?? name;
  const count = Number(hours);
  if (count > HOURS_MAX[sign]) return name;
  return count === 0 ? "UTC" : `Etc/GMT${sign === "+" ? "-" : "+"}${count}`;
}

/** A zone as it is written, in any case. Whether it is one `wrongTimezone` says. */
export const writtenTimezone = z.string().overwrite((name) => canonicalTimezone(name) ?? name);

/** Returns the detail of an account's zone that is not one. One that the account has already stays. */
export function wrongTimezone(timezone: string, before?: string): ErrorDetail | undefined {
  if (timezone === before || canonicalTimezone(timezone) !== undefined) return undefined;
  return { path: "/timezone", code: "bad_value", message: "`timezone` is not the IANA name of a time zone." };
}
