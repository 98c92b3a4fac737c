/** A plain world for audience tests: what was written, in full, and what follows from it now. */

export type Value = string | number | boolean | null | readonly Value[] | { readonly [name: string]: Value };

export interface FieldWrite {
  readonly contact: number;
  readonly field: string;
  readonly value: Value;
  readonly at: number;
}

export interface MembershipWrite {
  readonly list: number;
  readonly contact: number;
  readonly present: boolean;
  readonly joinedAt: number;
  readonly at: number;
}

export interface OrderWrite {
  readonly orderId: string;
  readonly contact: number;
  readonly purchasedAt: number;
  readonly status: string;
  readonly currency: string;
  /** Ten-thousandths. */
  readonly total: bigint;
  readonly items: readonly Readonly<Record<string, Value>>[];
  readonly properties: Readonly<Record<string, Value>>;
  readonly deleted: boolean;
  readonly at: number;
}

export interface Activity {
  readonly contact: number;
  readonly action: string;
  readonly time: number;
  readonly ingested: number;
  readonly uid: string;
  readonly mcId: string;
  readonly properties: Readonly<Record<string, Value>>;
  readonly geo?: Path | undefined;
  readonly device?: Readonly<Record<string, Value>> | undefined;
}

export interface Path {
  readonly city?: string | undefined;
  readonly country?: string | undefined;
  readonly geoLoc?: { readonly lat: number; readonly lon: number } | undefined;
}

export interface CartWrite {
  readonly contact: number;
  readonly cartId: string;
  readonly expiresAt: number | null;
  /** Ten-thousandths. */
  readonly total: bigint | null;
  readonly items: readonly Readonly<Record<string, Value>>[];
  readonly at: number;
}

export interface RecordWrite {
  /** The table's number. */
  readonly table: number;
  readonly id: string;
  /** 0 where the record belongs to nobody. */
  readonly contact: number;
  readonly fields: Readonly<Record<string, Value>>;
  readonly deleted: boolean;
  readonly at: number;
}

export interface Table {
  readonly id: number;
  readonly key: string;
  readonly isLinked: boolean;
  readonly clearedAt?: readonly number[];
}

export interface Contact {
  readonly number: number;
  readonly cid: string;
  readonly createdAt: number;
  readonly modifiedAt: number;
  readonly deleted: boolean;
}

export interface World {
  readonly contacts: readonly Contact[];
  /** Merged number → survivor. */
  readonly aliases: ReadonlyMap<number, number>;
  readonly lists: readonly { readonly id: number; readonly name: string; readonly clearedAt?: readonly number[] }[];
  readonly fields: readonly FieldWrite[];
  /** Times at which an attribute was deleted, by path. */
  readonly cleared?: Readonly<Record<string, readonly number[]>>;
  readonly memberships: readonly MembershipWrite[];
  readonly orders: readonly OrderWrite[];
  readonly activities: readonly Activity[];
  readonly carts?: readonly CartWrite[];
  readonly tables?: readonly Table[];
  readonly records?: readonly RecordWrite[];
}

export function survivorOf(world: World, contact: number): number {
  return world.aliases.get(contact) ?? contact;
}

/** Versions in these worlds: the time of the write; equal times do not happen for one member. */
export function versionAt(at: number): string {
  return at.toString(16).padStart(11, "0").padEnd(32, "0");
}

export function formatTenThousandths(total: bigint): string {
  const sign = total < 0n ? "-" : "";
  const digits = (total < 0n ? -total : total).toString().padStart(5, "0");
  return `${sign}${digits.slice(0, -4)}.${digits.slice(-4)}`;
}

export function orderDocument(order: OrderWrite): Readonly<Record<string, Value>> {
  return {
    orderID: order.orderId,
    purchaseDate: new Date(order.purchasedAt).toISOString(),
    status: order.status,
    currency: order.currency,
    totalAmount: formatTenThousandths(order.total),
    tax: formatTenThousandths(order.total / 10n),
    items: order.items,
    properties: order.properties,
  };
}

export function cartDocument(cart: CartWrite): Readonly<Record<string, Value>> {
  return {
    cartID: cart.cartId,
    items: cart.items,
    ...(cart.expiresAt !== null && { expiration: new Date(cart.expiresAt).toISOString() }),
    ...(cart.total !== null && { totalAmount: formatTenThousandths(cart.total) }),
    updatedAt: new Date(cart.at).toISOString(),
  };
}

export function recordDocument({ id, fields }: RecordWrite): Readonly<Record<string, Value>> {
  return { ...fields, id };
}
