import { shapes } from "@headwater/contracts";
import { z } from "zod";

export const body = z.strictObject({
  source: shapes.source,
  suppressTriggers: shapes.suppressTriggers,
  ...shapes.contactMembers,
});
export type Body = z.infer<typeof body>;

export const record = z.strictObject({ ...shapes.recordMembers, contact: shapes.contact });
export type UpsertContactRecord = z.infer<typeof record>;
