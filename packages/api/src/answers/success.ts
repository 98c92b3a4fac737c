import { z } from "zod";

/** A write without a record. */
export const successShape = z.strictObject({ success: z.literal(true) });
export const successExample = { success: true };
