import { z } from "zod";
import { afterQuery } from "../../paging/query.ts";

export const query = z.strictObject(afterQuery);
/** The rest is checked by the rules of audience criteria, which list all errors. */
export const body = z.looseObject({});

const nodeCount = z.strictObject({
  path: z.string(),
  count: z.number().int(),
  leftOut: z.array(z.strictObject({ code: z.string(), count: z.number().int() })).optional(),
});
export const audienceAnswer = z.strictObject({
  count: z.number().int(),
  asOf: z.string(),
  exact: z.boolean(),
  explain: z.array(nodeCount).optional(),
  sample: z.array(z.string()).optional(),
  options: z.strictObject({
    asOf: z.string(),
    basis: z.enum(["recorded", "event"]),
    timezone: z.string(),
    eligibleFor: z.strictObject({ channel: z.string(), classification: z.string() }).optional(),
  }),
});

export const criteriaExample = {
  and: [
    { list: "vip", op: "in" },
    { order: true, count: { op: "gte", value: 2 }, within: { last: { n: 30, unit: "day" } } },
  ],
};
export const audienceExample = {
  count: 412,
  asOf: "2026-01-09T22:47:12.000Z",
  exact: true,
  options: { asOf: "2026-01-09T22:47:12.000Z", basis: "recorded", timezone: "UTC" },
};
