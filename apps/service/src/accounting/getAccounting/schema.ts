import { z } from "zod";
import { afterQuery, bound } from "../../paging/query.ts";

const count = z.number().int();

/** Bounds of the time at which the ingress accepted the records, in whole hours. Default: the last 24. */
export const query = z.strictObject({ ...afterQuery, from: bound, to: bound });
export type AccountingQuery = z.output<typeof query>;

export const accountingAnswer = z.strictObject({
  from: z.string(),
  to: z.string(),
  data: z.array(
    z.strictObject({
      hour: z.string(),
      operation: z.string(),
      accepted: count,
      applied: count,
      skipped: count,
      rejected: count,
      parked: count,
      lost: count,
      pending: count,
    }),
  ),
  balanced: z.boolean(),
});

const outcomes = { applied: 980, skipped: 15, rejected: 4, parked: 0, lost: 0, pending: 1 };
export const accountingExample = {
  from: "2026-01-09T22:00:00.000Z",
  to: "2026-01-09T23:00:00.000Z",
  data: [{ hour: "2026-01-09T22:00:00.000Z", operation: "upsertContact", accepted: 1_000, ...outcomes }],
  balanced: true,
};
