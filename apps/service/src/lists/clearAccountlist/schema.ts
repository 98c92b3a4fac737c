import { z } from "zod";
import { successShape } from "../../answers/success.ts";

export const params = z.strictObject({ id: z.string() });
export const clearAnswer = successShape.extend({ id: z.number().int(), jobId: z.string() });
export const clearExample = { success: true, id: 1, jobId: "65f0c0ffee65f0c0ffee0001" };
