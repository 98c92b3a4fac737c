import { z } from "zod";

export const deletedAnswer = z.strictObject({ success: z.literal(true) });
