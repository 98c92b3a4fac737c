import { z } from "zod";
import { afterQuery } from "../../paging/query.ts";

export const params = z.strictObject({ id: z.string() });
export const query = z.strictObject(afterQuery);
export const countAnswer = z.strictObject({ count: z.number().int() });
