import { type AccountSettings, formatDecimal, type Json, shortDecimal, toTimestamp } from "@headwater/contracts";
import { showOrder, type WriteDecimal } from "@headwater/domain/order";
import type { ShownOrder } from "@headwater/stores/orders";
import { decimalNumber } from "../answers/rawJson.ts";

/** The members of an order that `fields` may name. */
export const ORDER_MEMBERS = [
  ...["orderID", "purchaseDate", "cID", "status", "currency", "totalAmount", "totalComputed", "totalDiscountAmount"],
  ...["items", "discountApplication", "tax", "shippingAndHandling", "shippingAddress", "billingAddress", "properties"],
  ...["customerID", "storeID", "mcID", "msID", "linkID", "cartID"],
] as const;

/** An order as answers show it: decimals are JSON numbers written from their own digits. */
export function orderRecord(row: ShownOrder, { currency }: Pick<AccountSettings, "currency">): object {
  const record = showOrder(row.orderId, row.doc, { currency, writeDecimal: toNumber });
  record.purchaseDate = toTimestamp(row.purchasedAt);
  record.cID = row.cid;
  const { discountApplication: discount } = record;
  if (isDiscount(discount)) {
    const amount = decimalNumber(typeof discount.amount === "string" ? discount.amount.trim() : discount.amount);
    record.discountApplication = { ...discount, amount };
    record.totalDiscountAmount = amount;
  }
  return record;
}

/** Nearly all decimals are short, and become numbers without a text between. */
const toNumber: WriteDecimal = (decimal, stored = null) => {
  if (decimal === undefined) return decimalNumber(stored);
  return shortDecimal(decimal) ?? decimalNumber(formatDecimal(decimal));
};

function isDiscount(value: Json | undefined): value is { readonly [name: string]: Json; readonly amount: Json } {
  return typeof value === "object" && value !== null && "amount" in value;
}
