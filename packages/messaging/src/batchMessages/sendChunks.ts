import { plainArray, textArray } from "@headwater/postgres/connection/arrays";
import type { Session, Transaction } from "@headwater/postgres/connection/session";
import type { BatchMessageKey } from "./batchMessages.ts";

/** Contacts of a chunk. */
export const CHUNK_CONTACTS = 1_000;

export interface SendChunk {
  readonly n: number;
  /** IANA name for a send in the contacts' zones. */
  readonly zone: string | null;
  /** Milliseconds since 1970. */
  readonly dueAt: number;
  /** Nobody of it is sent to until the message's champion was decided. */
  readonly waits: boolean;
  readonly contacts: readonly number[];
}

const insertStatement = {
  name: "send_chunks_insert",
  text: `INSERT INTO send_chunks (account, message, n, zone, due_at, priority, contacts, waits)
    SELECT $1, $2, n, zone, due_at, $3, contacts::bigint[], waits
    FROM unnest($4::int[], $5::text[], $6::bigint[], $7::text[], $8::boolean[]) AS c (n, zone, due_at, contacts, waits)`,
};
const lastStatement = {
  name: "send_chunks_last",
  text: `SELECT COALESCE(max(n), -1) AS last, COALESCE(sum(cardinality(contacts)), 0)::bigint AS contacts,
      COALESCE(sum(cardinality(contacts)) FILTER (WHERE waits), 0)::bigint AS waiting
    FROM send_chunks WHERE account = $1 AND message = $2`,
};
const oldStatement = {
  name: "send_chunks_old",
  text: `SELECT n, zone, due_at AS "dueAt", waits, array_to_json(contacts)::text AS contacts FROM send_chunks
    WHERE account = $1 AND message = $2 AND n < $3 ORDER BY n LIMIT $4`,
};
const deleteStatement = {
  name: "send_chunks_drop",
  text: "DELETE FROM send_chunks WHERE account = $1 AND message = $2 AND n = ANY ($3::int[])",
};
const knownStatement = {
  name: "send_chunks_known",
  text: `SELECT contact FROM sends WHERE account = $1 AND message = $2 AND contact = ANY ($3::bigint[]) AND kind = 'b'`,
};
/** Contacts that are gone have no cID any more: their row says who was meant by the number alone. */
const expandStatement = {
  name: "send_chunks_expand",
  text: `WITH due AS (
      SELECT n FROM send_chunks WHERE account = $1 AND message = $2 AND due_at <= $3 AND ($10 OR NOT waits)
      ORDER BY due_at, n LIMIT $4),
    taken AS (
      DELETE FROM send_chunks c USING due WHERE c.account = $1 AND c.message = $2 AND c.n = due.n
      RETURNING c.contacts, c.priority, c.due_at),
    contact AS (SELECT unnest(contacts) AS number, priority, due_at FROM taken),
    found AS (
      SELECT contact.number, contact.priority, contact.due_at, c.cid FROM contact
        LEFT JOIN contacts asked ON asked.account = $1 AND asked.number = contact.number
        LEFT JOIN contacts c ON c.account = $1 AND c.number = COALESCE(asked.merged_into, asked.number))
    INSERT INTO sends (account, message, contact, n, kind, cid, channel, classification, priority, state, reason, resends_left,
        created_at, due_at, at)
      SELECT $1, $2, number, 1, 'b', COALESCE(cid, ''), $5, $6, priority,
        CASE WHEN $8::text IS NOT NULL OR cid IS NULL THEN 'skipped' ELSE 'pending' END,
        CASE WHEN $8::text IS NOT NULL THEN $8 WHEN cid IS NULL THEN 'erased' END, $7, $9, due_at, $9
      FROM found ORDER BY number
    ON CONFLICT (account, message, contact, n) DO NOTHING`,
};
const releaseStatement = {
  name: "send_chunks_release",
  text: "UPDATE send_chunks SET waits = false WHERE account = $1 AND message = $2 AND waits",
};
const skipStatement = {
  name: "send_chunks_skip",
  text: `INSERT INTO sends (account, message, contact, n, kind, cid, channel, classification, priority, state, reason, resends_left,
        created_at, due_at, at)
      SELECT $1, $2, asked.number, 1, 'b', COALESCE(c.cid, ''), $4, $5, 2, 'skipped', $6, 0, $7, $7, $7
      FROM unnest($3::bigint[]) AS asked (number) LEFT JOIN contacts c ON c.account = $1 AND c.number = asked.number
      ORDER BY asked.number
    ON CONFLICT (account, message, contact, n) DO NOTHING`,
};

interface ChunksOf extends BatchMessageKey {
  /** 1 to 4, the highest goes first. */
  readonly priority: number;
}

export async function insertChunks(
  transaction: Transaction,
  { account, id, priority }: ChunksOf,
  chunks: readonly SendChunk[],
): Promise<void> {
  if (chunks.length === 0) return;
  await transaction.execute(insertStatement, [
    account,
    id,
    priority,
    plainArray(chunks, ({ n }) => n),
    textArray(chunks, ({ zone }) => zone),
    plainArray(chunks, ({ dueAt }) => dueAt),
    textArray(chunks, ({ contacts }) => plainArray(contacts, (contact) => contact)),
    plainArray(chunks, ({ waits }) => waits),
  ]);
}

export interface ChunkTotals {
  /** Number of the last chunk; -1 when there is none. */
  readonly last: number;
  readonly contacts: number;
  /** Contacts of them that wait for a champion. */
  readonly waiting: number;
}

/** Adds up the chunks of a message that are still to be sent to. */
export async function readChunkTotals(session: Session, { account, id }: BatchMessageKey): Promise<ChunkTotals> {
  const [row] = await session.query<ChunkTotals>(lastStatement, [account, id]);
  return row ?? { last: -1, contacts: 0, waiting: 0 };
}

/** Returns chunks of earlier snapshots: those with a lower number. */
export async function readOldChunks(
  session: Session,
  { account, id, below, rowsMax }: BatchMessageKey & { readonly below: number; readonly rowsMax: number },
): Promise<SendChunk[]> {
  const rows = await session.query<Omit<SendChunk, "contacts"> & { contacts: string }>(oldStatement, [
    ...[account, id, below],
    rowsMax,
  ]);
  return rows.map(({ contacts, ...chunk }) => {
    const numbers: number[] = JSON.parse(contacts);
    return { ...chunk, contacts: numbers };
  });
}

export async function deleteChunks(
  transaction: Transaction,
  { account, id }: BatchMessageKey,
  numbers: readonly number[],
): Promise<void> {
  if (numbers.length === 0) return;
  await transaction.execute(deleteStatement, [account, id, plainArray(numbers, (n) => n)]);
}

/** Returns the contacts that have a row of the message in `sends`. */
export async function contactsWithRow(
  session: Session,
  { account, id }: BatchMessageKey,
  contacts: readonly number[],
): Promise<Set<number>> {
  const values = [account, id, plainArray(contacts, (contact) => contact)];
  const rows = await session.query<{ contact: number }>(knownStatement, values);
  return new Set(rows.map(({ contact }) => contact));
}

/** Facts of a message that rows of its sends keep. */
export interface ExpandedAs {
  readonly channel: string;
  readonly classification: "promotional" | "transactional";
  /** Times that a send may go out again after an answer was lost. */
  readonly resendsLeft: number;
  /** Given where nobody is to get it any more: why. */
  readonly skipped?: string;
}

/** Lets the contacts that waited for a champion be sent to. */
export async function releaseChunks(transaction: Transaction, { account, id }: BatchMessageKey): Promise<void> {
  await transaction.execute(releaseStatement, [account, id]);
}

/** Makes wanted sends of the contacts of due chunks, which go. @returns how many rows were new. */
export function expandChunks(
  transaction: Transaction,
  { account, id, dueBy, nowMs, chunksMax, withWaiting }: DueChunks,
  { channel, classification, resendsLeft, skipped }: ExpandedAs,
): Promise<number> {
  const how = [channel, classification, resendsLeft, skipped ?? null];
  return transaction.execute(expandStatement, [account, id, dueBy, chunksMax, ...how, nowMs, withWaiting]);
}

interface DueChunks extends BatchMessageKey {
  /** Milliseconds since 1970: chunks that are due later stay. */
  readonly dueBy: number;
  readonly nowMs: number;
  readonly chunksMax: number;
  /** Takes chunks that wait for a champion as well. */
  readonly withWaiting: boolean;
}

/** Stores that contacts of a message's audience do not get it. */
export async function skipContacts(
  transaction: Transaction,
  { account, id, nowMs }: BatchMessageKey & { readonly nowMs: number },
  { contacts, channel, classification, reason }: SkippedContacts,
): Promise<void> {
  if (contacts.length === 0) return;
  const numbers = plainArray(contacts, (contact) => contact);
  await transaction.execute(skipStatement, [account, id, numbers, channel, classification, reason, nowMs]);
}

export interface SkippedContacts extends Pick<ExpandedAs, "channel" | "classification"> {
  readonly contacts: readonly number[];
  readonly reason: string;
}
