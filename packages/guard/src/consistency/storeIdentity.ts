import type { Session } from "@headwater/postgres/connection/session";
import type { GroupCommit, Loss } from "./evidence.ts";

/** The cluster that a session is connected to, compared with what the data says of the one that wrote it. */
export interface IdentityFacts {
  /** System identifier of this cluster, and the object id of this database. */
  readonly found: string;
  readonly database: number;
  /** Last recorded cluster; null before the first one was recorded. */
  readonly known: string | null;
  readonly knownDatabase: number | null;
  /** Next transaction number, as the outbox orders by it. */
  readonly counted: string;
  /** Greatest transaction number that the relay's mark or a row of the outbox names. */
  readonly marked: string;
  /** A number was marked that this cluster has yet to reach. */
  readonly isBehind: boolean;
  /** A row waits at or before the relay's mark: it would never be published. */
  readonly hasPassedRows: boolean;
  readonly isReadOnly: boolean;
}

const factsStatement = {
  text: `SELECT found, database, known, "knownDatabase", counted::text AS counted, marked::text AS marked, marked > counted AS "isBehind",
      EXISTS (SELECT FROM outbox o, relay_progress p WHERE (o.xid, o.position) <= (p.xid, p.position)) AS "hasPassedRows",
      pg_is_in_recovery() AS "isReadOnly"
    FROM (SELECT (SELECT system_identifier::text FROM pg_control_system()) AS found,
        (SELECT oid::bigint FROM pg_database WHERE datname = current_database()) AS database,
        outbox_xid(pg_snapshot_xmax(pg_current_snapshot())) AS counted,
        (SELECT GREATEST(xid, horizon, (SELECT xid FROM outbox ORDER BY xid DESC LIMIT 1)) FROM relay_progress) AS marked) f
      LEFT JOIN (SELECT system_identifier AS known, database AS "knownDatabase" FROM store_identities ORDER BY id DESC LIMIT 1) i ON true`,
};
const knownStatement = {
  text: "SELECT DISTINCT system_identifier || COALESCE('/' || database, '') AS known FROM store_identities ORDER BY 1",
};
/** Processes that start together record one row. */
const recordStatement = {
  text: `INSERT INTO store_identities (system_identifier, database, xid_base)
    SELECT $1, $2::bigint, COALESCE((SELECT xid_base FROM store_identities ORDER BY id DESC LIMIT 1), 0)
    WHERE NOT EXISTS (SELECT FROM (SELECT system_identifier, database FROM store_identities ORDER BY id DESC LIMIT 1) last
      WHERE last.system_identifier = $1 AND last.database = $2::bigint)`,
};

export async function readIdentityFacts(session: Session): Promise<IdentityFacts> {
  const [facts] = await session.query<IdentityFacts>(factsStatement);
  if (facts === undefined) throw new Error("a query without a table answers one row");
  return facts;
}

/**
 * Returns all clusters and databases that this data has lived in, as `<system identifier>/<object id of the database>`; without the
 * database where only Kafka names the cluster.
 */
export async function readKnownIdentities(session: Session): Promise<string[]> {
  const rows = await session.query<{ known: string }>(knownStatement);
  return rows.map(({ known }) => known);
}

/**
 * Returns why this cluster cannot go on with the data it holds: it is another one, as after a dump was restored, or its transaction
 * numbers have fallen. Records the cluster that the data is in for the first time, or in another database of the same cluster.
 */
export async function identityLosses(session: Session): Promise<Loss[]> {
  const facts = await readIdentityFacts(session);
  const losses = lossesOfIdentity(facts);
  const isRecorded = facts.known === facts.found && facts.knownDatabase === facts.database;
  if (losses.length === 0 && !isRecorded && !facts.isReadOnly) {
    await session.execute(recordStatement, [facts.found, facts.database]);
  }
  return losses;
}

export function lossesOfIdentity(facts: IdentityFacts): Loss[] {
  const { found, known, counted, marked, isBehind, hasPassedRows } = facts;
  if (known !== null && known !== found) return [{ kind: "identity", found, known }];
  return isBehind || hasPassedRows ? [{ kind: "transactions", counted, marked }] : [];
}

/**
 * Commits name the database that they were stored in first, and published intents its cluster: one that this data has never lived in is
 * another's. An empty database in the same cluster shows by that.
 */
export function lossesOfStores(
  named: readonly Pick<GroupCommit, "store">[],
  known: readonly string[],
  found: string,
): Loss[] {
  if (known.length === 0) return [];
  const foreign = named.find(({ store }) => store !== undefined && !isKnownStore(store, known));
  return foreign?.store === undefined ? [] : [{ kind: "identity", found, known: foreign.store }];
}

/** Returns whether data has lived in a store. Older versions noted the cluster alone: then any database of it will do. */
export function isKnownStore(store: string, known: readonly string[]): boolean {
  return known.some((one) => one === store || clusterOf(one) === store || one === clusterOf(store));
}

function clusterOf(store: string): string {
  return store.split("/", 1)[0] ?? store;
}
