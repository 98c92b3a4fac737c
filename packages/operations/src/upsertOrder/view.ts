import { formatDecimal, type Json, parseTime, type TenThousandths, timesCount } from "@headwater/contracts";
import { decimalOf, exact } from "../decimals.ts";
import { toJson } from "../json.ts";
import type { Order } from "../state/foldState.ts";

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

/** The order as it reads: items with their amounts, totals as given or computed. */
export function viewOrder(order: Order, defaults: { readonly currency: string; readonly timezone: string }): OrderView {
  const member = (name: string): Json => order.members.get(name)?.value ?? null;
  const items = listOf(member("items")).map(viewItem);
  const given = decimalOf(member("totalAmount"));
  const computed = given === undefined ? computeTotal(items, member) : undefined;
  const total = given ?? computed;
  const status = textOf(member("status")) ?? "";
  const currency = textOf(member("currency")) ?? defaults.currency;
  const document: Record<string, Json> = { orderID: order.orderId };
  for (const [name, { value }] of order.members)
    if (value !== null) document[name] = decimalMembers.has(name) ? exact(value) : value;
  document.items = items.map((item) => item.document);
  if (total !== undefined) document.totalAmount = formatDecimal(total);
  if (computed !== undefined) document.totalComputed = true;
  document.currency = currency;
  const purchaseDate = textOf(member("purchaseDate")) ?? "";
  const purchasedAt = parseTime(purchaseDate, defaults.timezone) ?? 0;
  const counts = !notCounted.has(status.toLowerCase());
  return {
    purchasedAt,
    status,
    counts,
    currency,
    total: total === undefined ? undefined : formatDecimal(total),
    document,
  };
}

const decimalMembers: ReadonlySet<string> = new Set(["tax", "shippingAndHandling", "totalAmount"]);
const itemDecimals: ReadonlySet<string> = new Set(["itemPrice", "salePrice"]);

interface ItemView {
  readonly qty: number;
  readonly price: TenThousandths | undefined;
  readonly document: Json;
}

function viewItem(item: Json): ItemView {
  const members = item !== null && typeof item === "object" && !Array.isArray(item) ? Object.entries(item) : [];
  const at = new Map<string, Json>(members.map(([name, value]) => [name, toJson(value)]));
  const qty = Number(at.get("qty") ?? 1);
  const list = decimalOf(at.get("itemPrice") ?? null);
  const price = decimalOf(at.get("salePrice") ?? null) ?? list;
  const document: Record<string, Json> = {};
  for (const [name, value] of at) document[name] = itemDecimals.has(name) ? exact(value) : value;
  document.qty = qty;
  if (list !== undefined) document.amount = formatDecimal(timesCount(list, qty));
  return { qty, price, document };
}

/** Sum of qty * (salePrice ?? itemPrice), less the discount, plus tax and shipping; only when every item has a price. */
function computeTotal(items: readonly ItemView[], member: (name: string) => Json): TenThousandths | undefined {
  let total = 0n;
  for (const { qty, price } of items) {
    if (price === undefined) return undefined;
    total += timesCount(price, qty);
  }
  const discount = member("discountApplication");
  const less =
    discount !== null && typeof discount === "object" && "amount" in discount ? toJson(discount.amount) : null;
  const extra = (decimalOf(member("tax")) ?? 0n) + (decimalOf(member("shippingAndHandling")) ?? 0n);
  return total - (decimalOf(less) ?? 0n) + extra;
}

function textOf(value: Json): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function listOf(value: Json): readonly Json[] {
  return Array.isArray(value) ? value : [];
}
