import { etagOf } from "@headwater/api/writing/ifMatch";
import type { Answer } from "@headwater/http";
import { readBeside, type Showing, withLists } from "../views/contactRecords.ts";
import { viewContact, viewRow } from "../views/contactView.ts";
import { removeCleared } from "./attributeClears.ts";
import type { ContactWithLists } from "./contactReads.ts";
import type { Contact } from "./model.ts";

/** A contact with its lists and its `ETag`. */
export async function contactAnswer(
  contact: Contact,
  { status, ...showing }: Showing & { readonly status: number },
): Promise<Answer> {
  const { lists, clears } = await readBeside([contact.number], showing);
  removeCleared(contact, clears);
  const { account, rules } = showing;
  const view = viewContact(contact, { settings: account.settings, rules });
  const body = withLists(view, lists.get(contact.number) ?? []);
  return { status, body, headers: { ETag: etagOf(contact.version) } };
}

/** A contact that was read with its lists, and its `ETag`. */
export function answerWithLists(row: ContactWithLists, { account, rules }: Pick<Showing, "account" | "rules">): Answer {
  return { status: 200, body: viewWithLists(row, { account, rules }), headers: { ETag: etagOf(row.version) } };
}

export function viewWithLists(row: ContactWithLists, { account, rules }: Pick<Showing, "account" | "rules">) {
  return withLists(viewRow(row, row.clears, { settings: account.settings, rules }), row.lists);
}
