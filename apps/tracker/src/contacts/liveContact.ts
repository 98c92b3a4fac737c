import { loadContacts, readLive, type StoredContact } from "@headwater/stores/contacts";
import type { Session } from "@headwater/stores/postgres";

/** Returns the contact of a number, of a merged one its survivor; undefined once it is erased. */
export async function liveContact(
  session: Session,
  account: number,
  number: number,
): Promise<StoredContact | undefined> {
  return (await readLive(account, [number], (keys) => loadContacts(session, keys))).get(number);
}
