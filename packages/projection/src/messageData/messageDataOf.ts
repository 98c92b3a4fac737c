import type { Account, MessageDataSource } from "@headwater/contracts";
import { fromCartRow, viewCart } from "@headwater/domain/cart";
import { selectRecords } from "@headwater/domain/messageData";
import { loadCarts } from "@headwater/stores/carts";
import { newestOrdersOf } from "@headwater/stores/orders";
import type { Session } from "@headwater/stores/postgres";
import { loadSupplements, newestRecordsOf } from "@headwater/stores/supplements";
import { shownCart } from "../views/shownCart.ts";
import { orderViewer } from "../views/shownOrder.ts";
import { shownSupplementRecord, toReadRecord } from "../views/shownSupplementRecord.ts";
import { plainNumber } from "../views/writtenDigits.ts";
import { productsFor, recordsOfTable } from "./accountRecords.ts";

/** Records of one contact that a source looks at. */
const LOOKED_AT = { rowsMax: 200, bytesMax: 1024 * 1024 } as const;

/** Records by the names of their sources, as Liquid reads them. */
export type MessageData = Readonly<Record<string, readonly object[]>>;

export interface MessageDataAsked {
  readonly account: Account;
  /** Numbers of live contacts. */
  readonly contacts: readonly number[];
  readonly nowMs: number;
}

type RecordsOf = (contact: number) => readonly object[];

/**
 * Loads what messages show of a group of contacts, with one statement a source, whatever the size of the group.
 * @returns the data of a contact; of one that is not in the group, those that belong to nobody.
 */
export async function messageDataOf(
  session: Session,
  sources: readonly MessageDataSource[],
  asked: MessageDataAsked,
): Promise<(contact: number) => MessageData> {
  const loaded = await Promise.all(
    sources.map(async (source) => ({ source, recordsOf: await load(session, source, asked) })),
  );
  return (contact) => Object.fromEntries(loaded.map(({ source, recordsOf }) => [source.name, recordsOf(contact)]));
}

/** The records of a contact that a source selects. Records that belong to nobody are selected once. */
async function load(session: Session, source: MessageDataSource, asked: MessageDataAsked): Promise<RecordsOf> {
  switch (source.source) {
    case "cart":
      return selecting(source, await cartsOf(session, asked));
    case "orders":
      return selecting(source, await ordersOf(session, source, asked));
    case "products":
      return always(selectRecords(await productsFor(session, asked.account, source), source));
    case "supplement":
      return supplement(session, source, asked);
  }
}

function always(records: readonly object[]): RecordsOf {
  return () => records;
}

function selecting(source: MessageDataSource, byContact: ReadonlyMap<number, readonly object[]>): RecordsOf {
  return (contact) => selectRecords(byContact.get(contact) ?? [], source);
}

/** Lines of carts that have not expired. */
async function cartsOf(session: Session, { account, contacts, nowMs }: MessageDataAsked) {
  const rows = await loadCarts(
    session,
    contacts.map((contact) => ({ account: account.number, contact })),
  );
  return new Map(
    rows.flatMap((row) => {
      const { document, expiresAt } = viewCart(fromCartRow(row.contact, row));
      if (expiresAt !== undefined && expiresAt <= nowMs) return [];
      return [[row.contact, shownCart(document, plainNumber).items] as const];
    }),
  );
}

async function ordersOf(session: Session, source: MessageDataSource, { account, contacts }: MessageDataAsked) {
  const rows = await newestOrdersOf(session, { account: account.number, contacts, ...boundsOf(source) });
  const view = orderViewer(account.settings, plainNumber);
  return grouped(rows.map((row) => [row.contact, view(row)] as const));
}

/** Bounds the read by the source's own limit where its rows are used as they come. */
function boundsOf({ where = [], sort, limit }: MessageDataSource) {
  return { ...LOOKED_AT, ...(where.length === 0 && sort === undefined && { rowsMax: limit }) };
}

async function supplement(
  session: Session,
  source: Extract<MessageDataSource, { readonly source: "supplement" }>,
  { account, contacts }: MessageDataAsked,
): Promise<RecordsOf> {
  const [table] = await loadSupplements(session, [{ account: account.number, key: source.key }]);
  if (table === undefined) return always([]);
  if (!table.contactObject) return always(selectRecords(await recordsOfTable(session, table), source));
  const read = { account: account.number, supplement: table.id, clearedVersion: table.clearedVersion };
  const rows = await newestRecordsOf(session, read, { contacts, ...boundsOf(source) });
  return selecting(
    source,
    grouped(rows.map((row) => [row.person, shownSupplementRecord(toReadRecord(row, table))] as const)),
  );
}

function grouped(records: readonly (readonly [number, object])[]): Map<number, object[]> {
  const groups = Map.groupBy(records, ([contact]) => contact);
  return new Map([...groups].map(([contact, own]) => [contact, own.map(([, record]) => record)]));
}
