import { z } from "zod";

/** Warnings of criteria and filters. */
export const neverSeen = z
  .array(
    z.strictObject({
      path: z.string(),
      code: z.literal("never_seen"),
      message: z.string(),
      allowed: z.array(z.string()).optional(),
    }),
  )
  .describe("Event names, properties and values in the criteria that the account never had.");

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
    warnings: neverSeen.optional(),
  });
}
