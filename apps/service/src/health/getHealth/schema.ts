import { z } from "zod";
import { afterQuery } from "../../paging/query.ts";

export const query = z.strictObject(afterQuery);

export const healthAnswer = z.strictObject({ status: z.literal("ok") });
