import type { SupplementChangeEvent } from "@headwater/contracts";
import { timeOfVersion } from "@headwater/contracts";
import { type RowBinary, toDocumentText } from "@headwater/stores/clickhouse";

export const supplementColumns = [
  "account",
  "supplement",
  "id",
  "contact",
  "created_at",
  "modified_at",
  "document",
  "deleted",
  "version",
  "at",
  "revision",
] as const;

/** One supplement record, for the present and for its history alike. */
export function writeSupplementRow(row: RowBinary, change: SupplementChangeEvent, revision: number): void {
  row.uint32(change.account);
  row.uint32(change.supplement);
  row.string(change.id);
  row.int64(change.contact ?? 0);
  row.int64(change.createdAt);
  row.int64(change.lastModified);
  row.string(toDocumentText(change.record));
  row.uint8(change.deleted === true ? 1 : 0);
  row.string(change.version);
  row.int64(timeOfVersion(change.version));
  row.int64(revision);
}
