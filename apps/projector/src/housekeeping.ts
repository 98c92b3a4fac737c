import { deleteCounts } from "@headwater/intake/accounting/accounting";
import { deleteQuarantined } from "@headwater/intake/deadLetters/quarantine";
import { deleteRedrives } from "@headwater/intake/deadLetters/redrives";
import { deleteClosedRejects } from "@headwater/intake/deadLetters/rejects";
import { deleteAppliedRecords } from "@headwater/intake/receipts/appliedRecords";
import { deleteReceiptCounts } from "@headwater/intake/receipts/receipts";
import { hourOf } from "@headwater/intake/state/outcomeCounts";
import type { Postgres } from "@headwater/postgres/connection/postgres";
import { deleteOldResolutions } from "@headwater/postgres/streams/activityResolutions";

/** Ids of keyed records are kept as long as an Idempotency-Key of intake is. */
const APPLIED_RECORDS_RETENTION_MS = 72 * 3_600_000;
const DAY_MS = 86_400_000;
/** Time for which receipts can be read: a parked record's row holds its outcome. */
const RESOLVED_RETENTION_MS = 7 * DAY_MS;
/** A day more than the log: what it holds can be written to ClickHouse again, under the same contacts. */
const RESOLUTIONS_RETENTION_MS = 8 * DAY_MS;
const CLOSED_RETENTION_MS = 90 * DAY_MS;
const REDRIVES_RETENTION_MS = 60 * DAY_MS;

/** Open and parked records are kept until somebody or something closes them. */
export async function deleteOldRows(postgres: Postgres, nowMs: number): Promise<void> {
  await deleteAppliedRecords(postgres, nowMs - APPLIED_RECORDS_RETENTION_MS);
  await deleteReceiptCounts(postgres, nowMs - RESOLVED_RETENTION_MS);
  // An hour's counts go before any of its rejected records does, which are counted by their rows.
  await postgres.transaction((transaction) => deleteCounts(transaction, hourOf(nowMs - CLOSED_RETENTION_MS) + 1));
  await deleteClosedRejects(postgres, { statuses: ["applied", "skipped"], before: nowMs - RESOLVED_RETENTION_MS });
  await deleteClosedRejects(postgres, { statuses: ["redriven", "discarded"], before: nowMs - CLOSED_RETENTION_MS });
  await deleteOldResolutions(postgres, nowMs - RESOLUTIONS_RETENTION_MS);
  await deleteQuarantined(postgres, nowMs - CLOSED_RETENTION_MS);
  await deleteRedrives(postgres, nowMs - REDRIVES_RETENTION_MS);
}
