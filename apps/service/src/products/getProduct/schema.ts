import { z } from "zod";
import { afterQuery } from "../../paging/query.ts";

export const query = z.strictObject(afterQuery);
