import { z } from "zod";
import { afterQuery, storableText } from "../../paging/query.ts";

const count = z.number().int();

export const params = z.strictObject({ id: storableText(64) });
export const query = z.strictObject(afterQuery);

export const jobAnswer = z.strictObject({
  id: z.string(),
  jobName: z.literal("RedriveDeadLetters"),
  status: z.enum(["Pending", "Processing", "Done"]),
  totalItems: count,
  completedItems: count,
  times: z.strictObject({ start: z.string().nullable(), end: z.string().nullable() }),
  result: z.strictObject({
    totalRecords: count,
    inserted: count,
    updated: count,
    rejected: count,
    error: count,
    ignored: count,
  }),
  /**
   * `receipt` stands here as soon as all records are in the log. `refused`: records that the door would not have; they are open
   * still, and their history says why.
   */
  metadata: z.strictObject({ receipt: z.string().optional(), refused: count }),
});

export const jobExample = {
  id: "65f0c0ffee65f0c0ffee0001",
  jobName: "RedriveDeadLetters",
  status: "Done",
  totalItems: 120,
  completedItems: 120,
  times: { start: "2026-01-09T22:47:12.000Z", end: "2026-01-09T22:47:13.000Z" },
  result: { totalRecords: 120, inserted: 0, updated: 118, rejected: 2, error: 0, ignored: 0 },
  metadata: { receipt: "eyJyIjoi….K8jfxMYp…", refused: 1 },
};
