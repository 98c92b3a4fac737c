import { toDocumentText } from "@headwater/clickhouse/documentText";
import type { ordersHistory, RowOf } from "@headwater/clickhouse/tables/index";
import { type OrderChangeEvent, parseDecimal, timeOfVersion } from "@headwater/contracts";

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
