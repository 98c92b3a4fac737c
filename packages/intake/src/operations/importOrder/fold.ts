import type { Origin } from "@headwater/records/contacts/contactIndex";
import type { FoldState } from "@headwater/records/fold/foldState";
import { type Folded, folded, skipped } from "@headwater/records/fold/outcome";
import { isDeletedOrder } from "@headwater/records/orders/orderWrite";
import { foldOrder } from "../foldOrder.ts";
import type { ImportOrderRecord } from "./schema.ts";

/** Writes the order as any other record of one, where the strategy lets it. */
export function fold(state: FoldState, record: ImportOrderRecord, origin: Origin): Folded {
  const { strategy = "upsert" } = record;
  const known = state.order(record.order.orderID);
  const isKnown = known !== undefined && !isDeletedOrder(known);
  if (strategy === "insertOnly" && isKnown) return folded(skipped("UPDATE_NOT_ALLOWED"));
  if (strategy === "updateOnly" && !isKnown) return folded(skipped("CREATE_NOT_ALLOWED"));
  return foldOrder(state, record, origin);
}
