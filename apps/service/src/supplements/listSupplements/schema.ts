import { z } from "zod";
import { pageOf } from "../../paging/answerSchema.ts";
import { listQuery, storableText } from "../../paging/query.ts";
import { tableAnswer, tableExample } from "../tableShape.ts";

export const query = z.strictObject({ ...listQuery, sort_by: z.enum(["key", "name"]).optional() });
export type TablesQuery = z.output<typeof query>;

const key = storableText(128);
/** Lists by key go on behind a key alone. */
export const cursorKey = z.union([key, z.strictObject({ key, name: storableText(1_024) })]);

export const tablesAnswer = pageOf(tableAnswer.partial());
export const tablesExample = { data: [tableExample], pagination: { per_page: 25, page: 1, next_cursor: null } };
