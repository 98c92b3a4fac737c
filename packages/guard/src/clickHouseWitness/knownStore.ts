import type { Session } from "@headwater/postgres/connection/session";
import type { HeldTable, KnownStore, RebuildPhase } from "./storeFacts.ts";

const readStatement = {
  name: "clickhouse_witness_read",
  text: `SELECT identity, is_established AS "isEstablished", migrations, tables,
    (SELECT phase FROM clickhouse_rebuilds WHERE ended_at IS NULL) AS rebuild,
    (SELECT json_object_agg(concat_ws('/', grp, topic, generation, partition), marked_offset) FROM stream_offsets WHERE marked_offset > 0) AS marks
    FROM clickhouse_witness WHERE id = 1`,
};
const beginStatement = {
  text: "UPDATE clickhouse_witness SET identity = COALESCE(identity, $1) WHERE id = 1 RETURNING identity",
};
const establishStatement = {
  text: `UPDATE clickhouse_witness SET is_established = true, migrations = $2, tables = $3 WHERE id = 1 AND identity = $1`,
};
const renewStatement = {
  text: `UPDATE clickhouse_witness SET identity = $1, is_established = false, migrations = 0, tables = '{}' WHERE id = 1`,
};
const forgetStatement = { text: "UPDATE stream_offsets SET marked_offset = 0 WHERE marked_offset > 0" };

interface Row {
  readonly identity: string | null;
  readonly isEstablished: boolean;
  readonly migrations: number;
  readonly tables: string;
  readonly marks: string | null;
  readonly rebuild: RebuildPhase | null;
}

/** Reads what ClickHouse must confirm. */
export async function readKnownStore(session: Session): Promise<KnownStore> {
  const [row] = await session.query<Row>(readStatement);
  if (row === undefined) throw new Error("clickhouse_witness has its row from the migration");
  const { identity, isEstablished, migrations, tables, marks, rebuild } = row;
  return {
    identity: identity ?? undefined,
    isEstablished,
    migrations,
    tables: JSON.parse(tables),
    marks: marks === null ? {} : JSON.parse(marks),
    ...(rebuild !== null && { rebuild }),
  };
}

/** Stores an identity that ClickHouse is to be given, unless there is one. @returns the stored one. */
export async function beginIdentity(session: Session, identity: string): Promise<string> {
  const [row] = await session.query<{ identity: string }>(beginStatement, [identity]);
  if (row === undefined) throw new Error("clickhouse_witness has its row from the migration");
  return row.identity;
}

/** Notes that ClickHouse holds the identity, and its tables. Does nothing when another identity was stored since. */
export async function noteEstablished(
  session: Session,
  { identity, migrations, tables }: { readonly identity: string } & Pick<KnownStore, "migrations" | "tables">,
): Promise<void> {
  await session.execute(establishStatement, [identity, migrations, JSON.stringify(tables)]);
}

/**
 * Stores another identity, under which nothing is confirmed yet: copies of ClickHouse that were taken before are strangers from now on.
 * Call it in the transaction that changes what ClickHouse has to hold.
 */
export async function renewIdentity(session: Session, identity: string): Promise<void> {
  await session.execute(renewStatement, [identity]);
  await session.execute(forgetStatement);
}

/** Returns the tables to note: those in which an empty one is told from one that was emptied. */
export function tablesToNote(tables: readonly HeldTable[]): Record<string, string> {
  return Object.fromEntries(tables.filter(({ rows }) => rows > 0).map(({ name, uuid }) => [name, uuid]));
}
