import { toDocumentText } from "@headwater/clickhouse/documentText";
import type { cartsCurrent, RowOf } from "@headwater/clickhouse/tables/index";
import { type CartChangeEvent, parseDecimal, timeOfVersion } from "@headwater/contracts";

/** Returns the row of a cart, for the present and for its history alike. */
export function toCartRow(change: CartChangeEvent, revision: number): RowOf<typeof cartsCurrent> {
  return {
    account: change.account,
    contact: change.contact,
    cart_id: change.cartId,
    lines: change.lines,
    total: change.total === null ? null : (parseDecimal(change.total) ?? null),
    expires_at: change.expiresAt,
    document: toDocumentText(change.cart),
    deleted: change.merge === true,
    version: change.version,
    at: timeOfVersion(change.version),
    revision,
  };
}
