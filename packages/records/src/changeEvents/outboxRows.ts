import { ACTIVITIES_TOPIC, type ActivityChangeEvent, type RejectRow } from "@headwater/contracts";
import type { OutboxRow } from "@headwater/postgres/outbox/outbox";
import type { ChangeEvents } from "./toChangeEvents.ts";

const PAYLOAD_CHARACTERS_MAX = 384 * 1024;
/** A character may take three bytes, and a message has its bound. */
const DEAD_LETTER_CHARACTERS_MAX = 2 * PAYLOAD_CHARACTERS_MAX;

/** The changes of one message, as JSON texts. */
export interface ChangePiece {
  readonly topic: string;
  readonly texts: readonly string[];
}

/** The change records of a batch, cut into messages. */
export function toPieces({
  contacts,
  memberships,
  orders,
  carts,
  supplements,
  activities = [],
  rejects,
}: Records): ChangePiece[] {
  const topics = {
    "changes.contacts": contacts,
    "changes.memberships": memberships,
    "changes.orders": orders,
    "changes.carts": carts,
    "changes.supplements": supplements,
    [ACTIVITIES_TOPIC]: activities,
    deadletters: rejects.filter(({ status }) => status === "open").map(toDeadLetter),
  };
  return Object.entries(topics).flatMap(([topic, changes]) => cut(changes).map((texts) => ({ topic, texts })));
}

/**
 * The outbox rows of a batch, `{"position": revision, "changes": […]}` each. All carry the batch's revision; a row's own
 * position is what the relay orders by.
 * @param positions as many as pieces at least; the first is the revision, unless another one is given.
 */
export function toOutboxRows(
  pieces: readonly ChangePiece[],
  {
    positions,
    sourcePartition,
    revision = positions[0] ?? 0,
  }: { readonly positions: readonly number[]; readonly sourcePartition: number; readonly revision?: number },
): OutboxRow[] {
  return pieces.map(({ topic, texts }, index) => {
    return { position: positions[index] ?? revision, topic, sourcePartition, payload: payloadOf(revision, texts) };
  });
}

/** Puts the texts together once: what is joined and then enclosed is copied twice. */
function payloadOf(revision: number, texts: readonly string[]): string {
  const [first = "", ...others] = texts;
  const parts = [`{"position":${revision},"changes":[${first}`, ...others];
  parts.push(`${parts.pop()}]}`);
  return parts.join(",");
}

type Records = ChangeEvents & {
  readonly activities?: readonly ActivityChangeEvent[];
  readonly rejects: readonly RejectRow[];
};

/**
 * A refused record as other systems read it; what still waits for its contact is none yet. A payload that would not fit is null:
 * the dead letter in Postgres has it.
 */
function toDeadLetter(row: RejectRow) {
  const { account, recordId, requestId, operation, code, path, message, topic, partition, logOffset, rejectedAt } = row;
  const payload: unknown = row.payload.length > DEAD_LETTER_CHARACTERS_MAX ? null : JSON.parse(row.payload);
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

/** A contact with very many members is emitted as several change events of some members each: together they say the same. */
export function toChangeTexts(change: object): string[] {
  const text = JSON.stringify(change);
  if (text.length <= PAYLOAD_CHARACTERS_MAX || !hasManyFields(change)) return [text];
  const middle = change.fields.length >> 1;
  const halves = [change.fields.slice(0, middle), change.fields.slice(middle)];
  return halves.flatMap((fields) => toChangeTexts({ ...change, fields }));
}

function hasManyFields(change: object): change is { readonly fields: readonly unknown[] } {
  return "fields" in change && Array.isArray(change.fields) && change.fields.length > 1;
}

/** Pieces of at most the payload's bound; a change that is greater is a piece of its own. */
function cut(changes: Iterable<object>): string[][] {
  const pieces: string[][] = [];
  let piece: string[] = [];
  let capacity = 0;
  for (const change of changes) {
    for (const text of toChangeTexts(change)) {
      if (text.length > capacity) {
        piece = [];
        pieces.push(piece);
        capacity = PAYLOAD_CHARACTERS_MAX;
      }
      piece.push(text);
      capacity -= text.length;
    }
  }
  return pieces;
}
