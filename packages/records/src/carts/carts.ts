import { jsonTexts, plainArray } from "@headwater/postgres/connection/arrays";
import { ANY_BYTES, boundDocuments, wholeRows } from "@headwater/postgres/connection/documentBound";
import { keyGroups } from "@headwater/postgres/connection/keyGroups";
import type { Session, Transaction } from "@headwater/postgres/connection/session";

export interface CartKey {
  readonly account: number;
  /** Number of the contact. */
  readonly contact: number;
}

/** A cart as stored: `doc` is the text of its document. */
export interface StoredCart extends CartKey {
  readonly version: string;
  readonly doc: string;
}

const NAMES = "account, contact, version";
const bounded = (from: string) => boundDocuments(`SELECT ${NAMES}, doc FROM ${from}`, NAMES, "$3");
const ofAccountStatement = {
  name: "carts_of_account",
  text: bounded("carts WHERE account = $1 AND contact = ANY ($2::bigint[])"),
};
const ofAllStatement = {
  name: "carts_of_all",
  text: bounded("unnest($1::int[], $2::bigint[]) AS k (account, contact) JOIN carts USING (account, contact)"),
};

/**
 * Loads carts without a lock of their own: the contacts they belong to are locked before.
 * @throws DocumentsTooLarge when their documents together have more bytes.
 */
export async function loadCarts(
  session: Session,
  keys: readonly CartKey[],
  bytesMax: number = ANY_BYTES,
): Promise<StoredCart[]> {
  const groups = keyGroups(keys, (a, b) => a.account - b.account);
  const contacts = (of: readonly CartKey[]) => plainArray(of, (key) => key.contact);
  if (groups === undefined) {
    return wholeRows(
      await session.query(ofAllStatement, [plainArray(keys, (key) => key.account), contacts(keys), bytesMax]),
    );
  }
  const answers = groups.map((group) =>
    session.query<StoredCart>(ofAccountStatement, [group[0]?.account ?? 0, contacts(group), bytesMax]),
  );
  return wholeRows((await Promise.all(answers)).flat());
}

const upsertStatement = {
  name: "carts_upsert",
  text: `INSERT INTO carts (account, contact, version, doc, revision)
    SELECT account, contact, version, doc, $5
    FROM unnest($1::int[], $2::bigint[], $3::uuid[], string_to_array($4, E'\\x1f')) AS r (account, contact, version, doc)
    ON CONFLICT (account, contact) DO UPDATE SET version = EXCLUDED.version, doc = EXCLUDED.doc, revision = EXCLUDED.revision`,
};

/** Each contact once; their rows are locked. @returns how many were written. */
export async function upsertCarts(
  transaction: Transaction,
  rows: readonly StoredCart[],
  revision: number,
): Promise<number> {
  if (rows.length === 0) return 0;
  return transaction.execute(upsertStatement, [
    plainArray(rows, (row) => row.account),
    plainArray(rows, (row) => row.contact),
    plainArray(rows, (row) => row.version),
    jsonTexts(rows, (row) => row.doc),
    revision,
  ]);
}
