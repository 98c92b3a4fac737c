import { type AccountSettings, type Json, toTimestamp } from "@headwater/contracts";
import type { Order } from "../fold/foldState.ts";
import { toOrderDocument } from "../orders/orderDocument.ts";
import type { ShownOrder } from "../orders/orderReads.ts";
import { type OrderDocument, showOrder } from "../orders/orderView.ts";
import { decimalsBy, type WriteDigits } from "./writtenDigits.ts";

/** Creates the view of an account's orders as answers show them. */
export function orderViewer(
  { currency }: Pick<AccountSettings, "currency">,
  writeDigits: WriteDigits,
): (row: ShownOrder) => OrderDocument {
  const showing = { currency, writeDecimal: decimalsBy(writeDigits) };
  return (row) => {
    const record = showOrder(row.orderId, row.doc, showing);
    record.purchaseDate = toTimestamp(row.purchasedAt);
    record.cID = row.cid;
    return withDiscount(record);
  };
}

/** Shows an order that a write has locked as `orderViewer` does, with its time as it was written and without its contact. */
export function viewLockedOrder(
  order: Order,
  { currency }: Pick<AccountSettings, "currency">,
  writeDigits: WriteDigits,
): OrderDocument {
  const showing = { currency, writeDecimal: decimalsBy(writeDigits) };
  return withDiscount(showOrder(order.orderId, toOrderDocument(order), showing));
}

function withDiscount(record: OrderDocument): OrderDocument {
  const { discountApplication: discount } = record;
  if (isDiscount(discount)) record.totalDiscountAmount = discount.amount;
  return record;
}

function isDiscount(value: Json | undefined): value is { readonly [name: string]: Json; readonly amount: Json } {
  return typeof value === "object" && value !== null && "amount" in value;
}
