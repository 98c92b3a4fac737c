import { z } from "zod";
import { storableText } from "../../paging/query.ts";

export const params = z.strictObject({ id: storableText(1_024) });
