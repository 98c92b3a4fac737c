import { z } from "zod";
import { afterQuery } from "../../paging/query.ts";

const seconds = z.number().nonnegative();
const store = z.strictObject({ seconds });

export const query = z.strictObject(afterQuery);
export const freshnessAnswer = z.strictObject({
  data: z.array(
    z.strictObject({ topic: z.string(), group: z.string(), records: z.number().int().nonnegative(), seconds }),
  ),
  postgres: store,
  clickhouse: store,
  account: z.strictObject({ pending: z.number().int().nonnegative(), seconds }),
});
export const freshnessExample = {
  data: [
    { topic: "intake.records", group: "state", records: 0, seconds: 0 },
    { topic: "intake.records", group: "activities", records: 120, seconds: 0.31 },
  ],
  postgres: { seconds: 0 },
  clickhouse: { seconds: 0.31 },
  account: { pending: 12, seconds: 0.31 },
};
