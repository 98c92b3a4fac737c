import { expectVersion } from "@headwater/api/writing/ifMatch";
import { refusal } from "@headwater/http";
import type { FoldState, Order } from "../fold/foldState.ts";
import { versionOfOrder } from "./orderDocument.ts";
import { existingOrder } from "./writeOrder.ts";

/** Returns the order, which is locked. Throws 404 `RECORD_NOT_FOUND` without it, 409 `VERSION_CONFLICT` for another version than expected. */
export function expectOrder(state: FoldState, orderID: string, ifMatch: string | undefined): Order {
  const order = existingOrder(state, orderID);
  if (order === undefined) throw refusal("RECORD_NOT_FOUND", "No order has this id.");
  expectVersion(ifMatch, versionOfOrder(order));
  return order;
}
