import { type ChangeEvent, readChangeEvent } from "@headwater/contracts";
import type { Session } from "@headwater/postgres/connection/session";
import type { OffsetKey } from "@headwater/postgres/streams/streamOffsets";
import type { ErasableKey } from "@headwater/records/erasures/erasedKeys";
import type { Codec, LogFrame } from "@headwater/topics";
import { type ChangePosition, changeDeadLetter } from "../quarantine/changeDeadLetter.ts";
import type { Poison } from "../quarantine/quarantine.ts";
import { findErasedRows } from "./erasedRows.ts";

/** A whole message is in Kafka; the dead letter shows how it begins. */
const DISPLAYED_BYTES_MAX = 48 * 1024;

interface ChangeFrame {
  readonly position: number;
  readonly changes: readonly unknown[];
}

/** A change with its position in the outbox, the revision of its rows, and its position in the log. */
export interface LocatedChange {
  readonly key: OffsetKey;
  readonly offset: number;
  readonly place: number;
  readonly timeMs: number;
  readonly change: ChangeEvent;
  readonly position: number;
}

export interface ReadChanges {
  readonly changes: readonly LocatedChange[];
  /** Foreign parts: the whole message, or some of its members. */
  readonly poison: readonly Poison[];
}

/** The changes of one message. @throws HeadwaterError 503, retriable, when the registry must be asked and is away. */
export async function readChanges(key: OffsetKey, frame: LogFrame, codec: Pick<Codec, "decode">): Promise<ReadChanges> {
  const decoded = await codec.decode(frame.value, key.topic);
  if (decoded.kind === "undecodable") return wholeFrame(key, frame, decoded.reason);
  if (!isChangeFrame(decoded.value)) return wholeFrame(key, frame, "the message contains no changes");
  const { position } = decoded.value;
  const { offset, timeMs } = frame;
  const changes: LocatedChange[] = [];
  const poison: Poison[] = [];
  for (const [index, value] of decoded.value.changes.entries()) {
    const change = readChangeEvent(key.topic, value);
    if (change !== undefined) changes.push({ key, offset, place: index, timeMs, change, position });
    else poison.push(poisonAt(key, { offset, place: index, timeMs, value }, "no change event of this topic"));
  }
  return { changes, poison };
}

function wholeFrame(key: OffsetKey, { offset, timeMs, value }: LogFrame, reason: string): ReadChanges {
  const beginning = value.toString("base64", 0, DISPLAYED_BYTES_MAX);
  return { changes: [], poison: [poisonAt(key, { offset, timeMs, place: -1, value: beginning }, reason)] };
}

function poisonAt(key: OffsetKey, at: ChangePosition, reason: string): Poison {
  return { offset: at.offset, place: at.place, letter: changeDeadLetter(key, at), error: new TypeError(reason) };
}

/** Leaves out what is about contacts that were erased. */
export async function withoutErased<Item extends { readonly change: ChangeEvent }>(
  session: Session,
  changes: readonly Item[],
): Promise<readonly Item[]> {
  const accounts = new Set(changes.map(({ change }) => change.value.account));
  const keys = () => changes.values().flatMap(({ change }) => keysOf(change));
  const isErased = await findErasedRows(session, accounts, keys);
  if (isErased === undefined) return changes;
  return changes.filter(({ change }) => {
    const { version } = change.value;
    return !keysOf(change).some((key) => isErased({ ...key, version }));
  });
}

/** Returns what a change is about: its contact, and what may have belonged to another one before. */
function keysOf({ kind, value }: ChangeEvent): ErasableKey[] {
  const { account, contact } = value;
  const keys: ErasableKey[] = contact === null ? [] : [{ account, kind: "contact", key: String(contact) }];
  if (kind === "order") keys.push({ account, kind, key: value.orderId });
  if (kind === "record") keys.push({ account, kind, key: `${value.supplement}:${value.id}` });
  return keys;
}

function isChangeFrame(value: unknown): value is ChangeFrame {
  return has(value, "position", "changes") && Number.isSafeInteger(value.position) && Array.isArray(value.changes);
}
function has<Name extends string>(value: unknown, ...names: Name[]): value is Record<Name, unknown> {
  return typeof value === "object" && value !== null && names.every((name) => name in value);
}
