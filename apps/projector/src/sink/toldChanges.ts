import type {
  CartChangeRecord,
  ContactChangeRecord,
  MembershipChangeRecord,
  OrderChangeRecord,
  SupplementChangeRecord,
} from "@headwater/state";
import type { ErasableKey, Session } from "@headwater/stores";
import type { Codec, LogFrame } from "@headwater/topics";
import { findErasedRows } from "./erasedRows.ts";

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

/** A change with its place in the outbox: the revision of its rows. */
export interface Told {
  readonly change: Change;
  readonly position: number;
}

/** The changes of one message. @throws for a message that is not ours. */
export async function readChanges(topic: string, frame: LogFrame, codec: Pick<Codec, "decode">): Promise<Told[]> {
  const decoded = await codec.decode(frame.value);
  if (decoded.kind === "undecodable") throw new Error(`${topic} offset ${frame.offset} is not ours: ${decoded.reason}`);
  if (!isChangeFrame(decoded.value)) throw new Error(`${topic} offset ${frame.offset} holds no changes`);
  const { position, changes } = decoded.value;
  return changes.map((value) => {
    const change = readChange(topic, value);
    if (change === undefined) throw new Error(`${topic} offset ${frame.offset} holds a change of another kind`);
    return { change, position };
  });
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
export async function withoutErased(session: Session, told: readonly Told[]): Promise<readonly Told[]> {
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
  return has(value, "position", "changes") && Array.isArray(value.changes);
}
function isContact(value: unknown): value is ContactChangeRecord {
  return has(value, "cid", "fields", "contact");
}
function isMembership(value: unknown): value is MembershipChangeRecord {
  return has(value, "list", "present", "contact");
}
function isOrder(value: unknown): value is OrderChangeRecord {
  return has(value, "orderId", "order", "contact");
}
function isCart(value: unknown): value is CartChangeRecord {
  return has(value, "cart", "cartId", "contact");
}
function isRecord(value: unknown): value is SupplementChangeRecord {
  return has(value, "supplement", "record", "id");
}

/** Change records are ours and the registry's schema names them; a look at their members tells them apart. */
function has<Name extends string>(value: unknown, ...names: Name[]): value is Record<Name, unknown> {
  return typeof value === "object" && value !== null && names.every((name) => name in value);
}
