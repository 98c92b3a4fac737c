import { textArray } from "./arrays.ts";
import type { Session } from "./session.ts";
import type { StoredContact } from "./state/contacts.ts";

const COLUMNS = `c.account, c.number, c.cid, c.created_at AS "createdAt", c.modified_at AS "modifiedAt", c.version,
  c.merged_into AS "mergedInto", c.doc`;
const byCidStatement = {
  name: "contact_by_cid",
  text: `SELECT ${COLUMNS} FROM contacts asked
    JOIN contacts c ON c.account = asked.account AND c.number = COALESCE(asked.merged_into, asked.number)
    WHERE asked.cid = $2 AND asked.account + 0 = $1`,
};
const byIdentifierStatement = {
  name: "contact_by_identifier",
  text: `SELECT ${COLUMNS} FROM unnest($2::text[], $3::text[]) WITH ORDINALITY AS k (name, value, place)
    JOIN contact_identifiers i ON i.account = $1 AND i.name = k.name AND i.value = k.value
    JOIN contacts found ON found.account = $1 AND found.number = i.contact
    JOIN contacts c ON c.account = $1 AND c.number = COALESCE(found.merged_into, found.number)
    ORDER BY k.place LIMIT 1`,
};
const pageStatement = {
  name: "contacts_page",
  text: `SELECT ${COLUMNS} FROM contacts c WHERE c.account = $1 AND c.number > $2 AND c.merged_into IS NULL
    ORDER BY c.number LIMIT $3 OFFSET $4`,
};
const pageBackStatement = {
  name: "contacts_page_back",
  text: `SELECT ${COLUMNS} FROM contacts c WHERE c.account = $1 AND c.number < $2 AND c.merged_into IS NULL
    ORDER BY c.number DESC LIMIT $3 OFFSET $4`,
};
const cidsStatement = {
  name: "contact_cids",
  text: `SELECT asked.number, c.cid FROM contacts asked
    JOIN contacts c ON c.account = asked.account AND c.number = COALESCE(asked.merged_into, asked.number)
    WHERE asked.account = $1 AND asked.number = ANY ($2::bigint[])`,
};

/** The living contact; a merged one's cid answers its survivor. */
export async function readContactByCid(
  session: Session,
  account: number,
  cid: string,
): Promise<StoredContact | undefined> {
  const [row] = await session.query<StoredContact>(byCidStatement, [account, cid]);
  return row;
}

/** The living contact of the first identifier that finds one; names and values are canonical. */
export async function readContactByIdentifiers(
  session: Session,
  account: number,
  identifiers: readonly { readonly name: string; readonly value: string }[],
): Promise<StoredContact | undefined> {
  const values = [account, textArray(identifiers, ({ name }) => name), textArray(identifiers, ({ value }) => value)];
  const [row] = await session.query<StoredContact>(byIdentifierStatement, values);
  return row;
}

/** The cid of the living contact of each number that ClickHouse's rows hold. */
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
}

/** Living contacts in order of their numbers. */
export function pageContacts(session: Session, page: ContactsPage): Promise<StoredContact[]> {
  const { account, direction, rowsMax, skip } = page;
  if (direction === "asc") return session.query(pageStatement, [account, page.after ?? 0, rowsMax, skip]);
  return session.query(pageBackStatement, [account, page.after ?? Number.MAX_SAFE_INTEGER, rowsMax, skip]);
}
