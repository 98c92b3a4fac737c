import { toTimestamp } from "@headwater/contracts";
import { fromSupplementRecordRow, liveRecord, type SupplementRecord } from "../supplements/supplement.ts";
import type { SupplementRecordView } from "../supplements/supplementReads.ts";
import type { SupplementView } from "../supplements/supplements.ts";

/** A row and the record in it. */
export interface ReadRecord {
  readonly row: SupplementRecordView;
  readonly record: SupplementRecord;
}

export function toReadRecord(
  row: SupplementRecordView,
  { clearedVersion }: Pick<SupplementView, "clearedVersion">,
): ReadRecord {
  const stored = fromSupplementRecordRow(row.supplement, row.id, row);
  return { row, record: liveRecord(stored, { clearedVersion: clearedVersion ?? undefined }) ?? stored };
}

/** A record as answers show it. One of a contact object has the cID of the contact it belongs to now, whatever was merged since. */
export function supplementRecordView({ row, record }: ReadRecord): Record<string, unknown> {
  const fields = [...record.members]
    .filter(([, { value }]) => value !== null)
    .map(([name, { value }]) => [name, value]);
  return {
    ...Object.fromEntries(fields),
    id: row.id,
    ...(row.cid !== null && { cID: row.cid }),
    ct: toTimestamp(row.createdAt),
    lm: toTimestamp(row.modifiedAt),
  };
}
