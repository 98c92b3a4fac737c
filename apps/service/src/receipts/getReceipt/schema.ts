import { z } from "zod";
import { afterQuery } from "../../paging/query.ts";

export const WAIT_SECONDS_MAX = 30;

export const params = z.strictObject({ receipt: z.string() });
export const query = z.strictObject({
  ...afterQuery,
  wait: z.coerce.number().min(0).max(WAIT_SECONDS_MAX).optional(),
  cursor: z.string().max(4_096).optional(),
});

const count = z.number().int();
const counts = z.record(z.string(), count);
const rejection = z.strictObject({ index: count, path: z.string(), code: z.string(), message: z.string() });

export const receiptAnswer = z.strictObject({
  state: z.enum(["pending", "applied", "partly_rejected", "rejected"]),
  records: z.strictObject({ applied: count, skipped: count, rejected: count, parked: count, pending: count }),
  skips: counts,
  warnings: counts,
  rejections: z.array(rejection),
  next: z.string().nullable(),
});

export const receiptExample = {
  state: "partly_rejected",
  records: { applied: 98, skipped: 1, rejected: 1, parked: 0, pending: 0 },
  skips: { UNCHANGED: 1 },
  warnings: {},
  rejections: [
    { index: 7, path: "/contact", code: "CONTACTS_CONTACT_NOT_FOUND", message: "No contact has this identifier." },
  ],
  next: null,
};
