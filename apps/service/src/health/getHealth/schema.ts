import { z } from "zod";

export const healthAnswer = z.strictObject({ status: z.literal("ok") });
