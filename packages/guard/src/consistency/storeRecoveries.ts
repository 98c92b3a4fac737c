import { plainArray, textArray } from "@headwater/postgres/connection/arrays";
import type { Session, Transaction } from "@headwater/postgres/connection/session";
import type { PublishedOffsets } from "@headwater/postgres/outbox/outbox";

/** A recovery that was begun and not ended; `plan` is its JSON text. */
export interface OpenRecovery {
  readonly epoch: number;
  readonly plan: string;
}

export interface NewRecovery {
  readonly plan: string;
  readonly reason: string;
  readonly by: string;
}

const openStatement = { text: "SELECT epoch, plan FROM store_recoveries WHERE ended_at IS NULL" };
const beginStatement = {
  text: `INSERT INTO store_recoveries (epoch, plan, reason, by) SELECT COALESCE(max(epoch), 0) + 1, $1, $2, $3 FROM store_recoveries
    RETURNING epoch, plan`,
};
/** Ids of the contacts that sends went to are needed no longer. */
const endStatement = {
  text: `UPDATE store_recoveries SET ended_at = now(), result = $2, plan = (plan::jsonb - 'sends')::json
    WHERE epoch = $1 AND ended_at IS NULL`,
};

export async function readOpenRecovery(session: Session): Promise<OpenRecovery | undefined> {
  const [open] = await session.query<OpenRecovery>(openStatement);
  return open;
}

/** @throws what `postgresFailure` calls `unique` when another one is open. */
export async function beginRecovery(session: Session, { plan, reason, by }: NewRecovery): Promise<OpenRecovery> {
  const [begun] = await session.query<OpenRecovery>(beginStatement, [plan, reason, by]);
  if (begun === undefined) throw new Error("an inserted row is answered");
  return begun;
}

/** @param result JSON text. */
export async function endRecovery(session: Session, epoch: number, result: string): Promise<void> {
  await session.execute(endStatement, [epoch, result]);
}

/** Least values that the sequences go on above. */
export interface NumbersSeen {
  readonly contact: number;
  readonly revision: number;
  readonly account: number;
}

/** Numbers passed over for transactions that are lost and that nothing outside of Postgres knows of. */
const GAP = 100_000;
const ACCOUNTS_GAP = 16;
const sequencesStatement = {
  text: `SELECT setval('contact_numbers', GREATEST((SELECT last_value FROM contact_numbers), $1::bigint) + $4::bigint) AS contact,
    setval('outbox_positions', GREATEST((SELECT last_value FROM outbox_positions), $2::bigint) + $4::bigint) AS revision,
    setval('v2_write_numbers', (SELECT last_value FROM v2_write_numbers) + $4::bigint) AS write,
    setval('merges_applied', (SELECT last_value FROM merges_applied) + $4::bigint) AS merge,
    setval(pg_get_serial_sequence('intake.accounts', 'number'),
      GREATEST((SELECT COALESCE(max(number), 0) FROM intake.accounts), $3::bigint) + $5::bigint) AS account`,
};

/** Moves every sequence above all that anybody can have been given: no number of a lost transaction is given again. */
export async function skipNumbers(
  transaction: Transaction,
  { contact, revision, account }: NumbersSeen,
): Promise<Readonly<Record<string, number>>> {
  const values = [contact, revision, account, GAP, ACCOUNTS_GAP];
  const [row] = await transaction.query<Record<string, number>>(sequencesStatement, values);
  return row ?? {};
}

const listsStatement = {
  text: `INSERT INTO lists (account, id, name, name_key, display_name, created_at, deleted_at)
    SELECT account, id, 'lost:' || id, 'deleted:' || id, 'lost:' || id, 0, 0 FROM unnest($1::int[], $2::int[]) AS k (account, id)
    WHERE EXISTS (SELECT FROM intake.accounts a WHERE a.number = k.account) ON CONFLICT DO NOTHING`,
};

/** Lists that are lost keep their ids to themselves. */
export async function reserveLists(
  transaction: Transaction,
  lists: readonly { readonly account: number; readonly list: number }[],
): Promise<void> {
  await transaction.execute(listsStatement, [
    plainArray(lists, ({ account }) => account),
    plainArray(lists, ({ list }) => list),
  ]);
}

/** Messages of a change topic that no reader applies: their transactions are lost, or they are published once more. */
export interface WithdrawnRange {
  readonly topic: string;
  readonly partition: number;
  readonly from: number;
  /** Excluded. */
  readonly to: number;
}

const withdrawStatement = {
  text: `INSERT INTO withdrawn_changes (topic, partition, from_offset, to_offset)
    SELECT * FROM unnest($1::text[], $2::int[], $3::bigint[], $4::bigint[]) ON CONFLICT DO NOTHING`,
};
const withdrawnStatement = {
  text: `SELECT topic, partition, from_offset AS "from", to_offset AS "to" FROM withdrawn_changes`,
};
const relayStatement = { text: "UPDATE relay_progress SET offsets = $1, updated_at = now() WHERE id = 1" };

export async function withdrawRanges(transaction: Transaction, ranges: readonly WithdrawnRange[]): Promise<void> {
  await transaction.execute(withdrawStatement, [
    textArray(ranges, ({ topic }) => topic),
    plainArray(ranges, ({ partition }) => partition),
    plainArray(ranges, ({ from }) => from),
    plainArray(ranges, ({ to }) => to),
  ]);
}

export function readWithdrawnRanges(session: Session): Promise<WithdrawnRange[]> {
  return session.query(withdrawnStatement);
}

/** Sets the ends that the relay's next messages come after; its position in the outbox stays. */
export async function setRelayOffsets(transaction: Transaction, offsets: PublishedOffsets): Promise<void> {
  await transaction.execute(relayStatement, [JSON.stringify(offsets)]);
}
