import type { Campaign, CampaignActivity } from "./campaign.ts";

const HOUR = 3_600_000;
/** Midnight of 29 March 2026 in Berlin, whose day has 23 hours. */
const SUNDAY = Date.UTC(2026, 2, 28, 23);
const SENT = {
  batch: { messageKey: "sale", subject: "Sale!", channel: "email", channelType: "email", tags: ["spring"] },
  daily: { messageKey: "reminder", subject: "Still there?", channel: "sms", channelType: "sms", tags: "spring" },
};

let uids = 0;
function activity(mcId: string, action: string, time: number, rest: Partial<CampaignActivity> = {}): CampaignActivity {
  uids += 1;
  return { contact: 1, action, time, ingested: time, uid: `u${uids}`, mcId, properties: {}, ...rest };
}

const order = { contact: 1, purchasedAt: SUNDAY + 90 * HOUR, counts: true, deleted: false, currency: "EUR" };

/** A batch message to contacts 1 to 4, of which 2 was merged into 1, and two days of an automated one. */
export const knownCampaign: Campaign = {
  aliases: new Map([[2, 1]]),
  activities: [
    ...[1, 2, 3, 4].map((contact) =>
      activity(`acc:b1:b:c${contact}:1`, "message-sent", SUNDAY, { contact, properties: SENT.batch }),
    ),
    activity("acc:b1:b:c1:1", "open", SUNDAY + HOUR),
    activity("acc:b1:b:c2:1", "open", SUNDAY + HOUR, { contact: 2 }),
    activity("acc:b1:b:c3:1", "open", SUNDAY + HOUR, { contact: 3, device: { robot: true } }),
    activity("acc:b1:b:c3:1", "click", SUNDAY + 100 * HOUR, { contact: 3 }),
    activity("acc:b1:b:c4:1", "bounce", SUNDAY + HOUR, { contact: 4, properties: { bounceType: "soft" } }),
    activity("acc:d1:d260329:a:c1:1", "message-sent", SUNDAY + 2 * HOUR, { properties: SENT.daily }),
    activity("acc:d1:d260330:a:c1:2", "message-sent", SUNDAY + 23 * HOUR, { properties: SENT.daily }),
    activity("acc:d1:d260329:a:c1:1", "open", SUNDAY + 2 * HOUR),
    activity("acc:d1:d260330:a:c1:2", "open", SUNDAY + 30 * HOUR),
    activity("acc:d1:d260330:a:c1:2", "optout", SUNDAY + 30 * HOUR),
    activity("acc:t1:t:c1:1", "message-sent", SUNDAY, { properties: SENT.batch }),
  ],
  orders: [
    { ...order, orderId: "o1", total: 123_400n, mcID: "acc:b1:b:c1:1" },
    { ...order, orderId: "o2", total: 10_000n, msID: "b1" },
    { ...order, orderId: "o3", total: 90_000n, msID: "b1", currency: "USD" },
    { ...order, orderId: "o4", total: 90_000n, msID: "b1", counts: false },
    // Two that name no message: of the one who clicked within five days before, and a moment too late.
    { ...order, orderId: "o5", contact: 3, total: 50_000n, purchasedAt: SUNDAY + 220 * HOUR - 1 },
    { ...order, orderId: "o6", contact: 3, total: 70_000n, purchasedAt: SUNDAY + 220 * HOUR },
  ],
};
