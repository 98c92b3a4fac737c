import { z } from "zod";
import { pageOf } from "../../paging/answerSchema.ts";
import { listQuery, storableText } from "../../paging/query.ts";
import { recordAnswer, recordExample } from "../recordShape.ts";

const FILTER_CHARACTERS_MAX = 1_024;
const own = { ...listQuery, sort_by: storableText(1_024).optional() };

/** Every other parameter is a filter. */
export const query = z.object(own).catchall(storableText(FILTER_CHARACTERS_MAX));
export type RecordsQuery = z.output<typeof query>;

export const ownParameters: ReadonlySet<string> = new Set(Object.keys(own));

export const cursorKey = z.strictObject({ key: storableText(4_096), id: storableText(256) });

export const recordsAnswer = pageOf(recordAnswer.partial());
export const recordsExample = { data: [recordExample], pagination: { per_page: 25, page: 1, next_cursor: null } };
