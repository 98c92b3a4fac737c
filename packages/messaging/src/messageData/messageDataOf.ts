import type { Account, MessageDataSource } from "@headwater/contracts";
import { hasLongerJson, runInSlices, type Sliced } from "@headwater/kernel";
import type { Session } from "@headwater/postgres/connection/session";
import { fromCartRow } from "@headwater/records/carts/cart";
import { loadCarts } from "@headwater/records/carts/carts";
import { viewCart } from "@headwater/records/carts/cartView";
import { ComparisonBudget } from "@headwater/records/messageData/comparisonBudget";
import { selectRecords } from "@headwater/records/messageData/selectRecords";
import { newestOrdersOf } from "@headwater/records/orders/ordersOfContact";
import { products } from "@headwater/records/products/postgres";
import { newestRecordsOf } from "@headwater/records/supplements/recordsOfContacts";
import { readFirstSupplementRecords } from "@headwater/records/supplements/supplementReads";
import { loadSupplements, type StoredSupplement } from "@headwater/records/supplements/supplements";
import { cartView } from "@headwater/records/views/cartView";
import { productView } from "@headwater/records/views/productView";
import { orderViewer } from "@headwater/records/views/shownOrder";
import { supplementRecordView, toReadRecord } from "@headwater/records/views/supplementRecordView";
import { plainNumber } from "@headwater/records/views/writtenDigits";

/** Records of the account that one source reads: the newest products, the first records of a table; fewer where they are large. */
const READ_MAX = { rowsMax: 1_000, bytesMax: 4 * 1024 * 1024 } as const;

/** Newest records of a contact that a source reads. */
const ROWS_MAX = 200;
/** Stored bytes of a contact that all sources of a message read together; each of them reads as many as the second bound in any case. */
const CONTACT_BYTES_MAX = 1024 * 1024;
const SOURCE_BYTES_MIN = 256 * 1024;
/** Stored bytes of all contacts that are read at a time: the rest of the group follows when their records have been selected. */
const READ_BYTES_MAX = 16 * 1024 * 1024;
/** Characters that the conditions of all sources may compare for one contact. A million takes some 10 ms. */
const CONTACT_CHARACTERS_MAX = 8 * 1024 * 1024;
const TOO_DEAR = `The conditions of the data compare more than ${CONTACT_CHARACTERS_MAX} characters.`;

/** Records by the names of their sources, as Liquid reads them. */
export type MessageData = Readonly<Record<string, readonly object[]>>;

/** Data of a message for a contact, or why there are none. */
export type MessageDataOutcome =
  | { readonly kind: "loaded"; readonly data: MessageData }
  | { readonly kind: "refused"; readonly message: string };

export interface MessageDataAsked {
  readonly account: Account;
  /** Numbers of live contacts. */
  readonly contacts: readonly number[];
  readonly nowMs: number;
  /** Limit of the data of one contact, as JSON. */
  readonly bytesMax: number;
}

type ByContact = ReadonlyMap<number, readonly object[]>;

/** A source whose records belong to contacts, with what reads them for some; or the selected records of one whose belong to nobody. */
interface OpenSource {
  readonly source: MessageDataSource;
  readonly ofContacts?: (contacts: readonly number[]) => Promise<ByContact>;
  readonly shared?: MessageDataOutcome;
}

/**
 * Loads what messages show of a group of contacts. Large records are read for a part of the group at a time, each with one statement
 * a source, and selected before the next part is read.
 * @returns the data of a contact; of one that is not in the group, those that belong to nobody.
 */
export async function messageDataOf(
  session: Session,
  sources: readonly MessageDataSource[],
  asked: MessageDataAsked,
): Promise<(contact: number) => MessageDataOutcome> {
  const { contacts, bytesMax } = asked;
  const bytesOfSource = Math.max(SOURCE_BYTES_MIN, Math.floor(CONTACT_BYTES_MAX / Math.max(1, sources.length)));
  const opened = await Promise.all(sources.map((source) => open(session, source, { ...asked, bytesOfSource })));
  const read = opened.filter(({ ofContacts }) => ofContacts !== undefined).length;
  const contactsAtOnce = Math.max(1, Math.floor(READ_BYTES_MAX / (bytesOfSource * Math.max(1, read))));
  const outcomes = new Map<number, MessageDataOutcome>();
  for (let start = 0; start < contacts.length; start += contactsAtOnce) {
    const part = contacts.slice(start, start + contactsAtOnce);
    const records = await Promise.all(opened.map(({ ofContacts }) => ofContacts?.(part)));
    for (const contact of part) {
      const own = records.map((byContact) => byContact?.get(contact) ?? []);
      outcomes.set(contact, await runInSlices(dataOfContact(opened, own, bytesMax)));
    }
  }
  const ofNobody = await runInSlices(dataOfContact(opened, [], bytesMax));
  return (contact) => outcomes.get(contact) ?? ofNobody;
}

/** @param records of the contact, by the position of their source. */
function* dataOfContact(
  opened: readonly OpenSource[],
  records: readonly (readonly object[])[],
  bytesMax: number,
): Sliced<MessageDataOutcome> {
  const budget = createBudget();
  const data: Record<string, readonly object[]> = {};
  for (const [position, { source, shared }] of opened.entries()) {
    if (shared?.kind === "refused") return shared;
    const own = yield* selectRecords(records[position] ?? [], source, budget);
    data[source.name] = shared?.data[source.name] ?? own;
  }
  if (budget.isExhausted) return { kind: "refused", message: TOO_DEAR };
  if (!hasLongerJson(data, bytesMax)) return { kind: "loaded", data };
  return { kind: "refused", message: `The data have more than ${bytesMax} bytes.` };
}

function createBudget(): ComparisonBudget {
  return new ComparisonBudget({ charactersLeft: 0 }, { own: CONTACT_CHARACTERS_MAX, shared: 0 });
}

interface Opening extends MessageDataAsked {
  /** Stored bytes of a contact that a source reads. */
  readonly bytesOfSource: number;
}

/** Prepares a source for being read. Records that belong to nobody are selected once. */
async function open(session: Session, source: MessageDataSource, opening: Opening): Promise<OpenSource> {
  const { account } = opening;
  switch (source.source) {
    case "cart":
      return { source, ofContacts: (contacts) => cartsOf(session, { ...opening, contacts }) };
    case "orders":
      return { source, ofContacts: (contacts) => ordersOf(session, source, { ...opening, contacts }) };
    case "products":
      return { source, shared: await sharedOf(source, await productsFor(session, account, source)) };
    case "supplement":
      return openTable(session, source, opening);
  }
}

async function sharedOf(source: MessageDataSource, records: readonly object[]): Promise<MessageDataOutcome> {
  const budget = createBudget();
  const selected = await runInSlices(selectRecords(records, source, budget));
  return budget.isExhausted
    ? { kind: "refused", message: TOO_DEAR }
    : { kind: "loaded", data: { [source.name]: selected } };
}

/** Lines of carts that have not expired. */
async function cartsOf(session: Session, { account, contacts, nowMs }: MessageDataAsked): Promise<ByContact> {
  const rows = await loadCarts(
    session,
    contacts.map((contact) => ({ account: account.number, contact })),
  );
  return new Map(
    rows.flatMap((row) => {
      const { document, expiresAt } = viewCart(fromCartRow(row.contact, row));
      if (expiresAt !== undefined && expiresAt <= nowMs) return [];
      return [[row.contact, cartView(document, plainNumber).items] as const];
    }),
  );
}

async function ordersOf(session: Session, source: MessageDataSource, asked: Opening): Promise<ByContact> {
  const { account, contacts } = asked;
  const rows = await newestOrdersOf(session, { account: account.number, contacts, ...boundsOf(source, asked) });
  const view = orderViewer(account.settings, plainNumber);
  return grouped(rows.map((row) => [row.contact, view(row)] as const));
}

/** Bounds the read by the source's own limit where its rows are used as they come. */
function boundsOf({ where = [], sort, limit }: MessageDataSource, { bytesOfSource }: Opening) {
  return { rowsMax: where.length === 0 && sort === undefined ? limit : ROWS_MAX, bytesMax: bytesOfSource };
}

async function openTable(
  session: Session,
  source: Extract<MessageDataSource, { readonly source: "supplement" }>,
  opening: Opening,
): Promise<OpenSource> {
  const { account } = opening;
  const [table] = await loadSupplements(session, [{ account: account.number, key: source.key }]);
  if (table === undefined) return { source };
  if (!table.contactObject) return { source, shared: await sharedOf(source, await recordsOfTable(session, table)) };
  const read = { account: account.number, supplement: table.id, clearedVersion: table.clearedVersion };
  return {
    source,
    async ofContacts(contacts) {
      const rows = await newestRecordsOf(session, read, { contacts, ...boundsOf(source, opening) });
      return grouped(rows.map((row) => [row.person, supplementRecordView(toReadRecord(row, table))] as const));
    },
  };
}

function grouped(records: readonly (readonly [number, object])[]): Map<number, object[]> {
  const groups = Map.groupBy(records, ([contact]) => contact);
  return new Map([...groups].map(([contact, own]) => [contact, own.map(([, record]) => record)]));
}

/** Returns the products that a source may show: those that it names by `productID`, else the newest ones. */
async function productsFor(
  session: Session,
  { number: account }: Pick<Account, "number">,
  { where = [] }: Pick<MessageDataSource, "where">,
): Promise<object[]> {
  const ids = idsNamed(where);
  const { rowsMax, bytesMax: largeBytesMax } = READ_MAX;
  const { rows } = await products.page(session, {
    account,
    equal: ids === undefined ? {} : { productID: ids },
    order: ["createdAt", "productID"],
    direction: "desc",
    skip: 0,
    rowsMax,
    largeBytesMax,
  });
  return rows.map((row) => productView(row, plainNumber));
}

function idsNamed(where: NonNullable<MessageDataSource["where"]>): string[] | undefined {
  const named = where.find(({ field, op }) => field === "productID" && (op === "eq" || op === "in"));
  if (named === undefined || !("value" in named)) return undefined;
  return [named.value].flat().map(String);
}

/** Returns the records of a table that belongs to no contacts. */
async function recordsOfTable(session: Session, table: StoredSupplement): Promise<object[]> {
  const { account, id: supplement, clearedVersion } = table;
  const rows = await readFirstSupplementRecords(session, { account, supplement, clearedVersion }, READ_MAX);
  return rows.map((row) => supplementRecordView(toReadRecord(row, table)));
}
