import { listAnswer, pickFields } from "@headwater/api/paging/listAnswer";
import { cutPage, readPage } from "@headwater/api/paging/page";
import { type Account, timeOfVersion, toTimestamp } from "@headwater/contracts";
import { type Answer, refusal } from "@headwater/http";
import type { Session } from "@headwater/postgres/connection/session";
import { readClearsOf } from "../../attributes/attributeClears.ts";
import { loadListsById } from "../../lists/lists.ts";
import type { RoutePorts } from "../../ports.ts";
import { findContact, readPrimaryKey } from "../findContact.ts";
import { type Entry, toEntries } from "./entries.ts";
import { readMergeEntries } from "./merges.ts";
import { cursorKey, HISTORY_MEMBERS, type HistoryQuery } from "./schema.ts";
import { readSources } from "./sources.ts";
import { NO_BOUND, readWrites } from "./writes.ts";

const LIST = "contacthistory";

interface Asked {
  readonly query: HistoryQuery;
  readonly account: Account;
}

/** Changes of the live contact that the key finds, the newest first. Throws 404 `CONTACTS_CONTACT_NOT_FOUND`. */
export async function listHistory(
  primaryKey: string,
  { query, account }: Asked,
  { postgres, clickHouse, freshness, cursors }: Pick<RoutePorts, "postgres" | "clickHouse" | "freshness" | "cursors">,
): Promise<Answer> {
  const page = readPage(query, { list: LIST, key: cursorKey, direction: "desc", account: account.number, cursors });
  const pick = pickFields(query.fields, HISTORY_MEMBERS);
  const asOf = await freshness();
  const contact = await findContact(postgres, account, readPrimaryKey(primaryKey, account));
  if (contact === undefined) throw refusal("CONTACTS_CONTACT_NOT_FOUND", "No contact has this key.");
  const below = page.after ?? NO_BOUND;
  const shown = { contact: contact.number, clears: await readClearsOf(postgres, account.number) };
  const [{ writes, floor }, merges] = await Promise.all([
    readWrites(clickHouse, { account: account.number, ...shown, below }),
    readMergeEntries(postgres, account, shown),
  ]);
  const entries = toEntries(writes, merges).filter(({ version }) => version < below && version > floor);
  const rows = entries.slice(page.skip, page.skip + page.perPage + 1);
  // What lies below the floor was not read: the page ends there, and the next one goes on.
  const perPage = floor === "" ? page.perPage : Math.min(page.perPage, rows.length - 1);
  const cut = cutPage(rows, { ...page, perPage }, ({ version }) => version);
  const records = await toRecords(cut.rows, account.number, postgres);
  const listed = { rows: records.map(pick), nextCursor: cut.nextCursor };
  const path = `/v2/contacts/${encodeURIComponent(primaryKey)}/history`;
  return listAnswer({ path, query, page, listed, total: undefined, asOf });
}

async function toRecords(entries: readonly Entry[], account: number, session: Session): Promise<object[]> {
  const versions = entries.map(({ version }) => version);
  const [sourceOf, named] = await Promise.all([
    readSources(session, account, versions),
    readListNames(session, account, entries),
  ]);
  return entries.map(({ version, by, changes }) => ({
    version,
    at: toTimestamp(timeOfVersion(version)),
    by: by ?? sourceOf(version),
    changes: changes.map(({ path, ...values }) => ({ path: named(path), ...values })),
  }));
}

const LIST_PATH = /^lists\.#(\d+)$/;

/** Lists are shown by the names they have now. */
async function readListNames(session: Session, account: number, entries: readonly Entry[]) {
  const idOf = (path: string) => Number(LIST_PATH.exec(path)?.[1] ?? 0);
  const ids = new Set(entries.flatMap(({ changes }) => changes.map(({ path }) => idOf(path))));
  ids.delete(0);
  const lists = await loadListsById(
    session,
    [...ids].map((id) => ({ account, id })),
  );
  const names = new Map(lists.map(({ id, name }) => [id, name]));
  return (path: string) => {
    const name = names.get(idOf(path));
    return name === undefined ? path : `lists.${name}`;
  };
}
