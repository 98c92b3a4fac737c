import { type Account, type AttributeRules, toTimestamp } from "@headwater/contracts";
import { mapInSteps, runInSlices } from "@headwater/kernel";
import type { Session } from "@headwater/postgres/connection/session";
import { readClearsOf } from "../attributes/attributeClears.ts";
import type { AttributeClears } from "../contacts/attributeClears.ts";
import type { ContactView, ContactWithLists } from "../contacts/contactReads.ts";
import { listsOfContacts } from "../lists/lists.ts";
import { put, viewRow } from "./contactView.ts";

export interface Showing {
  readonly account: Account;
  /** The transaction that wrote the contacts, else any session: the holder of one connection never waits for a second. */
  readonly session: Session;
  /** Rules declared for the account's attributes; of a write, as its own transaction read them. */
  readonly rules: AttributeRules | undefined;
}

/**
 * Contacts with their lists as answers show them: what deleted definitions took is taken from them.
 * @param showing with what was read next to them already.
 */
export async function contactRecords(
  rows: readonly ContactView[],
  showing: Showing & { readonly beside?: Beside | undefined },
) {
  const numbers = rows.map(({ number }) => number);
  const { lists, clears } = showing.beside ?? (await readBeside(numbers, showing));
  const by = { settings: showing.account.settings, rules: showing.rules };
  const show = (row: ContactView) => withLists(viewRow(row, clears, by), lists.get(row.number) ?? []);
  return runInSlices(mapInSteps(rows, show));
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
export function withLists<View extends object>(view: View, lists: ContactWithLists["lists"]) {
  const listJoinDate: Record<string, string> = {};
  for (const { name, enhanced, joinedAt } of lists) if (enhanced) put(listJoinDate, name, toTimestamp(joinedAt));
  return Object.assign(view, { lists: lists.map(({ name }) => name), listJoinDate });
}
