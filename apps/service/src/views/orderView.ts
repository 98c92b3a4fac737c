import { type AccountSettings, toTimestamp } from "@headwater/contracts";
import { showOrder } from "@headwater/operations";
import type { ShownOrder } from "@headwater/stores";
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
export function orderRecord(row: ShownOrder, { currency }: Pick<AccountSettings, "currency">): object {
  const document = showOrder(row.orderId, row.doc, { currency });
  for (const item of document.items) showDecimals(item, ITEM_DECIMALS);
  const record: Record<string, unknown> = document;
  record.purchaseDate = toTimestamp(row.purchasedAt);
  record.cID = row.cid;
  showDecimals(record, DECIMALS);
  const discount = document.discountApplication;
  if (discount !== undefined && isRecord(discount) && discount.amount !== undefined) {
    const amount = decimalNumber(decimalText(discount.amount));
    record.discountApplication = { ...discount, amount };
    record.totalDiscountAmount = amount;
  }
  return record;
}

function showDecimals(record: Record<string, unknown>, names: readonly string[]): void {
  for (const name of names) if (record[name] !== undefined) record[name] = decimalNumber(record[name]);
}

function decimalText(value: unknown): unknown {
  return typeof value === "string" ? value.trim() : value;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
