import { textArray } from "@headwater/postgres/connection/arrays";
import type { Session, Transaction } from "@headwater/postgres/connection/session";
import type { OutboxPosition } from "@headwater/postgres/outbox/outbox";
import { isKnownStore, lossesOfIdentity, readIdentityFacts, readKnownIdentities } from "./storeIdentity.ts";
import { type NumbersSeen, skipNumbers } from "./storeRecoveries.ts";

/** A change to a cluster that did not write its data, with all that it takes. */
export interface ClusterAdoption {
  /** System identifier of this cluster, and the stores that wrote the data: as it says itself, and as Kafka's commits do. */
  readonly found: string;
  readonly former: readonly string[];
  /** Added to transaction numbers before and after the adoption: decimal text. */
  readonly baseBefore: string;
  readonly baseAfter: string;
  /** Rows of the outbox that wait, and those among them that this cluster wrote at or before the relay's mark. */
  readonly waiting: number;
  readonly passed: number;
  readonly numbers: NumbersSeen;
}

export interface ClusterSeen {
  /** Stores that others name: a system identifier, and the object id of the database behind a slash where it is noted. */
  readonly stores: readonly string[];
  /** Positions that messages of the change topics name. */
  readonly places: readonly Pick<OutboxPosition, "xid">[];
  /** Greatest numbers that ClickHouse was given. */
  readonly numbers: NumbersSeen;
}

/** Transactions of one epoch, as Postgres counts epochs itself. */
const EPOCH = 2n ** 32n;
const LOCK_TIMEOUT = { text: "SET LOCAL lock_timeout = '10s'" };
const lockStatement = { text: "LOCK TABLE outbox IN ACCESS EXCLUSIVE MODE" };
const outboxStatement = {
  text: `SELECT (SELECT count(*) FROM outbox) AS waiting,
      (SELECT count(*) FROM outbox o WHERE (o.xid, o.position) <= (p.xid, p.position)) AS passed,
      (SELECT COALESCE(max(xid_base), 0)::text FROM store_identities) AS base,
      GREATEST(p.position, (SELECT max(position) FROM outbox)) AS position
    FROM relay_progress p WHERE p.id = 1`,
};
/** Rows that were written here are of this cluster's numbers: they move with them. */
const moveStatement = {
  text: `UPDATE outbox o SET xid = (o.xid::text::bigint + $1::bigint)::text::xid8
    FROM relay_progress p WHERE (o.xid, o.position) <= (p.xid, p.position)`,
};
const recordStatement = {
  text: `INSERT INTO store_identities (system_identifier, database, xid_base)
    SELECT split_part(name, '/', 1), NULLIF(split_part(name, '/', 2), '')::bigint, $2::bigint
    FROM unnest($1::text[]) WITH ORDINALITY AS n (name, position) ORDER BY position`,
};
const horizonStatement = {
  text: "UPDATE relay_progress SET horizon = outbox_xid(pg_snapshot_xmax(pg_current_snapshot())) WHERE id = 1",
};
/** Numbers of the former cluster would count as new at every look. */
const changesStatement = { text: "UPDATE attribute_changes SET changed_by = pg_current_xact_id()" };

/** @returns undefined where the data is at home. */
export async function planClusterAdoption(session: Session, seen: ClusterSeen): Promise<ClusterAdoption | undefined> {
  const facts = await readIdentityFacts(session);
  const known = await readKnownIdentities(session);
  const foreign = known.length === 0 ? [] : seen.stores.filter((store) => !isKnownStore(store, known));
  if (lossesOfIdentity(facts).length === 0 && foreign.length === 0) return undefined;
  const [row] = await session.query<{ waiting: number; passed: number; base: string; position: number }>(
    outboxStatement,
  );
  if (row === undefined) throw new Error("relay_progress has its row from the migration");
  const greatest = seen.places.reduce((most, { xid }) => bigger(most, BigInt(xid)), BigInt(facts.marked));
  return {
    found: facts.found,
    former: [...new Set([...(facts.known === null ? [] : [facts.known]), ...foreign])].sort(),
    baseBefore: row.base,
    // A whole epoch above all that is known: nothing that the former cluster did since can have passed it.
    baseAfter: String((bigger(greatest, BigInt(row.base)) / EPOCH + 1n) * EPOCH),
    waiting: row.waiting,
    passed: row.passed,
    numbers: { ...seen.numbers, revision: Math.max(seen.numbers.revision, row.position) },
  };
}

function bigger(left: bigint, right: bigint): bigint {
  return left > right ? left : right;
}

/**
 * Lets the data go on in this cluster: raises its transaction numbers above all former ones, moves the rows along that it wrote below
 * them, and moves every sequence above what others were given.
 */
export async function adoptCluster(
  transaction: Transaction,
  adoption: ClusterAdoption,
): Promise<Readonly<Record<string, number>>> {
  const { found, former, baseBefore, baseAfter, numbers } = adoption;
  await transaction.execute(LOCK_TIMEOUT);
  await transaction.execute(lockStatement);
  const { database } = await readIdentityFacts(transaction);
  const moved = await transaction.execute(moveStatement, [String(BigInt(baseAfter) - BigInt(baseBefore))]);
  await transaction.execute(functionStatement(baseAfter));
  const here = `${found}/${database}`;
  const names = textArray([...former.filter((name) => name !== found && name !== here), here], (name) => name);
  await transaction.execute(recordStatement, [names, baseAfter]);
  await transaction.execute(horizonStatement);
  await transaction.execute(changesStatement);
  return { moved, ...(await skipNumbers(transaction, numbers)) };
}

function functionStatement(base: string): { readonly text: string } {
  if (!/^\d+$/.test(base)) throw new TypeError(`${base} is not a number`);
  return {
    text: `CREATE OR REPLACE FUNCTION outbox_xid(counted xid8) RETURNS xid8 LANGUAGE sql IMMUTABLE PARALLEL SAFE
      AS 'SELECT (counted::text::bigint + ${base})::text::xid8'`,
  };
}
