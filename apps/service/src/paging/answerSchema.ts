import { z } from "zod";

/** The shape of a list's answer. */
export function pageOf(record: z.ZodType) {
  return z.strictObject({
    data: z.array(record),
    pagination: z.strictObject({
      per_page: z.number().int(),
      page: z.number().int().optional(),
      total: z.number().int().optional(),
      last_page: z.number().int().optional(),
      next_cursor: z.string().nullable(),
    }),
    asOf: z.string().optional(),
  });
}
