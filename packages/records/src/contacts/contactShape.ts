import { z } from "zod";

export const contactParams = z.strictObject({ primary_key: z.string().min(1) });

const channel = z.strictObject({
  address: z.string().optional(),
  subscribeStatus: z.string(),
  subscribedAt: z
    .string()
    .optional()
    .describe(
      "Subscription time: as given, else the time of the write. A write that repeats the status does not change it.",
    ),
  unsubscribedAt: z
    .string()
    .optional()
    .describe("Unsubscription time, set like `subscribedAt`. Kept when the channel is resubscribed."),
  valid: z
    .literal(false)
    .optional()
    .describe("The address bounced for good, or cannot be one of the channel. Absent for every other address."),
});
export const contactAnswerShape = z.strictObject({
  cID: z.string(),
  identifiers: z.record(z.string(), z.string()),
  channels: z.record(z.string(), channel),
  attributes: z.record(z.string(), z.unknown()),
  lists: z.array(z.string()),
  listJoinDate: z.record(z.string(), z.string()),
  createdAt: z.string(),
  lastModified: z.string(),
});

export const contactExample = {
  cID: "65f0c0ffee65f0c0ffee0001",
  identifiers: { email: "ada@example.com", customer_id: "17850" },
  channels: {
    email: { address: "Ada@example.com", subscribeStatus: "subscribed", subscribedAt: "2026-01-09T22:47:12.000Z" },
  },
  attributes: { country: "GB", lifetime_value: 512.5 },
  lists: ["vip"],
  listJoinDate: { vip: "2026-01-09T22:47:12.000Z" },
  createdAt: "2026-01-09T22:47:12.000Z",
  lastModified: "2026-01-09T22:47:12.000Z",
};
