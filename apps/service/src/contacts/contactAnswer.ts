import { type Account, type AttributeRules, toTimestamp } from "@headwater/contracts";
import { type AttributeClears, type Contact, dropCleared } from "@headwater/domain/contact";
import type { Answer } from "@headwater/http";
import { readClearsOf } from "@headwater/stores/attributes";
import type { ContactWithLists, ShownContact } from "@headwater/stores/contacts";
import { listsOfContacts } from "@headwater/stores/lists";
import type { Session } from "@headwater/stores/postgres";
import { etagOf } from "../writing/ifMatch.ts";
import { put, viewContact, viewRow } from "./contactView.ts";

export interface Showing {
  readonly account: Account;
  /** The transaction that wrote the contacts, else any session: the holder of one connection never waits for a second. */
  readonly session: Session;
  /** Rules declared for the account's attributes; of a write, as its own transaction read them. */
  readonly rules: AttributeRules | undefined;
}

/** A contact with its lists and its `ETag`. */
export async function contactAnswer(
  contact: Contact,
  { status, ...showing }: Showing & { readonly status: number },
): Promise<Answer> {
  const { lists, clears } = await readBeside([contact.number], showing);
  dropCleared(contact, clears);
  const { account, rules } = showing;
  const view = viewContact(contact, { settings: account.settings, rules });
  const body = withLists(view, lists.get(contact.number) ?? []);
  return { status, body, headers: { ETag: etagOf(contact.version) } };
}

/** A contact that was read with its lists, and its `ETag`. */
export function answerWithLists(row: ContactWithLists, { account, rules }: Pick<Showing, "account" | "rules">): Answer {
  const view = viewRow(row, row.clears, { settings: account.settings, rules });
  return { status: 200, body: withLists(view, row.lists), headers: { ETag: etagOf(row.version) } };
}

/**
 * Contacts with their lists as answers show them: what deleted definitions took is taken from them.
 * @param showing with what was read beside them already.
 */
export async function contactRecords(
  rows: readonly ShownContact[],
  showing: Showing & { readonly beside?: Beside | undefined },
) {
  const numbers = rows.map(({ number }) => number);
  const { lists, clears } = showing.beside ?? (await readBeside(numbers, showing));
  const by = { settings: showing.account.settings, rules: showing.rules };
  return rows.map((row) => withLists(viewRow(row, clears, by), lists.get(row.number) ?? []));
}

/** Parts of a contact's answer that do not stand in its row. */
export interface Beside {
  /** Lists by number of the contact. */
  readonly lists: ReadonlyMap<number, ContactWithLists["lists"]>;
  readonly clears: AttributeClears;
}

export async function readBeside(
  numbers: readonly number[],
  { account, session }: Pick<Showing, "account" | "session">,
): Promise<Beside> {
  const [lists, clears] = await Promise.all([
    listsOfContacts(session, account.number, numbers),
    readClearsOf(session, account.number),
  ]);
  return { lists: Map.groupBy(lists, ({ contact }) => contact), clears };
}

/** Join dates are always kept; lists that are not `enhanced` do not show them. */
function withLists<View extends object>(view: View, lists: ContactWithLists["lists"]) {
  const listJoinDate: Record<string, string> = {};
  for (const { name, enhanced, joinedAt } of lists) if (enhanced) put(listJoinDate, name, toTimestamp(joinedAt));
  return Object.assign(view, { lists: lists.map(({ name }) => name), listJoinDate });
}
