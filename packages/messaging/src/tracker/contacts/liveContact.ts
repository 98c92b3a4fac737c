import type { Session } from "@headwater/postgres/connection/session";
import { loadContacts, type StoredContact } from "@headwater/records/contacts/contacts";
import { readLive } from "@headwater/records/contacts/liveContacts";

/** Returns the contact of a number, of a merged one its survivor; undefined once it is erased. */
export async function liveContact(
  session: Session,
  account: number,
  number: number,
): Promise<StoredContact | undefined> {
  return (await readLive(account, [number], (keys) => loadContacts(session, keys))).get(number);
}
