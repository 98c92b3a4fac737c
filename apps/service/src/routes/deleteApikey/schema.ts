import { z } from "zod";
import { storableText } from "../../paging/query.ts";

export const params = z.strictObject({ id: storableText(64) });

export const revokedAnswer = z.strictObject({ success: z.literal(true) });
