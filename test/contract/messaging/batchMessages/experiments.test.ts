import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { storedTime } from "../../service/running.ts";
import { AT, versionAt } from "../../service/seed.ts";
import { type Campaign, type CampaignActivity, ownerOf } from "../messages/campaign.ts";
import { loadCampaign } from "../messages/loadCampaign.ts";
import { type MessageWorld, messageWorld, ROOT } from "./messageWorld.ts";

let world: MessageWorld;

beforeAll(async () => {
  world = await messageWorld();
});
afterAll(() => world.service.stop());

const MINUTE = 60_000;
const BEGIN = Date.UTC(2026, 2, 29, 9);
const tests = [
  { type: "bandit", enabled: false, name: "old" },
  { type: "split", enabled: true, name: "subject", variants: [{ name: "short" }, { name: "long" }, { name: "late" }] },
];

/** Contacts 1 and 2 got `short`, 3 and 4 `long`; 2 was merged into 1. */
const variantOf = (contact: number) => (contact < 3 ? "short" : "long");

function campaignOf(id: string) {
  let uids = 0;
  const activity = (contact: number, action: string, minutes: number, more: Partial<CampaignActivity> = {}) => {
    uids += 1;
    const time = BEGIN + minutes * MINUTE;
    const mcId = `acc:${id}:b:c${contact}:1`;
    return { contact, action, time, ingested: time, uid: `u${uids}`, mcId, properties: {}, ...more };
  };
  const order = { purchasedAt: BEGIN + 40 * MINUTE, counts: true, deleted: false, currency: "EUR" };
  return {
    aliases: new Map([[2, 1]]),
    activities: [
      ...[1, 2, 3, 4].map((contact) =>
        activity(contact, "message-sent", 0, { properties: { variant: variantOf(contact) } }),
      ),
      // What a contact did names no variant of its own: it follows the send.
      activity(1, "open", 5),
      activity(2, "open", 6),
      activity(3, "open", 5, { device: { robot: true } }),
      activity(3, "click", 9),
      activity(3, "click", 10),
      activity(4, "bounce", 1, { properties: { bounceType: "soft" } }),
      activity(1, "optout", 11),
    ],
    orders: [
      { ...order, orderId: "o1", contact: 3, total: 123_400n, mcID: `acc:${id}:b:c3:1` },
      { ...order, orderId: "o2", contact: 4, total: 10_000n, msID: id },
      { ...order, orderId: "o3", contact: 3, total: 90_000n, mcID: `acc:${id}:b:c3:1`, currency: "USD" },
    ],
  };
}

const nothing = {
  ...{ sends: 0, clicks: 0, uniqueClicks: 0, opens: 0, uniqueOpens: 0, bounces: 0, revenue: 0, orders: 0 },
  ...{ complaints: 0, optouts: 0 },
};

test("the experiment and the stats of a message count what followed its sends, by the variant that was sent", async () => {
  const id = await world.make({ tests });
  const { body: draft } = await world.call("GET", `${ROOT}/${id}`);
  expect(Object.values(draft.stats), "of a message that was never sent").toEqual(Array(8).fill(0));
  await loadCampaign(world.service.clickHouse, world.account.number, campaignOf(id));
  const text = "UPDATE batch_messages SET status = 'sent', audience_total = 4, send_at = $2 WHERE id = $1";
  await world.service.postgres.execute({ text }, [id, BEGIN]);

  const performance = await world.call("GET", `${ROOT}/${id}/experimentperformance`);
  expect(performance.body).toEqual({
    ...{ name: "subject", strategy: "split", totalAudience: 4, conversions: 0 },
    variants: [
      { name: "short", stats: { ...nothing, sends: 2, opens: 2, uniqueOpens: 1, optouts: 1 }, conversions: 0 },
      {
        name: "long",
        stats: { ...nothing, sends: 2, clicks: 2, uniqueClicks: 1, bounces: 1, orders: 3, revenue: 13.34 },
        conversions: 0,
      },
      { name: "late", stats: nothing, conversions: 0 },
    ],
    asOf: expect.stringMatching(/Z$/),
  });
  const { stats, asOf } = (await world.call("GET", `${ROOT}/${id}`)).body;
  expect(asOf).toMatch(/Z$/);
  expect(stats).toEqual({
    ...{ sent: 4, delivered: 3, opens: 2, clicks: 2, bounces: 1, optouts: 1, complaints: 0, revenue: 13.34 },
  });
  expect((await world.call("GET", `${ROOT}/${id}?fields=id`)).body).toEqual({ id });
});

/** Deed of a contact, in minutes from the start of the message. */
const deed = fc.record({
  contact: fc.integer({ min: 1, max: 5 }),
  minutes: fc.integer({ min: -1, max: 1 }),
  isGoal: fc.boolean(),
  plan: fc.constantFrom("pro", "free"),
});
type Deed = typeof deed extends fc.Arbitrary<infer Value> ? Value : never;

/** Counts in plain TypeScript: live contacts that were sent to and have reached the goal since the start. */
function plainConversions(campaign: Pick<Campaign, "aliases">, sentTo: readonly number[], deeds: readonly Deed[]) {
  const owner = (contact: number) => ownerOf({ ...campaign, activities: [], orders: [] }, contact);
  const reached = deeds.filter(({ minutes, isGoal, plan }) => minutes >= 0 && isGoal && plan === "pro");
  const owners = new Set(reached.map(({ contact }) => owner(contact)));
  const count = (sent: readonly number[]) => new Set(sent.map(owner).filter((contact) => owners.has(contact))).size;
  const ofVariant = (name: string) => count(sentTo.filter((contact) => variantOf(contact) === name));
  return [count(sentTo), ofVariant("short"), ofVariant("long"), 0];
}

test("conversions are the contacts that got the message and reached its goal since it began", async () => {
  const aliases = new Map([[2, 1]]);
  const contacts = [1, 3, 4, 5].map((contact) => ({
    ...{ contact, cid: contact.toString(16).padStart(24, "0"), merged_into: 0, deleted: 0 },
    ...{ created_at: storedTime(AT), modified_at: storedTime(AT), version: versionAt(AT), revision: 1 },
  }));
  await world.service.insert("contacts_current", world.account, contacts);
  const sentTo = fc.uniqueArray(fc.integer({ min: 1, max: 5 }));
  let round = 0;
  const law = fc.asyncProperty(sentTo, fc.array(deed, { minLength: 3, maxLength: 12 }), async (sent, deeds) => {
    round += 1;
    const goal = { action: `signup${round}`, where: [{ field: "plan", op: "eq", value: "pro" }] };
    const id = await world.make({ tests: [{ ...tests[1], metric: "conversions", goal }] });
    const text = "UPDATE batch_messages SET status = 'sent', audience_total = 5, send_at = $2 WHERE id = $1";
    await world.service.postgres.execute({ text }, [id, BEGIN]);
    const activity = (contact: number, action: string, minutes: number, plan = "") => {
      const time = BEGIN + minutes * MINUTE;
      const mcId = action === "message-sent" ? `acc:${id}:b:c${contact}:1` : "";
      const properties = { plan, variant: variantOf(contact) };
      return { contact, action, time, ingested: time, mcId, properties };
    };
    const done = [
      ...sent.map((contact) => activity(contact, "message-sent", 0)),
      ...deeds.map(({ contact, isGoal, minutes, plan }) =>
        activity(contact, isGoal ? goal.action : "other", minutes, plan),
      ),
    ];
    const activities = done.map((one, index) => ({ ...one, uid: `${round}-${index}` }));
    await loadCampaign(world.service.clickHouse, world.account.number, { aliases, activities, orders: [] });
    const { body } = await world.call("GET", `${ROOT}/${id}/experimentperformance`);
    const view = [body, ...body.variants].map(({ conversions }) => conversions);
    expect(view).toEqual(plainConversions({ aliases }, sent, deeds));
  });
  await fc.assert(law, { numRuns: 8 });
});

test("a message without an enabled experiment, an unknown one and another account's have no performance", async () => {
  const plain = await world.make({ tests: tests.slice(0, 1) });
  const withTest = await world.make({ tests });
  const asked = [
    world.call("GET", `${ROOT}/${plain}/experimentperformance`),
    world.call("GET", `${ROOT}/65f0c0ffee65f0c0ffee0099/experimentperformance`),
    world.call("GET", `${ROOT}/${withTest}/experimentperformance`, undefined, world.otherKey),
  ];
  for (const { status, body } of await Promise.all(asked)) {
    expect([status, body.code]).toEqual([404, "RECORD_NOT_FOUND"]);
  }
});
