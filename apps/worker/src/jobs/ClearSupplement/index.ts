import { removeCleared } from "@headwater/state";
import { countSupplementRows } from "@headwater/stores";
import { z } from "zod";
import { defineJob } from "../../runner/jobKind.ts";

/**
 * The table is empty since the clear was asked for; this removes the rows of the records it had, and tells ClickHouse that they are
 * gone since then.
 */
export const clearSupplementJob = defineJob({
  jobName: "ClearSupplement",
  progress: z.object({ after: z.string(), looked: z.number(), rows: z.number() }),
  async step({ account, input, progress }, transaction) {
    const clear = { account: account.number, ...input };
    const rows = progress?.rows ?? (await countSupplementRows(transaction, clear));
    const { looked: now, last } = await removeCleared(transaction, clear, progress?.after ?? "");
    const looked = (progress?.looked ?? 0) + now;
    const told = { completedItems: looked, result: { totalRecords: looked, updated: looked } };
    if (last === undefined) return { kind: "done", totalItems: looked, ...told };
    return { kind: "more", progress: { after: last, looked, rows }, totalItems: Math.max(rows, looked), ...told };
  },
});
