import { emptyJobResult, type JobResult, toTimestamp } from "@headwater/contracts";
import { refusal } from "@headwater/http";
import { z } from "zod";
import { runIdOf, runStatuses } from "./dataJob.ts";
import type { StoredDataJob, StoredRun } from "./postgres.ts";

const count = z.number().int();

/** Numbers of a run as answers show them. */
export const statsShape = z.strictObject({
  dabId: z.string(),
  run: z.strictObject({
    accountId: z.string(),
    daId: z.string(),
    runMarker: z.string(),
    status: z.enum(runStatuses),
    startedAt: z.string().nullable(),
    endedAt: z.string().nullable(),
  }),
  stats: z.strictObject({
    total_queued: count.describe("Records that were made."),
    total_processed: count.describe("Those whose outcome is known."),
    total_failures: count,
    total_successful: count,
    total_exported: count.describe("Records in the files of an export."),
  }),
});

export const statsExample = {
  dabId: "account:65f0c0ffee65f0c0ffee0201:rm202606180920",
  run: {
    ...{ accountId: "65f0c0ffee65f0c0ffee0000", daId: "65f0c0ffee65f0c0ffee0201", runMarker: "rm202606180920" },
    ...{ status: "completed", startedAt: "2026-06-18T09:20:01.000Z", endedAt: "2026-06-18T09:20:09.000Z" },
  },
  stats: { total_queued: 120, total_processed: 120, total_failures: 2, total_successful: 118, total_exported: 0 },
};

/** Returns the numbers of a run. They are the outcomes of its records, as their receipt counts them. */
export function statsOf(
  accountId: string,
  { daId, targetType }: Pick<StoredDataJob, "daId" | "targetType">,
  { marker, status, startedAt, endedAt, completedItems, result }: StoredRun,
): z.output<typeof statsShape> {
  const counts: JobResult = { ...emptyJobResult, ...(result !== null && JSON.parse(result)) };
  const timeOf = (ms: number | null) => (ms === null ? null : toTimestamp(ms));
  const successful = counts.inserted + counts.updated + counts.ignored;
  return {
    dabId: runIdOf(daId, marker),
    run: { accountId, daId, runMarker: marker, status, startedAt: timeOf(startedAt), endedAt: timeOf(endedAt) },
    stats: {
      total_queued: counts.totalRecords,
      total_processed: completedItems ?? 0,
      total_failures: counts.rejected + counts.error,
      total_successful: successful,
      total_exported: targetType === "export" ? successful : 0,
    },
  };
}

export function unknownRun() {
  return refusal("RECORD_NOT_FOUND", "The data job has no such run.");
}
