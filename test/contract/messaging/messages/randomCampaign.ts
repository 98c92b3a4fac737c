import type { MessageSelection } from "@headwater/criteria";
import fc from "fast-check";
import type { Campaign, CampaignActivity } from "./campaign.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const BEGIN = Date.UTC(2026, 2, 26);
const CONTACTS = 9;

/** Messages by their id, period and type; the last ones count nowhere. */
const MESSAGES = [
  ...["m1:b", "news:may:b", "m1:o", "auto:d260327:a", "auto:d260328:a", "auto:h26032809:a", "plain:a", "flow:o"],
  ...["flow:d260328:o", "m1:t", "m2:batch"],
];
const contact = fc.integer({ min: 1, max: CONTACTS });
/** Around the night in which Europe's clocks go forward. */
const instant = fc.integer({ min: 0, max: 5 * 96 }).map((quarter) => BEGIN + (quarter * HOUR) / 4);
const mcId = fc.oneof(
  {
    weight: 12,
    arbitrary: fc
      .tuple(fc.constantFrom(...MESSAGES), contact, fc.integer({ min: 1, max: 2 }))
      .map(([message, to, n]) => `acc:${message}:c${to}:${n}`),
  },
  { weight: 1, arbitrary: fc.constantFrom("", "m1", "acc:m1:b", "acc::b:c1:1") },
);

const KEYS = ["welcome", "sale"];
const TAGS = ["red", "blue", "green"];
const ORCHESTRATIONS = ["o1", "o2"];
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined, freq: 1 });
const facts = fc
  .record({
    messageKey: maybe(fc.constantFrom<unknown>(...KEYS, null, 7)),
    messageName: maybe(fc.constantFrom("Welcome", "Sale")),
    channel: maybe(fc.constantFrom("email", "sms")),
    channelType: maybe(fc.constantFrom("email", "sms")),
    tags: maybe(fc.oneof(fc.subarray(TAGS), fc.constantFrom<unknown>("red", 5))),
    orchestrationID: maybe(fc.constantFrom(...ORCHESTRATIONS)),
    orchestrationName: maybe(fc.constantFrom("Onboarding", "Recovery")),
    audienceKeys: maybe(fc.subarray(["vip", "all"])),
    variant: fc.constantFrom<unknown>("a", "a", "b", undefined, 3, null),
  })
  .map((said) => ({ text: 'says "tags":', ...said }));

const activity = fc
  .record({
    contact,
    action: fc.constantFrom(
      ...["message-sent", "message-sent", "message-sent", "open", "open", "click"],
      ...["bounce", "optout", "complaint", "message-stopped", "browse"],
    ),
    time: instant,
    ingested: fc.integer({ min: 0, max: 1_000 }).map((seconds) => BEGIN + 6 * DAY + seconds * 1_000),
    mcId,
    facts,
    machine: fc.constantFrom<unknown>(undefined, undefined, undefined, true, false, "true"),
    bounceType: fc.constantFrom<unknown>(undefined, "hard", "soft", "Soft", "other", null),
    device: fc.constantFrom(undefined, undefined, {}, { robot: true }, { robot: false }),
  })
  .map(({ facts: said, machine, bounceType, ...rest }) => {
    const own = rest.action === "message-sent" ? said : { machine, bounceType };
    return { ...rest, properties: own };
  });

/** Some activities come again, later, from another contact of the same person, or of another time. */
const again = fc.record({ of: fc.nat(), contact, time: fc.option(instant, { nil: undefined }) });

export const randomCampaign: fc.Arbitrary<Campaign> = fc
  .record({
    merges: fc.uniqueArray(fc.tuple(fc.integer({ min: 5, max: CONTACTS }), fc.integer({ min: 0, max: 4 })), {
      selector: ([merged]) => merged,
      maxLength: 4,
    }),
    firsts: fc.array(activity, { minLength: 120, maxLength: 200 }),
    copies: fc.array(again, { minLength: 20, maxLength: 40 }),
    orders: fc.array(
      fc.record({
        contact,
        purchasedAt: instant,
        counts: fc.constantFrom(true, true, true, false),
        deleted: fc.constantFrom(false, false, false, false, true),
        currency: fc.constantFrom("USD", "USD", "EUR"),
        total: fc.option(fc.bigInt({ min: -200_000n, max: 90_000_000_000_000n }), { nil: null, freq: 6 }),
        mcID: maybe(mcId),
        msID: maybe(fc.constantFrom("m1", "news:may", "auto", "auto:d260327", "never", "")),
      }),
      { minLength: 30, maxLength: 60 },
    ),
  })
  .map(({ merges, firsts, copies, orders }) => {
    const activities: CampaignActivity[] = firsts.map((one, index) => ({ ...one, uid: `u${index}` }));
    const repeated = copies.flatMap(({ of, contact: by, time }, index) => {
      const first = activities[of % activities.length];
      // Copies of one sorting key must say the same; a millisecond of its own keeps each apart from its neighbours.
      return first ? [{ ...first, contact: by, time: (time ?? first.time) + index + 1 }] : [];
    });
    return {
      aliases: new Map(merges),
      activities: [...activities, ...repeated],
      orders: orders.map((order, index) => ({ ...order, orderId: `o${index}` })),
    };
  });

const some = <Value>(...values: Value[]) => fc.subarray(values, { maxLength: Math.min(2, values.length) });

/** Selections of messages to count: all, or some by a rule or two. */
export const randomSelection: fc.Arbitrary<MessageSelection> = fc.oneof(
  fc.constant({}),
  fc
    .record(
      {
        type: fc.constantFrom("b" as const, "a" as const, "o" as const),
        channel: fc.constantFrom("email", "sms"),
        channelType: fc.constantFrom("email", "sms"),
        name: fc.constantFrom("Welcome", "Sale", "None"),
        tags: fc.record({
          names: fc.subarray(TAGS, { minLength: 1 }),
          operator: fc.constantFrom("any" as const, "all" as const),
        }),
        orchestrationId: fc.constantFrom(...ORCHESTRATIONS),
        orchestrationName: fc.constantFrom("Onboarding", "Recovery"),
        audienceKeys: fc.subarray(["vip", "all"], { minLength: 1 }),
      },
      { requiredKeys: [] },
    )
    .chain((all) => {
      const names = Object.entries(all);
      return fc.subarray(names, { maxLength: Math.min(2, names.length) }).map((stored) => Object.fromEntries(stored));
    }),
  fc
    .record({
      ids: some("m1", "news:may", "auto", "none"),
      keys: some(...KEYS),
      tags: some(...TAGS),
      orchestrationIds: some(...ORCHESTRATIONS),
      orchestrationTags: some(...TAGS),
      channel: maybe(fc.constantFrom("email", "sms")),
    })
    .filter(({ channel: _, ...lists }) => Object.values(lists).some((list) => list.length > 0))
    .map(({ channel, ...group }) => ({ group, ...(channel !== undefined && { channel }) })),
);

export const randomTime: fc.Arbitrary<{ readonly from: number; readonly to: number }> = fc.oneof(
  fc.constant({ from: 0, to: BEGIN + 30 * DAY }),
  fc.tuple(instant, fc.integer({ min: 0, max: 3 * DAY })).map(([from, length]) => ({ from, to: from + length })),
);
