import { z } from "zod";
import { variantStatsShape } from "../../messages/messageNumbers.ts";
import { afterQuery } from "../../paging/query.ts";
import { testTypes } from "../messageMembers.ts";

export const query = z.strictObject(afterQuery);

export const performanceAnswer = z.strictObject({
  name: z.string(),
  strategy: z.enum(testTypes),
  totalAudience: z.number().int(),
  conversions: z
    .number()
    .int()
    .describe("Contacts that got the message and reached the experiment's goal since it began."),
  variants: z.array(z.strictObject({ name: z.string(), stats: variantStatsShape })),
  asOf: z.string(),
});

const stats = {
  ...{ sends: 500, clicks: 61, uniqueClicks: 48, opens: 320, uniqueOpens: 245, bounces: 9, revenue: 917.25 },
  ...{ orders: 11, complaints: 0, optouts: 2 },
};

export const performanceExample = {
  name: "subject",
  strategy: "split",
  totalAudience: 1_000,
  conversions: 37,
  variants: [
    { name: "short", stats },
    { name: "long", stats: { ...stats, uniqueOpens: 201 } },
  ],
  asOf: "2026-03-31T22:47:12.000Z",
};
