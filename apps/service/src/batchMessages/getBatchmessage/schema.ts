import { z } from "zod";
import { afterQuery, listQuery } from "../../paging/query.ts";

export const query = z.strictObject({ ...afterQuery, fields: listQuery.fields });
