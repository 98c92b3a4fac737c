import { type OrderChangeEvent, parseDecimal, timeOfVersion } from "@headwater/contracts";
import { toDocumentText } from "@headwater/stores/clickhouse";
import type { ordersHistory, RowOf } from "@headwater/stores/clickhouse/tables";

/** Returns the row of an order, for the present and for its history alike. */
export function toOrderRow(change: OrderChangeEvent, revision: number): RowOf<typeof ordersHistory> {
  return {
    account: change.account,
    order_id: change.orderId,
    contact: change.contact,
    purchased_at: change.purchasedAt,
    status: change.status,
    counts: change.counts,
    currency: change.currency,
    total: change.total === null ? null : (parseDecimal(change.total) ?? null),
    document: toDocumentText(change.order),
    deleted: change.deleted === true,
    version: change.version,
    at: timeOfVersion(change.version),
    revision,
  };
}
