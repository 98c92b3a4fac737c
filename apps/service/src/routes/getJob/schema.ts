import { z } from "zod";
import { include } from "../../jobs/jobSchema.ts";
import { afterQuery, storableText } from "../../paging/query.ts";

export const params = z.strictObject({ id: storableText(64) });
export const query = z.strictObject({ ...afterQuery, include });
