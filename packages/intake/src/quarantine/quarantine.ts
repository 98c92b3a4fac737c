import type { RejectRow } from "@headwater/contracts";
import { storableText } from "@headwater/kernel";
import type { Transaction } from "@headwater/postgres/connection/session";
import { appendOutbox } from "@headwater/postgres/outbox/outbox";
import type { OffsetKey } from "@headwater/postgres/streams/streamOffsets";
import { toOutboxRows, toPieces } from "@headwater/records/changeEvents/outboxRows";
import { takeOutboxPositions } from "@headwater/records/contacts/sequences";
import { addOutcomeCounts } from "../accounting/accounting.ts";
import { insertQuarantined } from "../deadLetters/quarantine.ts";
import { noteRedriveFailed, upsertRejects } from "../deadLetters/rejects.ts";
import { hourOf } from "../state/outcomeCounts.ts";
import { deadLetterPayload } from "./deadLetterPayload.ts";

/** Dead letter of a record or change event that a group cannot write. */
export interface Mail {
  /** 0 = the account cannot be known. */
  readonly account: number;
  readonly recordId: string;
  readonly requestId: string;
  readonly itemIndex: number;
  /** Operation of the record; the topic for a change event. */
  readonly operation: string;
  readonly version: string;
  readonly receivedAt: number;
  readonly payload: unknown;
  /** The record was a person's redrive of this one. */
  readonly redriveOf?: string | undefined;
}

/** A poison record or change event, at its position in the log. */
export interface Poison {
  readonly offset: number;
  /** Position in its message; -1 = the whole message. */
  readonly place: number;
  readonly letter: Mail;
  readonly error: unknown;
}

export interface Quarantining {
  readonly nowMs: number;
  /** `state` counted these records as applied: they are rejected now. */
  readonly wereApplied?: boolean;
}

/**
 * Quarantines in the caller's transaction: the position, so that the group leaves it out in every replay; the dead letter, in
 * Postgres and on its topic; and the accounting. A position that is quarantined already changes nothing.
 * @returns those that were not quarantined before.
 */
export async function quarantine(
  transaction: Transaction,
  key: OffsetKey,
  poison: readonly Poison[],
  { nowMs, wereApplied = false }: Quarantining,
): Promise<readonly Poison[]> {
  const inserted = await insertQuarantined(transaction, key, { places: poison, at: nowMs });
  const places = new Set(inserted.map(({ offset, place: position }) => `${offset}:${position}`));
  const fresh = poison.filter(({ offset, place }) => places.has(`${offset}:${place}`));
  const rows = fresh.map((one) => toRejectRow(key, one, nowMs));
  await storeDeadLetters(transaction, rows, key.partition);
  if (wereApplied) await countAsRejected(transaction, key, { rows, nowMs });
  return fresh;
}

/** Stores dead letters and puts them on their topic. */
export async function storeDeadLetters(
  transaction: Transaction,
  rows: readonly RejectRow[],
  sourcePartition: number,
): Promise<void> {
  if (rows.length === 0) return;
  const none = { contacts: [], memberships: [], orders: [], carts: [], supplements: [] };
  const pieces = toPieces({ ...none, rejects: rows });
  const positions = await takeOutboxPositions(transaction, Math.max(1, pieces.length));
  await upsertRejects(transaction, rows);
  await appendOutbox(transaction, toOutboxRows(pieces, { positions, sourcePartition }));
}

export function toRejectRow(
  { group, topic, partition }: Pick<OffsetKey, "group" | "topic" | "partition">,
  { offset, place, letter: deadLetter, error }: Poison,
  nowMs: number,
): RejectRow {
  const { payload, redriveOf, ...known } = deadLetter;
  return {
    ...known,
    topic,
    partition,
    logOffset: offset,
    place: Math.max(0, place),
    status: "open",
    code: "INTERNAL_ERROR",
    path: "",
    message: `The record hit an internal error. Operators have been alerted. Group ${group}: ${reasonOf(error)}.`,
    payload: deadLetterPayload(payload),
    rejectedAt: nowMs,
    attempts: 0,
    dueAt: null,
    quarantinedBy: group,
    ...(redriveOf === undefined ? {} : { redriveOf }),
  };
}

const REASON_CHARACTERS_MAX = 200;

/** Our own errors in their words; what a store says of a row may repeat the row, and is in the log alone. */
export function reasonOf(error: unknown): string {
  const isOurs = error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError;
  return isOurs ? storableText(error.message.slice(0, REASON_CHARACTERS_MAX)) : "a store rejected its data";
}

async function countAsRejected(
  transaction: Transaction,
  key: OffsetKey,
  { rows, nowMs }: { readonly rows: readonly RejectRow[]; readonly nowMs: number },
): Promise<void> {
  const counts = new Map<string, { account: number; hour: number; operation: string; applied: number }>();
  for (const { account, receivedAt, operation } of rows) {
    const hour = hourOf(receivedAt);
    const name = `${account} ${hour} ${operation}`;
    const count = counts.get(name) ?? { account, hour, operation, applied: 0 };
    counts.set(name, count);
    count.applied -= 1;
  }
  const taken = [...counts.values()].map((count) => ({ ...count, skipped: 0, copies: 0 }));
  await addOutcomeCounts(transaction, key, taken);
  const redriven = rows.flatMap(({ account, redriveOf }) =>
    redriveOf === undefined ? [] : [{ account, recordId: redriveOf }],
  );
  await noteRedriveFailed(transaction, redriven, nowMs);
}
