import { experimentTypes, splitReasons } from "@headwater/contracts";
import { z } from "zod";
import { variantStatsShape } from "../../messages/messageNumbers.ts";
import { afterQuery } from "../../paging/query.ts";

export const query = z.strictObject(afterQuery);

const variant = z.strictObject({
  name: z.string(),
  stats: variantStatsShape,
  conversions: z.number().int(),
  share: z
    .number()
    .optional()
    .describe("Share of the next sends that a bandit gives it, once it has learnt something."),
});

export const performanceAnswer = z.strictObject({
  name: z.string(),
  strategy: z.enum(experimentTypes),
  totalAudience: z.number().int(),
  conversions: z
    .number()
    .int()
    .describe("Contacts that got the message and reached the experiment's goal since it began."),
  variants: z.array(variant),
  decision: z
    .strictObject({ winner: z.string().optional(), reason: z.enum(splitReasons).optional(), at: z.string() })
    .optional()
    .describe("End of a champion's test. Without a `winner` the message stays a split."),
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
    { name: "short", stats, conversions: 20 },
    { name: "long", stats: { ...stats, uniqueOpens: 201 }, conversions: 17 },
  ],
  asOf: "2026-03-31T22:47:12.000Z",
};
