import { z } from "zod";

export const params = z.strictObject({ id: z.string() });
export const clearAnswer = z.strictObject({ success: z.literal(true), id: z.number().int(), jobId: z.string() });
export const clearExample = { success: true, id: 1, jobId: "65f0c0ffee65f0c0ffee0001" };
