import type { ClickHouse } from "@headwater/clickhouse/clickhouse";
import { defineJobWithOutside } from "@headwater/jobs/runner/jobKind";
import { z } from "zod";
import { countSupplementRows, removeClearedRecords, type StoredSupplementClear } from "./supplementTables.ts";

const DELETE_TIMEOUT_MS = 120_000;

/**
 * The table is empty since the clear was asked for, for readers of both stores: they go by the clear's version. This removes the
 * rows of the records it had, from Postgres page by page, and from ClickHouse's present by one statement. Its past keeps them.
 */
export const clearSupplementJob = defineJobWithOutside({
  jobName: "ClearSupplement",
  progress: z.object({
    /** The last id that was gone through; null when Postgres has none of them any more. */
    after: z.string().nullable(),
    looked: z.number(),
    rows: z.number(),
  }),
  async outside({ account, input, progress }, { clickhouse }) {
    if (progress?.after === null) await deleteCleared(clickhouse, { account: account.number, ...input });
  },
  async step({ account, input, progress }, transaction) {
    const clear = { account: account.number, ...input };
    const {
      after,
      looked: before,
      rows,
    } = progress ?? {
      after: "",
      looked: 0,
      rows: await countSupplementRows(transaction, clear),
    };
    if (after === null) return { kind: "done", totalItems: before };
    const { looked: now, last } = await removeClearedRecords(transaction, clear, after);
    const checked = before + now;
    const report = { completedItems: checked, result: { totalRecords: checked, updated: checked } };
    return {
      kind: "more",
      progress: { after: last, looked: checked, rows },
      totalItems: Math.max(rows, checked),
      ...report,
    };
  },
});

/**
 * Deletes cleared rows. A row with such a version that was on its way and arrives later is read by nobody, and goes with the next clear.
 */
async function deleteCleared(
  clickhouse: ClickHouse,
  { account, supplement, version }: StoredSupplementClear,
): Promise<void> {
  await clickhouse.command(
    `DELETE FROM supplement_records_current
      WHERE account = {account: UInt32} AND supplement = {supplement: UInt32} AND version <= {version: String}`,
    { account, supplement, version },
    { timeoutMs: DELETE_TIMEOUT_MS },
  );
}
