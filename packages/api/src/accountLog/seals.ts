import { plainArray, textArray } from "@headwater/postgres/connection/arrays";
import type { Session, Transaction } from "@headwater/postgres/connection/session";
import { digestOf, macOf, type Seal, type SealableEntry, type SealKey } from "./seal.ts";

/** Entries of one seal; more of them get more seals. */
export const ENTRIES_OF_SEAL_MAX = 5_000;
/** Any number, the same for all workers. */
const LOCK_KEY = 7_238_402;

const ENTRY = `id, account, at, COALESCE(tx, 0) AS tx, category, level, action, message, actor, actor_name AS "actorName", actor_kind AS "actorKind", ip,
  request_id AS "requestId", job_id AS "jobId", target, status, details::text AS details, to_json(members)::text AS members`;
const SEAL = `number, sealed_at AS "sealedAt", from_tx AS "fromTx", to_tx AS "toTx", last_at AS "lastAt", to_json(ids)::text AS ids,
  to_json(ats)::text AS ats, to_json(digests)::text AS digests, previous, previous_at AS "previousAt", key_id AS "keyId", system, timeline, mac`;
const HORIZON = "outbox_xid(pg_snapshot_xmin(pg_current_snapshot()))::text::bigint";

const lockStatement = { text: `SELECT pg_advisory_xact_lock(${LOCK_KEY})` };
const lastStatement = { text: `SELECT ${SEAL} FROM account_log_seals ORDER BY number DESC LIMIT 1` };
const pageStatement = { text: `SELECT ${SEAL} FROM account_log_seals WHERE number > $1 ORDER BY number LIMIT $2` };
/** Every transaction below the horizon has ended, and this snapshot sees what it wrote. */
const unsealedStatement = {
  text: `SELECT ${ENTRY}, ${HORIZON} AS horizon FROM account_log WHERE tx >= $1 AND tx < ${HORIZON}
    ORDER BY account_log.tx, account, at, id LIMIT $2`,
};
const ofTransactionStatement = {
  text: `SELECT ${ENTRY} FROM account_log WHERE tx >= $1 AND tx < $2 ORDER BY account_log.tx, account, at, id`,
};
const clusterStatement = {
  text: `SELECT (SELECT system_identifier::text FROM pg_control_system()) AS system,
    (SELECT timeline_id FROM pg_control_checkpoint()) AS timeline`,
};
const insertStatement = {
  text: `INSERT INTO account_log_seals
    (number, sealed_at, from_tx, to_tx, last_at, ids, ats, digests, previous, previous_at, key_id, system, timeline, mac)
    VALUES ($1, $2, $3, $4, $5, $6::text[], $7::bigint[], $8::text[], $9, $10, $11, $12, $13, $14)`,
};
/** Deletes what stands before the first seal with an entry that is kept; the last one stays, so that the chain goes on. */
const deleteStatement = {
  text: `WITH allowed AS (SELECT set_config('headwater.housekeeping', 'account_log', true))
    DELETE FROM account_log_seals USING allowed WHERE number < (SELECT COALESCE(
      (SELECT min(s.number) FROM account_log_seals s WHERE s.last_at >= account_log_kept_from()),
      (SELECT max(s.number) FROM account_log_seals s)))`,
};

type StoredSeal = Omit<Seal, "ids" | "ats" | "digests"> & Readonly<Record<"ids" | "ats" | "digests", string>>;

/** Names a seal where the database cannot be changed: in the process log. */
export interface MadeSeal {
  readonly number: number;
  readonly mac: string;
  readonly entries: number;
  /** More entries wait for a seal. */
  readonly hasMore: boolean;
}

/**
 * Seals the entries whose transactions have all ended, up to some thousands, behind the last seal. Workers that seal at the same time wait for
 * one another; a kill before the commit leaves the entries to the next seal.
 * @returns undefined when there is none to seal.
 */
export async function sealEntries(
  transaction: Transaction,
  key: SealKey,
  nowMs: number,
): Promise<MadeSeal | undefined> {
  await transaction.query(lockStatement);
  const last = await readLastSeal(transaction);
  const fromTx = last?.toTx ?? 0;
  const found = await transaction.query<SealableEntry & { horizon: number }>(unsealedStatement, [
    fromTx,
    ENTRIES_OF_SEAL_MAX + 1,
  ]);
  const [first] = found;
  if (first === undefined) return undefined;
  const beyond = found[ENTRIES_OF_SEAL_MAX];
  // A transaction is never divided between two seals: one that is larger than a seal is read as a whole.
  const toTx = beyond === undefined ? first.horizon : Math.max(beyond.tx, first.tx + 1);
  const entries =
    beyond?.tx === first.tx
      ? await transaction.query<SealableEntry>(ofTransactionStatement, [fromTx, toTx])
      : found.map(({ horizon: _, ...entry }) => entry).filter(({ tx }) => tx < toTx);
  const [cluster] = await transaction.query<{ system: string; timeline: number }>(clusterStatement);
  const content = {
    number: (last?.number ?? 0) + 1,
    sealedAt: nowMs,
    fromTx,
    toTx,
    lastAt: entries.reduce((newest, { at }) => Math.max(newest, at), 0),
    ids: entries.map(({ id }) => id),
    ats: entries.map(({ at }) => at),
    digests: entries.map((entry) => digestOf(entry, key)),
    previous: last?.mac ?? "",
    previousAt: last?.sealedAt ?? 0,
    keyId: key.id,
    system: cluster?.system ?? "",
    timeline: cluster?.timeline ?? 0,
  };
  const mac = macOf(content, key);
  await insertSeal(transaction, { ...content, mac });
  return { number: content.number, mac, entries: entries.length, hasMore: beyond !== undefined };
}

async function insertSeal(session: Session, seal: Seal): Promise<void> {
  const { number, sealedAt, fromTx, toTx, lastAt, previous, previousAt, keyId, system, timeline, mac } = seal;
  const ids = textArray(seal.ids, (id) => id);
  const ats = plainArray(seal.ats, (at) => at);
  const digests = textArray(seal.digests, (digest) => digest);
  await session.execute(insertStatement, [
    ...[number, sealedAt, fromTx, toTx, lastAt],
    ...[ids, ats, digests, previous, previousAt, keyId, system, timeline, mac],
  ]);
}

/** Returns the last seal; undefined when nothing was sealed yet. */
export async function readLastSeal(session: Session): Promise<Seal | undefined> {
  const [row] = await session.query<StoredSeal>(lastStatement);
  return row && toSeal(row);
}

/** Reads seals behind a number, in their order. */
export async function pageSeals(session: Session, after: number, rowsMax: number): Promise<Seal[]> {
  return (await session.query<StoredSeal>(pageStatement, [after, rowsMax])).map(toSeal);
}

/** Reads the entries of transactions, `fromTx` included and `toTx` excluded, in the order of a seal. */
export function readSealedEntries(session: Session, { fromTx, toTx }: Seal): Promise<SealableEntry[]> {
  return session.query<SealableEntry>(ofTransactionStatement, [fromTx, toTx]);
}

/** Deletes the oldest seals, those without an entry that is kept. */
export async function deleteOldSeals(session: Session): Promise<void> {
  await session.execute(deleteStatement);
}

function toSeal({ ids, ats, digests, ...seal }: StoredSeal): Seal {
  return { ...seal, ids: JSON.parse(ids), ats: JSON.parse(ats), digests: JSON.parse(digests) };
}
