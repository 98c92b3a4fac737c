import { shapes } from "@headwater/contracts";
import { z } from "zod";

export const body = z.strictObject({
  source: shapes.source,
  suppressTriggers: shapes.suppressTriggers,
  ...shapes.listTarget,
});
export const record = z.strictObject({ ...shapes.recordMembers, ...shapes.listTarget });
export type Body = z.infer<typeof body>;
export type ClearListRecord = z.infer<typeof record>;
