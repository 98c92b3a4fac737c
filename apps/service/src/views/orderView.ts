import { type AccountSettings, toTimestamp } from "@headwater/contracts";
import { fromOrderRow, viewOrder } from "@headwater/operations";
import type { OrderView } from "@headwater/stores";
import { decimalNumber } from "./rawJson.ts";

/** The members of an order that `fields` may name. */
export const ORDER_MEMBERS = [
  ...["orderID", "purchaseDate", "cID", "status", "currency", "totalAmount", "totalComputed", "totalDiscountAmount"],
  ...["items", "discountApplication", "tax", "shippingAndHandling", "shippingAddress", "billingAddress", "properties"],
  ...["customerID", "storeID", "mcID", "msID", "linkID", "cartID"],
] as const;

const DECIMALS = ["totalAmount", "tax", "shippingAndHandling"];
const ITEM_DECIMALS = ["itemPrice", "salePrice", "amount"];

/** An order as answers show it: decimals are JSON numbers written from their own digits. */
export function orderRecord(row: OrderView, { currency, timezone }: AccountSettings): Record<string, unknown> {
  const { document } = viewOrder(fromOrderRow(row.orderId, row), { currency, timezone });
  const record: Record<string, unknown> = { ...document, purchaseDate: toTimestamp(row.purchasedAt), cID: row.cid };
  showDecimals(record, DECIMALS);
  record.items = Array.isArray(document.items) ? document.items.map(itemRecord) : [];
  const discount = copyOf(document.discountApplication);
  if (discount.amount !== undefined) {
    const amount = decimalNumber(decimalText(discount.amount));
    record.discountApplication = { ...discount, amount };
    record.totalDiscountAmount = amount;
  }
  return record;
}

function itemRecord(item: unknown): Record<string, unknown> {
  const record = copyOf(item);
  showDecimals(record, ITEM_DECIMALS);
  return record;
}

function showDecimals(record: Record<string, unknown>, names: readonly string[]): void {
  for (const name of names) if (record[name] !== undefined) record[name] = decimalNumber(record[name]);
}

function decimalText(value: unknown): unknown {
  return typeof value === "string" ? value.trim() : value;
}

function copyOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
