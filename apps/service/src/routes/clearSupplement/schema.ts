import { z } from "zod";

export const clearAnswer = z.strictObject({ success: z.literal(true), key: z.string(), jobId: z.string() });
export const clearExample = { success: true, key: "cars", jobId: "65f0c0ffee65f0c0ffee0001" };
