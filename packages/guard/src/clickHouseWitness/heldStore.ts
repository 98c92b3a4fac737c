import type { ClickHouse } from "@headwater/clickhouse/clickhouse";
import { isMissingTable, isThrownByQuery } from "@headwater/clickhouse/failures";
import { clickHouseTables } from "@headwater/clickhouse/tables/index";
import { type HeldStore, type HeldTable, type StreamEnd, streamOf } from "./storeFacts.ts";

/** Tables whose rows expire have no row of account 0 that stays. */
const EXPIRING: ReadonlySet<string> = new Set(["exported_contacts"]);
const MARKS = "confirmed_marks";
const TABLES = clickHouseTables.map(({ name }) => name).filter((name) => !EXPIRING.has(name));

const heldStatement = `SELECT
  (SELECT groupUniqArray(identity) FROM confirmed_marks WHERE stream = '') AS identities,
  (SELECT groupArray((stream, mark)) FROM (SELECT stream, max(mark) AS mark FROM confirmed_marks
    WHERE identity = {identity: String} GROUP BY stream)) AS marks,
  (SELECT groupArray((name, if(startsWith(engine, 'Replicated'), '', toString(uuid)), assumeNotNull(total_rows))) FROM system.tables
    WHERE database = currentDatabase() AND name IN {tables: Array(String)}) AS tables,
  (SELECT uniqExact(name) FROM schema_migrations) AS migrations`;
/** Replicas of any table that have not taken all inserts of the others. */
const behindStatement = `SELECT count() AS behind FROM system.replicas WHERE database = currentDatabase() AND table IN {tables: Array(String)}
  AND (is_readonly OR inserts_in_queue > 0 OR (log_max_index > 0 AND log_pointer <= log_max_index))`;
/** Marks follow one another: a store that lacks the mark before is not marked further. */
const markStatement = `INSERT INTO confirmed_marks (identity, stream, mark) SELECT {identity: String}, ended.1, ended.2 FROM (
  SELECT arrayJoin(arrayZip({streams: Array(String)}, {ends: Array(UInt64)})) AS ended FROM (
    SELECT mapFromArrays(groupArray(stream), groupArray(mark)) AS held FROM (
      SELECT stream, max(mark) AS mark FROM confirmed_marks WHERE identity = {identity: String} GROUP BY stream))
  WHERE throwIf(NOT mapContains(held, '') OR NOT arrayAll((stream, mark) -> held[stream] >= mark, {streams: Array(String)},
    {known: Array(UInt64)}), 'confirmed_marks lacks a mark') = 0)`;
const identityStatement = "INSERT INTO confirmed_marks (identity, stream, mark) SELECT {identity: String}, '', 1";

/** Rows that were there before a table was emptied are written again, though ClickHouse remembers the block. */
const settings = { insert_deduplicate: 0 } as const;

interface Row {
  readonly identities: readonly string[];
  readonly marks: readonly (readonly [string, number])[];
  readonly tables: readonly (readonly [string, string, number])[];
  readonly migrations: number;
}

/** Reads what ClickHouse shows about itself. @returns undefined when the database or one of its tables does not exist. */
export async function readHeldStore(clickhouse: ClickHouse, identity: string): Promise<HeldStore | undefined> {
  try {
    const [row] = await clickhouse.query<Row>(heldStatement, { identity, tables: TABLES });
    if (row === undefined) throw new Error("a query without a table answers one row");
    return {
      identities: row.identities,
      migrations: row.migrations,
      marks: new Map(row.marks),
      tables: row.tables.map(([name, uuid, rows]): HeldTable => ({ name, uuid, rows })),
    };
  } catch (error) {
    if (isMissingTable(error)) return undefined;
    throw error;
  }
}

/** Returns whether the replica that answers lacks inserts of others: what it does not hold need not be lost. */
export async function isReplicaBehind(clickhouse: ClickHouse): Promise<boolean> {
  try {
    const [row] = await clickhouse.query<{ behind: number }>(behindStatement, { tables: TABLES });
    return (row?.behind ?? 0) > 0;
  } catch (error) {
    if (isMissingTable(error)) return false;
    throw error;
  }
}

/** Gives ClickHouse an identity, and each table that lacks it the row of account 0. May run twice. */
export async function writeIdentity(clickhouse: ClickHouse, identity: string): Promise<void> {
  for (const table of TABLES.filter((name) => name !== MARKS)) {
    const isThere = `(SELECT count() FROM (SELECT 1 FROM ${table} WHERE account = 0 LIMIT 1))`;
    await clickhouse.command(`INSERT INTO ${table} (account) SELECT 0 WHERE ${isThere} = 0`, {}, { settings });
  }
  await clickhouse.command(identityStatement, { identity }, { settings });
}

export interface NewMarks {
  readonly identity: string;
  readonly ends: readonly StreamEnd[];
  /** Marks by stream that Postgres knows. */
  readonly known: Readonly<Record<string, number>>;
}

/** Marks streams up to the ends. @returns false, with nothing marked, when ClickHouse lacks a mark that Postgres knows. */
export async function writeMarks(clickhouse: ClickHouse, { identity, ends, known }: NewMarks): Promise<boolean> {
  const streams = ends.map(({ key }) => streamOf(key));
  const params = { identity, streams, ends: ends.map(({ to }) => to), known: streams.map((one) => known[one] ?? 0) };
  try {
    await clickhouse.command(markStatement, params, { settings });
    return true;
  } catch (error) {
    if (isMissingTable(error) || isThrownByQuery(error)) return false;
    throw error;
  }
}
