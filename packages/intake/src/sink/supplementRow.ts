import { toDocumentText } from "@headwater/clickhouse/documentText";
import type { RowOf, supplementRecordsCurrent } from "@headwater/clickhouse/tables/index";
import { type SupplementChangeEvent, timeOfVersion } from "@headwater/contracts";

/** Returns the row of a supplement record, for the present and for its history alike. */
export function toSupplementRow(
  change: SupplementChangeEvent,
  revision: number,
): RowOf<typeof supplementRecordsCurrent> {
  return {
    account: change.account,
    supplement: change.supplement,
    id: change.id,
    contact: change.contact ?? 0,
    created_at: change.createdAt,
    modified_at: change.lastModified,
    document: toDocumentText(change.record),
    deleted: change.deleted === true,
    version: change.version,
    at: timeOfVersion(change.version),
    revision,
  };
}
