import { classifyFailure } from "@headwater/kernel";
import type { OutboxRow } from "@headwater/postgres/outbox/outbox";
import { toChangeTexts } from "@headwater/records/changeEvents/outboxRows";
import { expectPublishable, OUTBOX_POSITION_HEADER, type RawMessage, topicNamed } from "@headwater/topics";

/** Puts the registry's schema id before the JSON text of a change frame. */
export type Encode = (topic: string, payload: string) => Buffer;

/** A change event that can never be published, or a whole row of which none can be read. */
export interface PoisonChange {
  readonly row: OutboxRow;
  /** Position of the change in its row; -1 = the whole row. */
  readonly place: number;
  readonly value: unknown;
  readonly error: unknown;
}

export interface RelayMessages {
  /** Messages in the order of the rows. */
  readonly messages: readonly RawMessage[];
  readonly poison: readonly PoisonChange[];
}

/** A row with the transaction it stands in the outbox by. */
type LocatedRow = OutboxRow & { readonly xid?: string };

/** Messages of outbox rows. One that is too large for a message is split into its changes; what is left of it is poison. */
export function toMessages(encode: Encode, rows: readonly LocatedRow[]): RelayMessages {
  const messages: RawMessage[] = [];
  const poison: PoisonChange[] = [];
  for (const row of rows) {
    const whole = attempt(() => toMessage(encode, row, row.payload));
    if (!("error" in whole)) messages.push(whole);
    else splitRow(encode, row, { messages, poison, error: whole.error });
  }
  return { messages, poison };
}

interface Split {
  readonly messages: RawMessage[];
  readonly poison: PoisonChange[];
  readonly error: unknown;
}

function splitRow(encode: Encode, row: LocatedRow, { messages, poison, error }: Split): void {
  const frame = attempt(() => parseFrame(row.payload));
  if ("error" in frame) {
    poison.push({ row, place: -1, value: row.payload.slice(0, DISPLAYED_CHARACTERS_MAX), error });
    return;
  }
  for (const [index, value] of frame.changes.entries()) {
    const created = attempt(() =>
      textsOf(value).map((text) => toMessage(encode, row, `{"position":${frame.position},"changes":[${text}]}`)),
    );
    if ("error" in created) poison.push({ row, place: index, value: visibleOf(value), error: created.error });
    else messages.push(...created);
  }
}

/** @returns what it makes, or the error that shows it to be poison. @throws all others. */
function attempt<Created extends object>(make: () => Created): Created | { readonly error: unknown } {
  try {
    return make();
  } catch (error) {
    if (classifyFailure(error) !== "poison") throw error;
    return { error };
  }
}

function toMessage(encode: Encode, row: LocatedRow, payload: string): RawMessage {
  const { topic, sourcePartition, xid, position } = row;
  const partition = sourcePartition % topicNamed(topic).partitions;
  const value = encode(topic, payload);
  expectPublishable(topic, value);
  const message = { topic, partition, key: String(sourcePartition), value };
  // After a loss Postgres is asked whether it knows the position: a change event it does not know was lost with its transaction.
  return xid === undefined ? message : { ...message, headers: { [OUTBOX_POSITION_HEADER]: `${xid}/${position}` } };
}

/** Characters that a dead letter shows of a row nobody can read, or of a change that is far too large: all of it is what Postgres holds as state. */
const DISPLAYED_CHARACTERS_MAX = 64 * 1024;

function parseFrame(payload: string): { readonly position: number; readonly changes: readonly unknown[] } {
  const value: unknown = JSON.parse(payload);
  if (typeof value === "object" && value !== null && "position" in value && "changes" in value) {
    const { position, changes } = value;
    if (Number.isSafeInteger(position) && typeof position === "number" && Array.isArray(changes)) {
      return { position, changes };
    }
  }
  throw new TypeError("the row contains no changes");
}

function textsOf(value: unknown): string[] {
  return typeof value === "object" && value !== null ? toChangeTexts(value) : [JSON.stringify(value)];
}

/** Its members that are short: whose change it is, of what and in which version. */
function visibleOf(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).filter(([, member]) => isShort(member)));
}

const SHORT_CHARACTERS_MAX = 1_024;

function isShort(member: unknown): boolean {
  if (typeof member === "string") return member.length <= SHORT_CHARACTERS_MAX;
  return typeof member !== "object" || member === null;
}
