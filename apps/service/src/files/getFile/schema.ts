import { z } from "zod";
import { storableText } from "../../paging/query.ts";

export const params = z.strictObject({ id: storableText(64) });
export const query = z.strictObject({
  /** Milliseconds since 1970. */
  expires: z.coerce.number().int().optional(),
  signature: z.string().max(64).optional(),
});
