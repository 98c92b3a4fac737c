import type { Account } from "@headwater/contracts";
import type { Transaction } from "@headwater/postgres/connection/session";
import { readClearsOf } from "@headwater/records/attributes/attributeClears";
import { fromRow } from "@headwater/records/contacts/contactDocument";
import { loadContacts } from "@headwater/records/contacts/contacts";
import { zoneOfContact } from "../zoneOfContact.ts";

/** Contacts in memory at once: at the largest size of a contact some tens of MiB. */
const CONTACTS_AT_ONCE = 100;

/** Returns the zone of each contact that says one. */
export async function zonesOfContacts(
  transaction: Transaction,
  account: Account,
  contacts: readonly number[],
): Promise<Map<number, string>> {
  const zones = new Map<number, string>();
  const clears = await readClearsOf(transaction, account.number);
  for (let next = 0; next < contacts.length; next += CONTACTS_AT_ONCE) {
    const keys = contacts.slice(next, next + CONTACTS_AT_ONCE).map((number) => ({ account: account.number, number }));
    for (const row of await loadContacts(transaction, keys)) {
      const { attributes } = fromRow(row, clears);
      const zone = zoneOfContact(
        account,
        Object.fromEntries([...attributes].map(([name, { value }]) => [name, value])),
      );
      if (zone !== undefined) zones.set(row.number, zone);
    }
  }
  return zones;
}
