import { type Folded, type FoldState, folded, skipped } from "@headwater/domain";
import type { Origin } from "@headwater/domain/contact";
import { isDeletedOrder } from "@headwater/domain/order";
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
