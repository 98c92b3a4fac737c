import { z } from "zod";
import { listQuery } from "../../paging/query.ts";
import { numbersQuery, shownQuery } from "../numbersQuery.ts";
import { statsExample, statsShape } from "../statsView.ts";

const { page, per_page, cursor } = listQuery;
export const query = z.strictObject({ ...numbersQuery, page, per_page, cursor });
export type StatsQuery = z.output<typeof query>;

/** Place of a row: newest first, then by its id. */
export const cursorKey = z.strictObject({ sentAt: z.number().int(), id: z.string() });
export type StatsKey = z.output<typeof cursorKey>;

const text = z.string().nullable();
const url = z.string().nullable();

export const statsAnswer = z.strictObject({
  data: z.array(
    z.strictObject({
      message_id: z.string(),
      ...{ message_key: text, orchestration_id: text, orchestration_name: text, subject: text },
      tags: z.array(z.string()),
      ...{ channel_key: text, channel_type: text },
      sent_at: z.string().describe("The first send on the days."),
      stats: statsShape,
    }),
  ),
  query: shownQuery.extend({ page: z.number().int().optional(), per_page: z.number().int() }),
  pagination: z.strictObject({
    total: z.number().int(),
    per_page: z.number().int(),
    current_page: z.number().int().nullable().describe("Null with `cursor`."),
    last_page: z.number().int(),
    from: z.number().int().nullable(),
    to: z.number().int().nullable(),
    first_page_url: z.string(),
    ...{ last_page_url: url, next_page_url: url, prev_page_url: url },
    next_cursor: z.string().nullable(),
  }),
  asOf: z.string(),
});

const STATS_PATH = "/v2/programs/65f0c0ffee65f0c0ffee00b1/stats?start_date=2026-03-01&end_date=2026-03-31&per_page=25";

export const statsPageExample = {
  data: [
    {
      message_id: "65f0c0ffee65f0c0ffee0009:d260312",
      ...{ message_key: "cart-reminder", orchestration_id: null, orchestration_name: null },
      ...{ subject: "Still interested?", tags: ["spring"], channel_key: "email", channel_type: "email" },
      sent_at: "2026-03-12T08:00:00.000Z",
      stats: statsExample,
    },
  ],
  query: { start_date: "2026-03-01", end_date: "2026-03-31", timezone: "Europe/Berlin", page: 1, per_page: 25 },
  pagination: {
    ...{ total: 1, per_page: 25, current_page: 1, last_page: 1, from: 1, to: 1 },
    ...{ first_page_url: `${STATS_PATH}&page=1`, last_page_url: `${STATS_PATH}&page=1` },
    ...{ next_page_url: null, prev_page_url: null, next_cursor: null },
  },
  asOf: "2026-03-31T22:47:12.000Z",
};
