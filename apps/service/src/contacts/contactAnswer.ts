import {
  type Account,
  type AttributeRules,
  type Contact,
  dropCleared,
  fromRow,
  toTimestamp,
} from "@headwater/contracts";
import type { Answer } from "@headwater/http";
import { type ContactWithLists, listsOfContacts, readClearsOf, type Session } from "@headwater/stores";
import { viewContact } from "../views/contactView.ts";
import { etagOf } from "../writing/ifMatch.ts";

export interface Showing {
  readonly account: Account;
  /** Of the transaction that wrote the contacts, else any: who holds one connection never waits for a second. */
  readonly session: Session;
  /** What is declared of the account's attributes; of a write, as its own transaction read it. */
  readonly rules: AttributeRules | undefined;
}

/** A contact with its lists and its `ETag`. */
export async function contactAnswer(
  contact: Contact,
  { status, ...showing }: Showing & { readonly status: number },
): Promise<Answer> {
  const [body] = await contactRecords([contact], showing);
  return { status, body, headers: { ETag: etagOf(contact.version) } };
}

/** A contact that was read with its lists, and its `ETag`. */
export function answerWithLists(row: ContactWithLists, { account, rules }: Pick<Showing, "account" | "rules">): Answer {
  const contact = fromRow(row);
  dropCleared(contact, row.clears);
  const body = { ...viewContact(contact, account.settings, rules), ...viewLists(row.lists) };
  return { status: 200, body, headers: { ETag: etagOf(contact.version) } };
}

/** Contacts with their lists as answers show them: what deleted definitions took is taken from them. */
export async function contactRecords(contacts: readonly Contact[], { account, session, rules }: Showing) {
  const numbers = contacts.map(({ number }) => number);
  const [lists, clears] = await Promise.all([
    listsOfContacts(session, account.number, numbers),
    readClearsOf(session, account.number),
  ]);
  for (const contact of contacts) dropCleared(contact, clears);
  const byContact = Map.groupBy(lists, ({ contact }) => contact);
  return contacts.map((contact) => ({
    ...viewContact(contact, account.settings, rules),
    ...viewLists(byContact.get(contact.number) ?? []),
  }));
}

/** Join dates are always kept; lists that are not `enhanced` do not show them. */
function viewLists(lists: ContactWithLists["lists"]) {
  const dates = lists.filter(({ enhanced }) => enhanced).map(({ name, joinedAt }) => [name, toTimestamp(joinedAt)]);
  return { lists: lists.map(({ name }) => name), listJoinDate: Object.fromEntries(dates) };
}
