import { formatDecimal, type Json, parseTime, type TenThousandths, timesCount } from "@headwater/contracts";
import { decimalOf, exact } from "../decimals.ts";
import type { Order } from "../state/foldState.ts";
import { visitMembers } from "../state/membersDocument.ts";

/** Statuses (lower case) whose orders count in no Order leaf, revenue or trend unless statuses are named. */
const notCounted: ReadonlySet<string> = new Set(["cancelled", "canceled", "refunded", "returned", "failed", "voided"]);

export interface OrderView {
  /** Milliseconds since 1970. */
  readonly purchasedAt: number;
  readonly status: string;
  readonly counts: boolean;
  readonly currency: string;
  /** Decimal text; undefined when it was not given and an item has no price. */
  readonly total: string | undefined;
  /** The order as answers show it; decimals are texts of digits here. */
  readonly document: { readonly [name: string]: Json };
}

interface Defaults {
  readonly currency: string;
  readonly timezone: string;
}

/** Decimals are texts of digits. */
export interface OrderDocument {
  items: Record<string, Json>[];
  [name: string]: Json;
}

/** The order as it reads: items with their amounts, totals as given or computed. */
export function viewOrder(order: Order, defaults: Defaults): OrderView {
  const members: Record<string, Json> = { orderID: order.orderId };
  for (const [name, { value }] of order.members) if (value !== null) members[name] = value;
  const { document, total } = complete(members, defaults);
  const [status, currency] = [textOf(document.status) ?? "", textOf(document.currency) ?? defaults.currency];
  const purchasedAt = parseTime(textOf(document.purchaseDate) ?? "", defaults.timezone) ?? 0;
  const counts = !notCounted.has(status.toLowerCase());
  return { purchasedAt, status, counts, currency, total, document };
}

/** The document that `viewOrder` shows of a stored order. It is the caller's to change. */
export function showOrder(orderId: string, doc: string, defaults: Pick<Defaults, "currency">): OrderDocument {
  const members: Record<string, Json> = { orderID: orderId };
  visitMembers(doc, (name, value) => {
    if (value !== null) members[name] = value;
  });
  return complete(members, defaults).document;
}

const decimalMembers = ["tax", "shippingAndHandling", "totalAmount"] as const;

/** Members as they were given become the document, in their places; what is computed stands behind them. */
function complete(members: Record<string, Json>, { currency }: Pick<Defaults, "currency">) {
  const items = listOf(members.items).map(viewItem);
  const given = decimalOf(members.totalAmount ?? null);
  const computed = given === undefined ? computeTotal(items, members) : undefined;
  for (const name of decimalMembers) {
    const value = members[name];
    if (value !== undefined) members[name] = exact(value);
  }
  const document: OrderDocument = Object.assign(members, { items: items.map((item) => item.document) });
  const total = given ?? computed;
  const totalText = total === undefined ? undefined : formatDecimal(total);
  if (totalText !== undefined) document.totalAmount = totalText;
  if (computed !== undefined) document.totalComputed = true;
  document.currency = textOf(document.currency) ?? currency;
  return { document, total: totalText };
}

interface ItemView {
  readonly qty: number;
  readonly price: TenThousandths | undefined;
  readonly document: Record<string, Json>;
}

function viewItem(item: Json): ItemView {
  const document: Record<string, Json> = isRecord(item) ? { ...item } : {};
  const qty = Number(document.qty ?? 1);
  const list = decimalOf(document.itemPrice ?? null);
  const sale = decimalOf(document.salePrice ?? null);
  // What is no decimal stays as it is.
  if (list !== undefined) document.itemPrice = formatDecimal(list);
  if (sale !== undefined) document.salePrice = formatDecimal(sale);
  document.qty = qty;
  if (list !== undefined) document.amount = formatDecimal(timesCount(list, qty));
  return { qty, price: sale ?? list, document };
}

function isRecord(value: Json): value is { readonly [name: string]: Json } {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}

/** Sum of qty * (salePrice ?? itemPrice), less the discount, plus tax and shipping; only when every item has a price. */
function computeTotal(items: readonly ItemView[], members: Readonly<Record<string, Json>>): TenThousandths | undefined {
  let total = 0n;
  for (const { qty, price } of items) {
    if (price === undefined) return undefined;
    total += timesCount(price, qty);
  }
  const { discountApplication: discount = null, tax = null, shippingAndHandling = null } = members;
  const less = isRecord(discount) ? (discount.amount ?? null) : null;
  return total - (decimalOf(less) ?? 0n) + (decimalOf(tax) ?? 0n) + (decimalOf(shippingAndHandling) ?? 0n);
}

function textOf(value: Json | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}
