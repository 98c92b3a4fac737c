import { shapes } from "@headwater/contracts";
import { z } from "zod";
import { importStrategy } from "../importStrategy.ts";

export const body = z.strictObject({
  source: shapes.source,
  suppressTriggers: shapes.suppressTriggers,
  supplement: shapes.supplementKey,
  records: z.array(shapes.supplementRecord).min(1).max(shapes.bounds.recordsPerSupplementBody),
});
export type Body = z.infer<typeof body>;

export const record = z.strictObject({
  ...shapes.recordMembers,
  supplement: shapes.supplementKey,
  record: shapes.supplementRecord,
  /** Set by imports alone; absent: upsert. */
  strategy: importStrategy.optional(),
});
export type UpsertSupplementsRecordsRecord = z.infer<typeof record>;
