/// <reference lib="esnext.temporal" />
import type { Account } from "@headwater/contracts";
import { fromRow } from "@headwater/domain/contact";
import { readClearsOf } from "@headwater/stores/attributes";
import { loadContacts } from "@headwater/stores/contacts";
import type { Transaction } from "@headwater/stores/postgres";

/** Returns the zone of each contact that says one: of its first place with a `tz`. */
export async function zonesOfContacts(
  transaction: Transaction,
  { number: account }: Account,
  contacts: readonly number[],
): Promise<Map<number, string>> {
  const keys = contacts.map((number) => ({ account, number }));
  const zones = new Map<number, string>();
  const clears = await readClearsOf(transaction, account);
  for (const row of await loadContacts(transaction, keys)) {
    for (const [, { value }] of fromRow(row, clears).attributes) {
      const zone = typeof value === "object" && value !== null && "tz" in value ? knownZone(value.tz) : undefined;
      if (zone !== undefined) {
        zones.set(row.number, zone);
        break;
      }
    }
  }
  return zones;
}

function knownZone(name: unknown): string | undefined {
  if (typeof name !== "string" || !/^[A-Za-z]/.test(name)) return undefined;
  try {
    return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name).timeZoneId;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
