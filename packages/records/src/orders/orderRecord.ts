import type { AccountSettings } from "@headwater/contracts";
import { decimalNumber } from "../views/decimalNumber.ts";
import { orderViewer } from "../views/shownOrder.ts";
import type { ShownOrder } from "./orderReads.ts";

/** The members of an order that `fields` may name. */
export const ORDER_MEMBERS = [
  ...["orderID", "purchaseDate", "cID", "status", "currency", "totalAmount", "totalComputed", "totalDiscountAmount"],
  ...["items", "discountApplication", "tax", "shippingAndHandling", "shippingAddress", "billingAddress", "properties"],
  ...["customerID", "storeID", "mcID", "msID", "linkID", "cartID"],
] as const;

/** An order as answers show it: decimals are JSON numbers written from their own digits. */
export function orderRecord(row: ShownOrder, settings: Pick<AccountSettings, "currency">): object {
  return orderViewer(settings, decimalNumber)(row);
}
