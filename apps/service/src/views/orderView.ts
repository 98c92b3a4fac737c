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

/** An order as answers show it: decimals are JSON numbers written from their own digits. */
export function orderRecord(row: OrderView, { currency, timezone }: AccountSettings): Record<string, unknown> {
  const { document } = viewOrder(fromOrderRow(row.orderId, row), { currency, timezone });
  const discount = members(document.discountApplication);
  const amount = decimalNumber(decimalText(discount.amount));
  return {
    ...document,
    purchaseDate: toTimestamp(row.purchasedAt),
    cID: row.cid,
    ...withDecimals(document, ["totalAmount", "tax", "shippingAndHandling"]),
    items: itemsOf(document.items),
    ...(discount.amount !== undefined && {
      discountApplication: { ...discount, amount },
      totalDiscountAmount: amount,
    }),
  };
}

function itemsOf(items: unknown): unknown[] {
  const list: unknown[] = Array.isArray(items) ? items : [];
  return list.map((item) => ({
    ...members(item),
    ...withDecimals(members(item), ["itemPrice", "salePrice", "amount"]),
  }));
}

function withDecimals(record: Readonly<Record<string, unknown>>, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    names.filter((name) => record[name] !== undefined).map((name) => [name, decimalNumber(record[name])]),
  );
}

function decimalText(value: unknown): unknown {
  return typeof value === "string" ? value.trim() : value;
}

function members(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}
