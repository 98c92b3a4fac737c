import type { PublishedIntents } from "@headwater/contracts";
import { plainArray, textArray } from "@headwater/postgres/connection/arrays";
import type { Session, Transaction } from "@headwater/postgres/connection/session";

export interface IntentMark {
  /** System identifier of the cluster and object id of the database. */
  readonly store: string;
  readonly n: number;
  readonly token: string;
}

const insertStatement = {
  name: "intent_marks_insert",
  text: `INSERT INTO intent_marks DEFAULT VALUES RETURNING n, token, (SELECT system_identifier FROM pg_control_system()) || '/' ||
    (SELECT oid FROM pg_database WHERE datname = current_database()) AS store`,
};
/** Marks of databases that this data has never lived in are theirs; marks below the first one were deleted long ago. */
const unknownStatement = {
  name: "intent_marks_unknown",
  text: `SELECT k.place FROM unnest($1::bigint[], $2::text[], $3::text[]) WITH ORDINALITY AS k (n, token, store, place)
    WHERE k.n >= COALESCE((SELECT min(n) FROM intent_marks), 0)
      AND EXISTS (SELECT FROM store_identities i WHERE i.system_identifier || '/' || i.database = k.store)
      AND NOT EXISTS (SELECT FROM intent_marks m WHERE m.n = k.n AND m.token = k.token)`,
};
const restoreStatement = {
  text: `INSERT INTO intent_marks (n, token) OVERRIDING SYSTEM VALUE SELECT n, token FROM unnest($1::bigint[], $2::text[]) AS k (n, token)
    ON CONFLICT DO NOTHING`,
};
const sequenceStatement = {
  text: `SELECT setval(pg_get_serial_sequence('intent_marks', 'n'), GREATEST((SELECT max(n) FROM intent_marks), 1))`,
};
/** Far more than are read of Kafka at a time. */
const MARKS_STORED = 100_000;
const deleteStatement = {
  name: "intent_marks_delete",
  text: `DELETE FROM intent_marks WHERE n < (SELECT max(n) FROM intent_marks) - ${MARKS_STORED}`,
};

/** Marks the transaction that makes intents. */
export async function insertIntentMark(transaction: Transaction): Promise<IntentMark> {
  const [mark] = await transaction.query<IntentMark>(insertStatement);
  if (mark === undefined) throw new Error("an inserted row is answered");
  return mark;
}

/** Returns the published intents whose transaction Postgres does not hold. */
export async function unknownIntents<Intents extends Pick<PublishedIntents, "n" | "token" | "store">>(
  session: Session,
  published: readonly Intents[],
): Promise<Intents[]> {
  if (published.length === 0) return [];
  const rows = await session.query<{ place: number }>(unknownStatement, [
    plainArray(published, ({ n }) => n),
    textArray(published, ({ token }) => token),
    textArray(published, ({ store }) => store),
  ]);
  return rows.flatMap(({ place: position }) => published[position - 1] ?? []);
}

/** Takes the marks of lost transactions as known: a recovery has dealt with their sends. */
export async function restoreIntentMarks(
  transaction: Transaction,
  marks: readonly Pick<IntentMark, "n" | "token">[],
): Promise<void> {
  if (marks.length === 0) return;
  await transaction.execute(restoreStatement, [
    plainArray(marks, ({ n }) => n),
    textArray(marks, ({ token }) => token),
  ]);
  await transaction.execute(sequenceStatement);
}

/** @returns how many. */
export function deleteOldIntentMarks(session: Session): Promise<number> {
  return session.execute(deleteStatement);
}
