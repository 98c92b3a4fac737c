import { type Account, type Contact, toTimestamp } from "@headwater/contracts";
import type { Answer } from "@headwater/http";
import { listsOfContact, loadListsById, type Session } from "@headwater/stores";
import { viewContact } from "../views/contactView.ts";
import { etagOf } from "../writing/ifMatch.ts";

/** A contact with its lists and its `ETag`. @param session of the transaction that wrote it, else any. */
export async function contactAnswer(
  contact: Contact,
  { account, session, status }: { readonly account: Account; readonly session: Session; readonly status: number },
): Promise<Answer> {
  const lists = await readLists(session, account.number, contact.number);
  const body = { ...viewContact(contact, account.settings), ...lists };
  return { status, body, headers: { ETag: etagOf(contact.version) } };
}

/** Join dates are always kept; lists that are not `enhanced` do not show them. */
async function readLists(session: Session, account: number, contact: number) {
  const joined = await listsOfContact(session, account, contact);
  const lists = await loadListsById(
    session,
    joined.map(({ id }) => ({ account, id })),
  );
  const enhanced = new Set(lists.filter((list) => list.enhanced).map(({ id }) => id));
  const dates = joined.filter(({ id }) => enhanced.has(id)).map(({ name, joinedAt }) => [name, toTimestamp(joinedAt)]);
  return { lists: joined.map(({ name }) => name), listJoinDate: Object.fromEntries(dates) };
}
