import type { CartChangeEvent } from "@headwater/contracts";
import { parseDecimal, timeOfVersion } from "@headwater/contracts";
import { type RowBinary, toDocumentText } from "@headwater/stores/clickhouse";

export const cartColumns = [
  "account",
  "contact",
  "cart_id",
  "lines",
  "total",
  "expires_at",
  "document",
  "deleted",
  "version",
  "at",
  "revision",
] as const;

/** One cart, for the present and for its history alike. */
export function writeCartRow(row: RowBinary, change: CartChangeEvent, revision: number): void {
  row.uint32(change.account);
  row.int64(change.contact);
  row.string(change.cartId);
  row.uint32(change.lines);
  row.nullableDecimal4(change.total === null ? null : (parseDecimal(change.total) ?? null));
  row.uint8(change.expiresAt === null ? 1 : 0);
  if (change.expiresAt !== null) row.int64(change.expiresAt);
  row.string(toDocumentText(change.cart));
  row.uint8(change.merge === true ? 1 : 0);
  row.string(change.version);
  row.int64(timeOfVersion(change.version));
  row.int64(revision);
}
