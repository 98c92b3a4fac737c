import { bounded, formatDecimal, type Json, parseTime, type TenThousandths, timesCount } from "@headwater/contracts";
import { decimalOf } from "../fold/decimals.ts";
import type { Order } from "../fold/foldState.ts";
import { visitMembers } from "../members/membersDocument.ts";

/** Statuses (lower case) whose orders count in no Order leaf, revenue or trend unless statuses are named. */
const notCounted: ReadonlySet<string> = new Set(["cancelled", "canceled", "refunded", "returned", "failed", "voided"]);

export interface OrderView {
  /** Milliseconds since 1970. */
  readonly purchasedAt: number;
  readonly status: string;
  readonly counts: boolean;
  readonly currency: string;
  /** Decimal text; undefined when it was not given, and an item has no price or the sum is no decimal any more. */
  readonly total: string | undefined;
  /** The order as answers show it; decimals are texts of digits here. */
  readonly document: { readonly [name: string]: Json };
}

interface Defaults {
  readonly currency: string;
  readonly timezone: string;
}

export interface OrderDocument {
  items: Record<string, Json>[];
  [name: string]: Json;
}

/**
 * Writes a document's decimals. A stored value that is no decimal, so that `decimal` is undefined, is returned as it is.
 * @param stored undefined where the decimal was computed.
 */
export type WriteDecimal = (decimal: TenThousandths | undefined, stored: Json | undefined) => Json;

/** The order as it reads: items with their amounts, totals as given or computed. */
export function viewOrder(order: Order, defaults: Defaults): OrderView {
  const members: Record<string, Json> = { orderID: order.orderId };
  for (const [name, { value }] of order.members) if (value !== null) members[name] = value;
  members.items = listOf(members.items).map((item) => (isRecord(item) ? { ...item } : {}));
  const { document, total } = complete(members, { ...defaults, writeDecimal: toDigits });
  const [status, currency] = [textOf(document.status) ?? "", textOf(document.currency) ?? defaults.currency];
  const purchasedAt = parseTime(textOf(document.purchaseDate) ?? "", defaults.timezone) ?? 0;
  const counts = !notCounted.has(status.toLowerCase());
  const totalText = total === undefined ? undefined : formatDecimal(total);
  return { purchasedAt, status, counts, currency, total: totalText, document };
}

/** Writes decimals as `viewOrder` shows them. */
const toDigits: WriteDecimal = (decimal, stored = null) => (decimal === undefined ? stored : formatDecimal(decimal));

interface Showing extends Pick<Defaults, "currency"> {
  readonly writeDecimal: WriteDecimal;
}

/** The document that `viewOrder` shows of a stored order, with its decimals as they are wanted. It is the caller's to change. */
export function showOrder(orderId: string, doc: string, showing: Showing): OrderDocument {
  const members: Record<string, Json> = { orderID: orderId };
  visitMembers(doc, (name, value) => {
    if (value !== null) members[name] = value;
  });
  return complete(members, showing).document;
}

const decimalMembers = ["tax", "shippingAndHandling", "totalAmount"] as const;

/** Members as they were given become the document, in their positions; what is computed stands behind them. They are changed themselves. */
function complete(members: Record<string, Json>, { currency, writeDecimal }: Showing) {
  const items = listOf(members.items).map((item) => (isRecord(item) ? item : {}));
  const sum = completeItems(items, writeDecimal);
  const input = decimalOf(members.totalAmount ?? null);
  const total = input ?? (sum === undefined ? undefined : bounded(totalOf(sum, members)));
  for (const name of decimalMembers) {
    const value = members[name];
    if (value !== undefined) members[name] = writeDecimal(decimalOf(value), value);
  }
  const { discountApplication: discount } = members;
  if (discount !== undefined && isRecord(discount) && discount.amount !== undefined) {
    const { amount } = discount;
    members.discountApplication = { ...discount, amount: writeDecimal(decimalOf(amount), amount) };
  }
  const document: OrderDocument = Object.assign(members, { items });
  if (input === undefined && total !== undefined) {
    document.totalAmount = writeDecimal(total, undefined);
    document.totalComputed = true;
  }
  document.currency = textOf(document.currency) ?? currency;
  return { document, total };
}

/** Gives items what answers show of them. @returns the sum of qty * (salePrice ?? itemPrice); undefined when one has no price. */
function completeItems(items: Iterable<Record<string, Json>>, writeDecimal: WriteDecimal): TenThousandths | undefined {
  let sum: TenThousandths | undefined = 0n;
  for (const item of items) {
    const { itemPrice, salePrice } = item;
    const qty = Number(item.qty ?? 1);
    const list = itemPrice === undefined ? undefined : decimalOf(itemPrice);
    const sale = salePrice === undefined ? undefined : decimalOf(salePrice);
    const price = sale ?? list;
    if (itemPrice !== undefined) item.itemPrice = writeDecimal(list, itemPrice);
    if (salePrice !== undefined) item.salePrice = writeDecimal(sale, salePrice);
    item.qty = qty;
    const amount = list === undefined ? undefined : bounded(timesCount(list, qty));
    if (amount !== undefined) item.amount = writeDecimal(amount, undefined);
    sum = sum === undefined || price === undefined ? undefined : sum + timesCount(price, qty);
  }
  return sum;
}

function isRecord(value: Json): value is Record<string, Json> {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}

/** The sum of its items, less the discount, plus tax and shipping. */
function totalOf(sum: TenThousandths, members: Readonly<Record<string, Json>>): TenThousandths {
  const { discountApplication: discount = null, tax = null, shippingAndHandling = null } = members;
  const less = isRecord(discount) ? (discount.amount ?? null) : null;
  return sum - (decimalOf(less) ?? 0n) + (decimalOf(tax) ?? 0n) + (decimalOf(shippingAndHandling) ?? 0n);
}

function textOf(value: Json | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}
