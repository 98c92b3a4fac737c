import { type BoundedRows, boundPage, rowsWithinBound } from "@headwater/postgres/connection/documentBound";
import type { Session, Statement } from "@headwater/postgres/connection/session";
import { type AttributeClears, noAttributeClears } from "./attributeClears.ts";
import type { StoredContact } from "./contacts.ts";

const COLUMNS = `c.account, c.number, c.cid, c.created_at AS "createdAt", c.modified_at AS "modifiedAt", c.version,
  c.merged_into AS "mergedInto", c.doc`;
const byCidStatement: Statement = {
  name: "contact_by_cid",
  isLookup: true,
  text: `SELECT ${COLUMNS} FROM contacts asked
    JOIN contacts c ON c.account = asked.account AND c.number = COALESCE(asked.merged_into, asked.number)
    WHERE asked.cid = $2 AND asked.account + 0 = $1`,
};
const byIdentifierStatement: Statement = {
  name: "contact_by_identifier",
  isLookup: true,
  text: `SELECT ${COLUMNS} FROM contact_identifiers i
    JOIN contacts found ON found.account = i.account AND found.number = i.contact
    JOIN contacts c ON c.account = i.account AND c.number = COALESCE(found.merged_into, found.number)
    WHERE i.account = $1 AND i.name = $2 AND i.value = $3`,
};
/** A page has hundreds of rows: what no answer shows is not asked for. */
const VIEW = `c.number, c.cid, c.created_at AS "createdAt", c.modified_at AS "modifiedAt", c.doc`;
const DISPLAYED_NAMES = `number, cid, "createdAt", "modifiedAt"`;
const pageStatement = {
  name: "contacts_page",
  text: boundPage(
    `SELECT ${VIEW} FROM contacts c WHERE c.account = $1 AND c.number > $2 AND c.merged_into IS NULL
    ORDER BY c.number LIMIT $3 OFFSET $4`,
    DISPLAYED_NAMES,
    "$5",
  ),
};
const pageBackStatement = {
  name: "contacts_page_back",
  text: boundPage(
    `SELECT ${VIEW} FROM contacts c WHERE c.account = $1 AND c.number < $2 AND c.merged_into IS NULL
    ORDER BY c.number DESC LIMIT $3 OFFSET $4`,
    DISPLAYED_NAMES,
    "$5",
  ),
};
const FOUND = `FROM contacts c WHERE c.account = $1 AND c.number = ANY ($2::bigint[]) AND c.merged_into IS NULL`;
const foundStatement = {
  name: "contacts_found",
  text: boundPage(`SELECT ${VIEW} ${FOUND} ORDER BY c.number`, DISPLAYED_NAMES, "$3"),
};
const foundBackStatement = {
  name: "contacts_found_back",
  text: boundPage(`SELECT ${VIEW} ${FOUND} ORDER BY c.number DESC`, DISPLAYED_NAMES, "$3"),
};
const cidsStatement = {
  name: "contact_cids",
  text: `SELECT asked.number, c.cid FROM contacts asked
    JOIN contacts c ON c.account = asked.account AND c.number = COALESCE(asked.merged_into, asked.number)
    WHERE asked.account = $1 AND asked.number = ANY ($2::bigint[])`,
};

/** A contact with what its answer needs, from one statement: a read of one's own write has to see contact and lists alike. */
export interface ContactWithLists extends StoredContact {
  /** Clears of its account. */
  readonly clears: AttributeClears;
  /** Lists that it is on now, in order of their ids. */
  readonly lists: readonly ListView[];
}
export interface ListView {
  readonly name: string;
  readonly enhanced: boolean;
  /** Milliseconds since 1970. */
  readonly joinedAt: number;
}

/** Null for most contacts: an aggregate of no rows. */
const LISTS = `(SELECT json_agg(json_build_object('name', l.name, 'enhanced', l.enhanced, 'joinedAt', m.joined_at) ORDER BY l.id)
    FROM memberships m JOIN lists l ON l.account = m.account AND l.id = m.list
    WHERE m.account = c.account AND m.contact = c.number AND m.present AND l.deleted_at IS NULL
      AND (l.cleared_version IS NULL OR m.version > l.cleared_version)) AS lists`;
/** Null for most accounts. */
const CLEARS = `(SELECT json_object_agg(a.key, replace(a.version::text, '-', '') ORDER BY a.version)
    FROM attribute_clears a WHERE a.account = c.account) AS clears`;
/**
 * Each finds one row by equality, so that one plan serves all values: over an array Postgres would plan again at each call, which
 * takes longer than the call. A merged contact is answered as it is, and its survivor is read by another call.
 */
const viewByCidStatement: Statement = {
  name: "contact_view_by_cid",
  isLookup: true,
  text: `SELECT ${COLUMNS}, ${LISTS}, ${CLEARS} FROM contacts c WHERE c.cid = $2 AND c.account + 0 = $1`,
};
const viewByIdentifierStatement: Statement = {
  name: "contact_view_by_identifier",
  isLookup: true,
  text: `SELECT ${COLUMNS}, ${LISTS}, ${CLEARS} FROM contact_identifiers i JOIN contacts c ON c.account = i.account AND c.number = i.contact
    WHERE i.account = $1 AND i.name = $2 AND i.value = $3`,
};
const viewByNumberStatement: Statement = {
  name: "contact_view_by_number",
  isLookup: true,
  text: `SELECT ${COLUMNS}, ${LISTS}, ${CLEARS} FROM contacts c WHERE c.account = $1 AND c.number = $2`,
};

type ViewRow = StoredContact & { readonly lists: string | null; readonly clears: string | null };

/** Does what `readContactByCid` does, with the contact's lists: one statement, unless the contact was merged. */
export async function viewContactByCid(
  session: Session,
  account: number,
  cid: string,
): Promise<ContactWithLists | undefined> {
  const [row] = await session.query<ViewRow>(viewByCidStatement, [account, cid]);
  return row && survivorOf(session, row);
}

/** Does what `readContactByIdentifiers` does, with the contact's lists: a statement for each identifier up to the one that finds it. */
export async function viewContactByIdentifiers(
  session: Session,
  account: number,
  identifiers: readonly { readonly name: string; readonly value: string }[],
): Promise<ContactWithLists | undefined> {
  const row = await firstRow(identifiers, ({ name, value }) =>
    session.query<ViewRow>(viewByIdentifierStatement, [account, name, value]),
  );
  return row && survivorOf(session, row);
}

/** A survivor that was merged itself since the first look has one of its own. */
const SURVIVORS_MAX = 4;

async function survivorOf(session: Session, merged: ViewRow): Promise<ContactWithLists | undefined> {
  let row: ViewRow | undefined = merged;
  for (let checks = 0; row !== undefined && row.mergedInto !== null && checks < SURVIVORS_MAX; checks++) {
    [row] = await session.query<ViewRow>(viewByNumberStatement, [row.account, row.mergedInto]);
  }
  return row?.mergedInto === null ? withLists(row) : undefined;
}

function withLists({ lists, clears, ...row }: ViewRow): ContactWithLists {
  return {
    ...row,
    lists: lists === null ? [] : JSON.parse(lists),
    clears: clears === null ? noAttributeClears : new Map(Object.entries(JSON.parse(clears))),
  };
}

const leastNumberStatement: Statement = {
  name: "contact_number_least",
  isLookup: true,
  text: "SELECT number FROM contacts WHERE account = $1 ORDER BY number LIMIT 1",
};
const greatestNumberStatement: Statement = {
  name: "contact_number_greatest",
  isLookup: true,
  text: "SELECT number FROM contacts WHERE account = $1 ORDER BY number DESC LIMIT 1",
};

/** The number of the account's first contact in the direction; 0 without any. */
export async function readFirstNumber(session: Session, account: number, direction: "asc" | "desc"): Promise<number> {
  const statement = direction === "asc" ? leastNumberStatement : greatestNumberStatement;
  const [row] = await session.query<{ number: number }>(statement, [account]);
  return row?.number ?? 0;
}

/** The live contact; a merged one's cid answers its survivor. */
export async function readContactByCid(
  session: Session,
  account: number,
  cid: string,
): Promise<StoredContact | undefined> {
  const [row] = await session.query<StoredContact>(byCidStatement, [account, cid]);
  return row;
}

/** The live contact of the first identifier that finds one; names and values are canonical. */
export function readContactByIdentifiers(
  session: Session,
  account: number,
  identifiers: readonly { readonly name: string; readonly value: string }[],
): Promise<StoredContact | undefined> {
  return firstRow(identifiers, ({ name, value }) =>
    session.query<StoredContact>(byIdentifierStatement, [account, name, value]),
  );
}

/** The row of the first key that finds one; the keys behind it are not asked for. */
async function firstRow<Key, Row>(
  keys: readonly Key[],
  read: (key: Key) => Promise<readonly Row[]>,
): Promise<Row | undefined> {
  for (const key of keys) {
    const [row] = await read(key);
    if (row !== undefined) return row;
  }
  return undefined;
}

/** The cid of the live contact of each number that ClickHouse's rows hold. */
export async function readCids(
  session: Session,
  account: number,
  numbers: readonly number[],
): Promise<Map<number, string>> {
  if (numbers.length === 0) return new Map();
  const rows = await session.query<{ number: number; cid: string }>(cidsStatement, [account, `{${numbers.join(",")}}`]);
  return new Map(rows.map(({ number, cid }) => [number, cid]));
}

export interface ContactsPage {
  readonly account: number;
  readonly direction: "asc" | "desc";
  /** Number of the last one of the page before. */
  readonly after?: number | undefined;
  readonly skip: number;
  readonly rowsMax: number;
  /** Limit of the documents together. */
  readonly bytesMax: number;
}

/** Columns of a contact that its answer shows. */
export type ContactView = Pick<StoredContact, "number" | "cid" | "createdAt" | "modifiedAt" | "doc">;
type MeasuredContact = Omit<ContactView, "doc"> & { readonly doc: string | null };

/** Returns live contacts in order of their numbers; the page ends before the first one that would pass the limit of bytes. */
export async function pageContacts(session: Session, page: ContactsPage): Promise<BoundedRows<ContactView>> {
  const { account, direction, rowsMax, skip, bytesMax } = page;
  const [statement, first] =
    direction === "asc" ? ([pageStatement, 0] as const) : ([pageBackStatement, Number.MAX_SAFE_INTEGER] as const);
  const rows = await session.query<MeasuredContact>(statement, [account, page.after ?? first, rowsMax, skip, bytesMax]);
  return rowsWithinBound<ContactView>(rows);
}

/** Returns those of the contacts that are live, in order of their numbers, within the same limit. */
export async function readContactViews(
  session: Session,
  numbers: readonly number[],
  { account, direction, bytesMax }: Pick<ContactsPage, "account" | "direction" | "bytesMax">,
): Promise<BoundedRows<ContactView>> {
  if (numbers.length === 0) return { rows: [], isCut: false };
  const statement = direction === "asc" ? foundStatement : foundBackStatement;
  const rows = await session.query<MeasuredContact>(statement, [account, `{${numbers.join(",")}}`, bytesMax]);
  return rowsWithinBound<ContactView>(rows);
}
