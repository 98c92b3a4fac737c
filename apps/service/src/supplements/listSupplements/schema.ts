import { z } from "zod";
import { pageOf } from "../../paging/answerSchema.ts";
import { listQuery } from "../../paging/query.ts";
import { tableAnswer, tableExample } from "../tableShape.ts";

export const query = z.strictObject({ ...listQuery, sort_by: z.literal("key").optional() });
export type TablesQuery = z.output<typeof query>;

export const tablesAnswer = pageOf(tableAnswer.partial());
export const tablesExample = { data: [tableExample], pagination: { per_page: 25, page: 1, next_cursor: null } };
