import { z } from "zod";
import { afterQuery, listQuery, storableText } from "../../paging/query.ts";

export const params = z.strictObject({ id: storableText(1_024) });
export const query = z.strictObject({ ...afterQuery, fields: listQuery.fields });
