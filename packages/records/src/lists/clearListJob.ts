import { defineJob } from "@headwater/jobs/runner/jobKind";
import { z } from "zod";
import { deleteCleared } from "./listClears.ts";

/** The list is empty since the clear was asked for; this removes the rows of those who were on it. */
export const clearListJob = defineJob({
  jobName: "ClearList",
  progress: z.object({ after: z.number(), removed: z.number() }),
  async step({ account, input, progress = { after: 0, removed: 0 } }, transaction) {
    const clear = { account: account.number, list: input.list, version: input.version };
    const { last, deleted } = await deleteCleared(transaction, clear, progress.after);
    const removed = progress.removed + deleted;
    const report = { completedItems: removed, result: { totalRecords: removed, updated: removed } };
    if (last === null) return { kind: "done", totalItems: removed, ...report };
    return { kind: "more", progress: { after: last, removed }, ...report };
  },
});
