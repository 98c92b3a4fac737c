import { type Account, fromRow, toTimestamp } from "@headwater/contracts";
import { type Answer, refusal } from "@headwater/http";
import { listsOfContact, loadListsById } from "@headwater/stores";
import type { ServicePorts } from "../../ports.ts";
import { viewContact } from "../../views/contactView.ts";
import { findContact, readPrimaryKey } from "../../views/findContact.ts";

/** The living contact that the key finds, with its lists. Throws 404 `CONTACTS_CONTACT_NOT_FOUND`. */
export async function readContact(primaryKey: string, account: Account, { postgres }: ServicePorts): Promise<Answer> {
  const row = await findContact(postgres, account, readPrimaryKey(primaryKey, account));
  if (row === undefined) throw refusal("CONTACTS_CONTACT_NOT_FOUND", "There is no contact with this key.");
  const contact = fromRow(row);
  const lists = await readLists(account.number, row.number, postgres);
  const body = { ...viewContact(contact, account.settings), ...lists };
  return { status: 200, body, headers: { ETag: `"${row.version}"` } };
}

/** Join dates are always kept; lists that are not `enhanced` do not show them. */
async function readLists(account: number, contact: number, postgres: ServicePorts["postgres"]) {
  const joined = await listsOfContact(postgres, account, contact);
  const lists = await loadListsById(
    postgres,
    joined.map(({ id }) => ({ account, id })),
  );
  const enhanced = new Set(lists.filter((list) => list.enhanced).map(({ id }) => id));
  const dates = joined.filter(({ id }) => enhanced.has(id)).map(({ name, joinedAt }) => [name, toTimestamp(joinedAt)]);
  return { lists: joined.map(({ name }) => name), listJoinDate: Object.fromEntries(dates) };
}
