import { z } from "zod";
import { successShape } from "../../answers/success.ts";

export const clearAnswer = successShape.extend({ key: z.string(), jobId: z.string() });
export const clearExample = { success: true, key: "cars", jobId: "65f0c0ffee65f0c0ffee0001" };
