import { createConditions } from "@headwater/postgres/connection/conditions";
import { type BoundedRows, boundPage, rowsWithinBound } from "@headwater/postgres/connection/documentBound";
import type { Session, Statement } from "@headwater/postgres/connection/session";
import type { StoredSupplementRecord } from "./supplementRecords.ts";
import type { SupplementKey } from "./supplements.ts";

/** A record that is there, with the cid of its live contact. */
export interface SupplementRecordView extends StoredSupplementRecord {
  readonly cid: string | null;
  /** Key of the entry it was found by; empty when it was found by its id. */
  readonly key: string;
}

/** A table as its records are read. */
export interface ReadTable extends SupplementKey {
  readonly clearedVersion: string | null;
}

/** Start, direction and length of a walk through records. */
interface Walk {
  readonly direction: "asc" | "desc";
  readonly skip: number;
  readonly rowsMax: number;
  /** Bytes of records; one record is read in any case. */
  readonly bytesMax: number;
}

export interface RecordsWalk extends Walk {
  readonly after?: string | undefined;
}

/** Entries of one index, from `from`, included, to `to`, excluded. */
export interface EntriesRange {
  readonly slot: number;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

export interface EntriesWalk extends Walk, EntriesRange {
  readonly after?: { readonly key: string; readonly id: string } | undefined;
}

const COLUMNS = `r.account, r.supplement, r.id, r.contact, r.created_at AS "createdAt", r.modified_at AS "modifiedAt", r.version,
  r.deleted_version AS "deletedVersion", r.doc, s.cid`;
/** A merge moves no record: its contact's number resolves to the survivor's. */
const OF_CONTACT = `LEFT JOIN contacts c ON c.account = r.account AND c.number = r.contact
  LEFT JOIN contacts s ON s.account = r.account AND s.number = COALESCE(c.merged_into, c.number)`;
/** @param cleared name of the parameter with the version at which the table was cleared. */
export const isThere = (cleared: string) =>
  `r.version > COALESCE(${cleared}::uuid, '00000000-0000-0000-0000-000000000000') AND (r.deleted_version IS NULL OR r.version > r.deleted_version)`;

/** One row where there is the table, with a record in it or none. The survivor is searched for when the contact was merged, alone. */
const oneStatement: Statement = {
  name: "supplement_record_read",
  isLookup: true,
  text: `SELECT r.account, r.supplement, r.id, r.contact, r.created_at AS "createdAt", r.modified_at AS "modifiedAt", r.version,
      r.deleted_version AS "deletedVersion", r.doc, '' AS key, t.cleared_version AS "clearedVersion",
      CASE WHEN c.merged_into IS NULL THEN c.cid
        ELSE (SELECT s.cid FROM contacts s WHERE s.account = c.account AND s.number = c.merged_into) END AS cid
    FROM supplements t
    LEFT JOIN supplement_records r ON r.account = t.account AND r.supplement = t.id AND r.id = $3 AND ${isThere("t.cleared_version")}
    LEFT JOIN contacts c ON c.account = r.account AND c.number = r.contact
    WHERE t.account = $1 AND t.key = $2 AND t.deleted_version IS NULL`,
};
const countStatement = {
  name: "supplement_records_count",
  text: `SELECT count(*) AS count FROM supplement_records r WHERE r.account = $1 AND r.supplement = $2 AND ${isThere("$3")}`,
};

/** A record that was read with its table. */
export type RecordOfTable = SupplementRecordView & Pick<ReadTable, "clearedVersion">;
type OneRow = Omit<RecordOfTable, "id"> & { readonly id: string | null };

/** @returns the record, or which of table and record does not exist. */
export async function readSupplementRecord(
  session: Session,
  { account, key, id }: { readonly account: number; readonly key: string; readonly id: string },
): Promise<"no table" | "no record" | RecordOfTable> {
  const [row] = await session.query<OneRow>(oneStatement, [account, key, id]);
  if (row === undefined) return "no table";
  return row.id === null ? "no record" : { ...row, id: row.id };
}

type BoundedRecord = Omit<SupplementRecordView, "doc"> & { readonly doc: string | null };
const NAMES = `account, supplement, id, contact, "createdAt", "modifiedAt", version, "deletedVersion", cid, key`;

/** Walks records in order of id. */
export async function walkSupplementRecords(
  session: Session,
  { account, supplement, clearedVersion }: ReadTable,
  { after, direction, skip, rowsMax, bytesMax }: RecordsWalk,
): Promise<BoundedRows<SupplementRecordView>> {
  const where = createConditions();
  where.add(`r.account = ${where.bind(account)} AND r.supplement = ${where.bind(supplement)}`);
  where.add(isThere(where.bind(clearedVersion)));
  if (after !== undefined) where.add(`r.id ${direction === "asc" ? ">" : "<"} ${where.bind(after)}`);
  const page = `WITH page AS MATERIALIZED (
      SELECT * FROM supplement_records r WHERE ${where.text()}
      ORDER BY r.account ${direction}, r.supplement ${direction}, r.id ${direction} LIMIT ${where.bind(rowsMax)} OFFSET ${where.bind(skip)}
    ) SELECT ${COLUMNS}, '' AS key FROM page r ${OF_CONTACT} ORDER BY r.id ${direction}`;
  const text = boundPage(page, NAMES, where.bind(bytesMax));
  return rowsWithinBound<SupplementRecordView>(await session.query<BoundedRecord>({ text }, where.values));
}

/** Returns the first records of a table by their ids, as many as the limit of bytes admits, and one in any case. */
export async function readFirstSupplementRecords(
  session: Session,
  { account, supplement, clearedVersion }: ReadTable,
  { rowsMax, bytesMax }: { readonly rowsMax: number; readonly bytesMax: number },
): Promise<readonly SupplementRecordView[]> {
  const first = `SELECT ${COLUMNS}, '' AS key FROM supplement_records r ${OF_CONTACT}
    WHERE r.account = $1 AND r.supplement = $2 AND ${isThere("$3")} ORDER BY r.account, r.supplement, r.id LIMIT $4`;
  const statement = { name: "supplement_records_first", text: boundPage(first, NAMES, "$5") };
  const rows = await session.query<BoundedRecord>(statement, [
    ...[account, supplement, clearedVersion],
    ...[rowsMax, bytesMax],
  ]);
  return rowsWithinBound<SupplementRecordView>(rows).rows;
}

/** Walks records in order of (key, id) of an index. The page is cut in the index: rows are read of those on it alone. */
export async function walkSupplementEntries(
  session: Session,
  { account, supplement, clearedVersion }: ReadTable,
  { slot, from, to, after, direction, skip, rowsMax, bytesMax }: EntriesWalk,
): Promise<BoundedRows<SupplementRecordView>> {
  const where = entryConditions({ account, supplement }, { slot, from, to });
  if (after !== undefined) {
    const position = `(${where.bind(after.key)}, ${where.bind(after.id)})`;
    where.add(`(e.key, e.id) ${direction === "asc" ? ">" : "<"} ${position}`);
  }
  const order = ["account", "supplement", "slot", "key", "id"].map((column) => `e.${column} ${direction}`).join(", ");
  const page = `WITH page AS MATERIALIZED (
      SELECT * FROM supplement_index_entries e WHERE ${where.text()} ORDER BY ${order}
      LIMIT ${where.bind(rowsMax)} OFFSET ${where.bind(skip)}
    ) SELECT ${COLUMNS}, e.key FROM page e JOIN supplement_records r ON r.account = e.account AND r.supplement = e.supplement AND r.id = e.id
      ${OF_CONTACT} WHERE ${isThere(where.bind(clearedVersion))} ORDER BY e.key ${direction}, e.id ${direction}`;
  const text = boundPage(page, NAMES, where.bind(bytesMax));
  return rowsWithinBound<SupplementRecordView>(await session.query<BoundedRecord>({ text }, where.values));
}

/** Records that are there. */
export async function countSupplementRecords(
  session: Session,
  { account, supplement, clearedVersion }: ReadTable,
): Promise<number> {
  return countOf(await session.query<Count>(countStatement, [account, supplement, clearedVersion]));
}

/** @param most counting ends there. */
export async function countSupplementEntries(
  session: Session,
  table: SupplementKey,
  { range, most }: { readonly range: EntriesRange; readonly most?: number },
): Promise<number> {
  const where = entryConditions(table, range);
  const limit = most === undefined ? "" : `LIMIT ${where.bind(most)}`;
  const text = `SELECT count(*) AS count FROM (SELECT FROM supplement_index_entries e WHERE ${where.text()} ${limit}) AS matches`;
  return countOf(await session.query<Count>({ text }, where.values));
}

/** Records with an entry in every range. */
export async function countSupplementMatches(
  session: Session,
  { account, supplement }: SupplementKey,
  ranges: readonly EntriesRange[],
): Promise<number> {
  const all = createConditions();
  const key = [all.bind(account), all.bind(supplement)].join(", ");
  const sets = ranges.map((range) => {
    const bounds = boundsOf(range, all).join(" AND ");
    return `SELECT e.id FROM supplement_index_entries e WHERE (e.account, e.supplement) = (${key}) AND ${bounds}`;
  });
  const text = `SELECT count(*) AS count FROM (${sets.join(" INTERSECT ")}) AS matches`;
  return countOf(await session.query<Count>({ text }, all.values));
}

function entryConditions({ account, supplement }: SupplementKey, range: EntriesRange) {
  const where = createConditions();
  where.add(`e.account = ${where.bind(account)} AND e.supplement = ${where.bind(supplement)}`);
  for (const bound of boundsOf(range, where)) where.add(bound);
  return where;
}

function boundsOf({ slot, from, to }: EntriesRange, where: ReturnType<typeof createConditions>): string[] {
  return [
    `e.slot = ${where.bind(slot)}`,
    ...(from === undefined ? [] : [`e.key >= ${where.bind(from)}`]),
    ...(to === undefined ? [] : [`e.key < ${where.bind(to)}`]),
  ];
}

interface Count {
  readonly count: number;
}

function countOf([row]: readonly Count[]): number {
  return row?.count ?? 0;
}
