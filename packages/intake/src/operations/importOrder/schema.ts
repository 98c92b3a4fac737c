import { orderMembers, shapes } from "@headwater/contracts";
import { z } from "zod";
import { importStrategy } from "../importStrategy.ts";

const { orderID, purchaseDate } = shapes.order.shape;

const importMembers = {
  contact: shapes.contactReference.extend({ canBeCreated: z.boolean().optional() }),
  order: z.strictObject({ orderID, purchaseDate, ...orderMembers }),
  /** Absent: `upsert`. */
  strategy: importStrategy.optional(),
} as const;

export const body = z.strictObject({
  source: shapes.source,
  suppressTriggers: shapes.suppressTriggers,
  ...importMembers,
});
export type Body = z.infer<typeof body>;

export const record = z.strictObject({ ...shapes.recordMembers, ...importMembers });
export type ImportOrderRecord = z.infer<typeof record>;
