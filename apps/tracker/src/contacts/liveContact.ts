import { loadContacts, type StoredContact } from "@headwater/stores/contacts";
import type { Session } from "@headwater/stores/postgres";

/** Returns the contact of a number, of a merged one its survivor; undefined once it is erased. */
export async function liveContact(
  session: Session,
  account: number,
  number: number,
): Promise<StoredContact | undefined> {
  const [row] = await loadContacts(session, [{ account, number }]);
  if (row === undefined || row.mergedInto === null) return row;
  const [survivor] = await loadContacts(session, [{ account, number: row.mergedInto }]);
  return survivor?.mergedInto === null ? survivor : undefined;
}
