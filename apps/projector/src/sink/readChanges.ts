import type {
  CartChangeRecord,
  ContactChangeRecord,
  MembershipChangeRecord,
  OrderChangeRecord,
  SupplementChangeRecord,
} from "@headwater/projection";
import type { ErasableKey, OffsetKey, Session } from "@headwater/stores";
import type { Codec, LogFrame } from "@headwater/topics";
import { type ChangePlace, changeLetter } from "../quarantine/changeLetter.ts";
import type { Poison } from "../quarantine/quarantine.ts";
import { findErasedRows } from "./erasedRows.ts";

/** A whole message is in Kafka; the letter shows how it begins. */
const SHOWN_BYTES_MAX = 48 * 1024;

interface ChangeFrame {
  readonly position: number;
  readonly changes: readonly unknown[];
}

/** One change as its topic tells it. */
export type Change =
  | { readonly kind: "contact"; readonly value: ContactChangeRecord }
  | { readonly kind: "membership"; readonly value: MembershipChangeRecord }
  | { readonly kind: "order"; readonly value: OrderChangeRecord }
  | { readonly kind: "cart"; readonly value: CartChangeRecord }
  | { readonly kind: "record"; readonly value: SupplementChangeRecord };

/** A change with its place in the outbox, the revision of its rows, and its place in the log. */
export interface PlacedChange {
  readonly key: OffsetKey;
  readonly offset: number;
  readonly place: number;
  readonly timeMs: number;
  readonly change: Change;
  readonly position: number;
}

export interface ReadChanges {
  readonly told: readonly PlacedChange[];
  /** What is not ours: the whole message, or some of its members. */
  readonly poison: readonly Poison[];
}

/** The changes of one message. @throws HeadwaterError 503, retriable, when the registry must be asked and is away. */
export async function readChanges(key: OffsetKey, frame: LogFrame, codec: Pick<Codec, "decode">): Promise<ReadChanges> {
  const decoded = await codec.decode(frame.value);
  if (decoded.kind === "undecodable") return wholeFrame(key, frame, decoded.reason);
  if (!isChangeFrame(decoded.value)) return wholeFrame(key, frame, "the message holds no changes");
  const { position, changes } = decoded.value;
  const { offset, timeMs } = frame;
  const told: PlacedChange[] = [];
  const poison: Poison[] = [];
  for (const [place, value] of changes.entries()) {
    const change = readChange(key.topic, value);
    if (change !== undefined) told.push({ key, offset, place, timeMs, change, position });
    else poison.push(poisonAt(key, { offset, place, timeMs, value }, "a change of another kind"));
  }
  return { told, poison };
}

function wholeFrame(key: OffsetKey, { offset, timeMs, value }: LogFrame, reason: string): ReadChanges {
  const beginning = value.toString("base64", 0, SHOWN_BYTES_MAX);
  return { told: [], poison: [poisonAt(key, { offset, timeMs, place: -1, value: beginning }, reason)] };
}

function poisonAt(key: OffsetKey, at: ChangePlace, reason: string): Poison {
  return { offset: at.offset, place: at.place, letter: changeLetter(key, at), error: new TypeError(reason) };
}

function readChange(topic: string, value: unknown): Change | undefined {
  if (topic === "changes.contacts" && isContact(value)) return { kind: "contact", value };
  if (topic === "changes.memberships" && isMembership(value)) return { kind: "membership", value };
  if (topic === "changes.orders" && isOrder(value)) return { kind: "order", value };
  if (topic === "changes.carts" && isCart(value)) return { kind: "cart", value };
  if (topic === "changes.supplements" && isRecord(value)) return { kind: "record", value };
  return undefined;
}

/** Leaves out what is about contacts that were erased. */
export async function withoutErased<Item extends { readonly change: Change }>(
  session: Session,
  told: readonly Item[],
): Promise<readonly Item[]> {
  const accounts = new Set(told.map(({ change }) => change.value.account));
  const keys = () => told.values().flatMap(({ change }) => keysOf(change));
  const isErased = await findErasedRows(session, accounts, keys);
  if (isErased === undefined) return told;
  return told.filter(({ change }) => {
    const { version } = change.value;
    return !keysOf(change).some((key) => isErased({ ...key, version }));
  });
}

/** What a change is about: its contact, and what may have belonged to another one before. */
function keysOf({ kind, value }: Change): ErasableKey[] {
  const { account, contact } = value;
  const keys: ErasableKey[] = contact === null ? [] : [{ account, kind: "contact", key: String(contact) }];
  if (kind === "order") keys.push({ account, kind, key: value.orderId });
  if (kind === "record") keys.push({ account, kind, key: `${value.supplement}:${value.id}` });
  return keys;
}

function isChangeFrame(value: unknown): value is ChangeFrame {
  return has(value, "position", "changes") && Number.isSafeInteger(value.position) && Array.isArray(value.changes);
}
function isContact(value: unknown): value is ContactChangeRecord {
  return has(value, "cid", "fields", "contact") && Array.isArray(value.fields) && isRow(value);
}
function isMembership(value: unknown): value is MembershipChangeRecord {
  return has(value, "list", "present", "contact") && isRow(value);
}
function isOrder(value: unknown): value is OrderChangeRecord {
  return has(value, "orderId", "order", "contact") && isRow(value);
}
function isCart(value: unknown): value is CartChangeRecord {
  return has(value, "cart", "cartId", "contact") && isRow(value);
}
function isRecord(value: unknown): value is SupplementChangeRecord {
  return has(value, "supplement", "record", "id") && isRow(value);
}

/** Everything that is written to ClickHouse names its account and its version. */
function isRow(value: unknown): boolean {
  if (!has(value, "account", "version")) return false;
  const { account, version } = value;
  return typeof account === "number" && Number.isInteger(account) && typeof version === "string";
}

/** Change records are ours and the registry's schema names them; a look at their members tells them apart. */
function has<Name extends string>(value: unknown, ...names: Name[]): value is Record<Name, unknown> {
  return typeof value === "object" && value !== null && names.every((name) => name in value);
}
