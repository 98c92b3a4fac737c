import { plainArray, textArray } from "@headwater/postgres/connection/arrays";
import type { Session, Transaction } from "@headwater/postgres/connection/session";
import { z } from "zod";
import type { Positions } from "../orchestrations/run.ts";
import type { Entries } from "../orchestrations/start.ts";

/** Names the entries of a contact into an orchestration under one key. */
export interface EntryKey {
  readonly account: number;
  readonly orchestration: string;
  readonly contact: number;
  /** JSON text of the key; empty without one. */
  readonly key: string;
}

export interface StoredEntries extends EntryKey {
  readonly entries: Entries;
}

interface EntryRow extends EntryKey {
  readonly enteredAt: number | null;
  /** JSON text. */
  readonly positions: string;
}

const KEYS = "unnest($1::int[], $2::text[], $3::bigint[], $4::text[])";
/** The update changes nothing: it locks what is there, in the order of the keys. */
const lockStatement = {
  name: "orchestration_entries_lock",
  text: `INSERT INTO orchestration_entries AS e (account, orchestration, contact, key, positions)
    SELECT account, orchestration, contact, key, '{}' FROM ${KEYS} AS k (account, orchestration, contact, key) ORDER BY 1, 2, 3, 4
    ON CONFLICT (account, orchestration, contact, key) DO UPDATE SET positions = e.positions
    RETURNING account, orchestration, contact, key, entered_at AS "enteredAt", positions`,
};
const storeStatement = {
  name: "orchestration_entries_store",
  text: `UPDATE orchestration_entries e SET entered_at = k.entered_at, positions = k.positions
    FROM unnest($1::int[], $2::text[], $3::bigint[], $4::text[], $5::bigint[], $6::text[])
      AS k (account, orchestration, contact, key, entered_at, positions)
    WHERE (e.account, e.orchestration, e.contact, e.key) = (k.account, k.orchestration, k.contact, k.key)`,
};
const liveStatement = {
  name: "orchestration_runs_live",
  text: `SELECT r.account, r.id FROM ${KEYS} AS k (account, orchestration, contact, key)
    JOIN orchestration_runs r ON (r.account, r.contact, r.orchestration, r.key) = (k.account, k.contact, k.orchestration, k.key)
    WHERE r.state IN ('entering', 'waiting')`,
};
const ofContactsStatement = {
  name: "orchestration_entries_take",
  text: `DELETE FROM orchestration_entries e USING unnest($1::int[], $2::bigint[]) AS k (account, contact)
    WHERE (e.account, e.contact) = (k.account, k.contact)
    RETURNING e.account, e.orchestration, e.contact, e.key, e.entered_at AS "enteredAt", e.positions`,
};

const positionsShape = z.record(z.string(), z.int());

/** Locks entries, which are made where there are none: of two starts of one contact and key the second waits for the first. */
export async function lockEntries(transaction: Transaction, keys: readonly EntryKey[]): Promise<StoredEntries[]> {
  return keys.length === 0 ? [] : toEntries(await transaction.query<EntryRow>(lockStatement, keyArrays(keys)));
}

/** Returns the runs on their way of some contacts and keys. The entries are locked. */
export function readLiveRuns(session: Session, keys: readonly EntryKey[]): Promise<{ account: number; id: string }[]> {
  return keys.length === 0 ? Promise.resolve([]) : session.query(liveStatement, keyArrays(keys));
}

/** Stores locked entries. */
export async function storeEntries(transaction: Transaction, rows: readonly StoredEntries[]): Promise<void> {
  if (rows.length === 0) return;
  await transaction.execute(storeStatement, [
    ...keyArrays(rows),
    plainArray(rows, ({ entries }) => entries.enteredAt ?? null),
    textArray(rows, ({ entries }) => JSON.stringify(entries.positions)),
  ]);
}

/** Takes the entries of contacts away, to be joined with those of others. */
export async function takeEntries(
  transaction: Transaction,
  contacts: readonly Pick<EntryKey, "account" | "contact">[],
): Promise<StoredEntries[]> {
  if (contacts.length === 0) return [];
  const accounts = plainArray(contacts, ({ account }) => account);
  return toEntries(
    await transaction.query<EntryRow>(ofContactsStatement, [accounts, plainArray(contacts, ({ contact }) => contact)]),
  );
}

function keyArrays(keys: readonly EntryKey[]): string[] {
  return [
    plainArray(keys, ({ account }) => account),
    textArray(keys, ({ orchestration }) => orchestration),
    plainArray(keys, ({ contact }) => contact),
    textArray(keys, ({ key }) => key),
  ];
}

function toEntries(rows: readonly EntryRow[]): StoredEntries[] {
  return rows.map(({ enteredAt, positions: text, ...key }) => {
    const positions: Positions = positionsShape.parse(JSON.parse(text));
    return { ...key, entries: { ...(enteredAt !== null && { enteredAt }), positions } };
  });
}
