import type { OutboxRow, RejectRow } from "@headwater/stores";
import type { ChangeRecords } from "./changeRecords.ts";

const PAYLOAD_CHARACTERS_MAX = 384 * 1024;

/**
 * The change frames of a batch as outbox rows, `{"position": revision, "changes": […]}` each. All carry the batch's
 * revision; a row's own position is what the relay orders by.
 */
export function toOutboxRows(
  records: Records,
  { revision, sourcePartition }: { readonly revision: number; readonly sourcePartition: number },
): Omit<OutboxRow, "position">[] {
  const rows: Omit<OutboxRow, "position">[] = [];
  for (const [topic, changes] of Object.entries(topicsOf(records))) {
    for (const texts of cut(changes.flatMap(toTexts))) {
      const payload = `{"position":${revision},"changes":[${texts.join(",")}]}`;
      rows.push({ topic, sourcePartition, payload });
    }
  }
  return rows;
}

type Records = ChangeRecords & { readonly rejects: readonly RejectRow[] };

function topicsOf(records: Records): Readonly<Record<string, readonly object[]>> {
  return {
    "changes.contacts": records.contacts,
    "changes.memberships": records.memberships,
    "changes.orders": records.orders,
    "changes.carts": records.carts,
    "changes.supplements": records.supplements,
    deadletters: records.rejects.filter(({ status }) => status === "open").map(toDeadLetter),
  };
}

/** A refused record as other systems read it; what still waits for its contact is none yet. */
function toDeadLetter(row: RejectRow) {
  const { account, recordId, requestId, operation, code, path, message, topic, partition, logOffset, rejectedAt } = row;
  const payload: unknown = JSON.parse(row.payload);
  return {
    account,
    recordId,
    requestId,
    operation,
    code,
    path,
    message,
    topic,
    partition,
    offset: logOffset,
    rejectedAt,
    payload,
  };
}

/** A contact with very many members is told in several changes of some members each: together they say the same. */
function toTexts(change: object): string[] {
  const text = JSON.stringify(change);
  if (text.length <= PAYLOAD_CHARACTERS_MAX || !hasManyFields(change)) return [text];
  const middle = change.fields.length >> 1;
  const halves = [change.fields.slice(0, middle), change.fields.slice(middle)];
  return halves.flatMap((fields) => toTexts({ ...change, fields }));
}

function hasManyFields(change: object): change is { readonly fields: readonly unknown[] } {
  return "fields" in change && Array.isArray(change.fields) && change.fields.length > 1;
}

/** Pieces of at most the payload's bound; a change that is greater is a piece of its own. */
function cut(texts: readonly string[]): string[][] {
  const pieces: string[][] = [];
  let room = 0;
  for (const text of texts) {
    const last = pieces[pieces.length - 1];
    if (last === undefined || text.length > room) {
      pieces.push([text]);
      room = PAYLOAD_CHARACTERS_MAX - text.length;
    } else {
      last.push(text);
      room -= text.length;
    }
  }
  return pieces;
}
