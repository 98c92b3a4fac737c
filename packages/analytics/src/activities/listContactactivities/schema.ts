import { pageOf } from "@headwater/api/paging/answerSchema";
import { bound, listQuery, storableText } from "@headwater/api/paging/query";
import { z } from "zod";

const texts = z.union([z.string().max(1_024), z.array(z.string().max(1_024)).max(100)]);

export const query = z.strictObject({
  ...listQuery,
  sort_by: z.literal("time").optional(),
  action: storableText(40).optional(),
  email: storableText(512).optional(),
  cID: storableText(512).optional(),
  mcID: storableText(512).optional(),
  mdtID: storableText(512).optional(),
  "contactFields[]": texts
    .optional()
    .describe("Fields of the live contact: paths, attribute keys, identifiers, or `lists` for the names of its lists."),
  "time[gt]": bound,
  "time[gte]": bound,
  "time[lt]": bound,
  "time[lte]": bound,
});
export type ActivitiesQuery = z.output<typeof query>;

/** The sorting key of an activity: time, action, number of the contact, uid. */
export const cursorKey = z.tuple([
  z.number().int(),
  storableText(1_024),
  z.number().int().nonnegative(),
  storableText(1_024),
]);
export type ActivityKey = z.output<typeof cursorKey>;

export const ACTIVITY_MEMBERS = [
  ...["id", "action", "cID", "email", "time", "mcID", "bmID", "first", "properties"],
  ...["geo", "device", "contactFields"],
] as const;

const activity = z.strictObject({
  id: z.string(),
  action: z.string(),
  cID: z.string(),
  email: z.string().optional(),
  time: z.string(),
  mcID: z.string().optional(),
  bmID: z.string().optional(),
  first: z.boolean(),
  properties: z.record(z.string(), z.unknown()),
  geo: z.record(z.string(), z.unknown()).optional(),
  device: z.record(z.string(), z.unknown()).optional(),
  contactFields: z.record(z.string(), z.unknown()).optional(),
});
export const activitiesAnswer = pageOf(activity.partial());

export const activitiesExample = {
  data: [
    {
      id: "0Kq3yVbR2mX9aLpT7cWd:0:0",
      action: "browse",
      cID: "65f0c0ffee65f0c0ffee0001",
      email: "ada@example.com",
      time: "2026-01-09T22:47:12.000Z",
      first: true,
      properties: { category: "Shoes" },
    },
  ],
  pagination: { per_page: 25, page: 1, next_cursor: null },
  asOf: "2026-01-09T22:47:13.000Z",
};
