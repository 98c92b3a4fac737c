import { createHash } from "node:crypto";
import { accountSettings, defaultSettings } from "@headwater/contracts";
import { describe, expect, test } from "vitest";
import { withoutAbsent } from "../reading.ts";
import { subscription, subscriptionHash } from "./subscription/subscription.ts";

const context = { settings: defaultSettings, accountId: "a".repeat(24), nowMs: Date.UTC(2026, 0, 10), bodyHash: "h" };
const mapped = (pushed: object, settings = defaultSettings) =>
  subscription.map(subscription.body.parse(withoutAbsent(pushed)), { ...context, settings }).parts;
const coffee = {
  id: 90_001,
  email: "ann@x.org",
  status: "ACTIVE",
  product_title: "Coffee",
  price: "9.50",
  created_at: "2026-01-09 22:47:10",
  updated_at: "2026-01-09T22:47:12",
};

describe("a subscription", () => {
  test("becomes an activity of its contact and a record of the built-in table", () => {
    const fields = {
      product_title: "Coffee",
      price: "9.50",
      created_at: "2026-01-09 22:47:10",
      updated_at: "2026-01-09T22:47:12",
      status: "active",
    };
    const time = "2026-01-09 22:47:10";
    const event = { name: "subscription-created", time, UID: `subscription-90001-created-${time}` };
    const contact = { identifiers: { email: "ann@x.org" }, canBeCreated: true };
    const none = { cancelled_at: null, cancellation_reason: null, cancellation_reason_comments: null };
    expect(mapped({ subscription: coffee })).toMatchObject([
      {
        operation: "createContactactivities",
        body: { contact, contactactivities: [{ ...event, properties: { id: "90001", ...fields } }] },
        once: "h/activity",
      },
      {
        operation: "upsertSupplementsRecords",
        body: { supplement: "subscriptions", records: [{ id: "90001", email: "ann@x.org", ...fields, ...none }] },
        once: "h/record",
      },
    ]);
    expect(mapped(coffee)).toEqual(mapped({ subscription: coffee }));
  });

  test.each([
    [{}, "created"],
    [{ updated_at: "2026-01-09T22:47:20" }, "created"],
    [{ updated_at: "2026-01-09T22:47:21" }, "updated"],
    [{ created_at: null }, "updated"],
    [{ status: "CANCELLED" }, "cancelled"],
    [{ cancelled_at: "2026-01-09T23:00:00Z", updated_at: "2026-01-09T23:00:00Z" }, "cancelled"],
    [{ status: "expired", updated_at: "2026-02-09T23:00:00Z" }, "expired"],
  ])("with %j is %s", (over, state) => {
    const [activity] = mapped({ ...coffee, ...over });
    expect(activity).toMatchObject({ body: { contactactivities: [{ name: `subscription-${state}` }] } });
  });

  test("a canceled subscription keeps its reason", () => {
    const cancelled = { ...coffee, cancelled_at: "2026-01-09T23:00:00Z", cancellation_reason: "Too much coffee" };
    expect(mapped(cancelled)[1]).toMatchObject({
      body: { records: [{ cancelled_at: "2026-01-09T23:00:00Z", cancellation_reason: "Too much coffee" }] },
    });
  });

  test("belongs to the address, else the customer's, else the customer's id under the name that is set", () => {
    const identifiersOf = (over: object, settings = defaultSettings) => {
      const [part] = mapped({ ...coffee, email: null, ...over }, settings);
      return part?.kind === "item" && "contact" in part.body ? part.body.contact : part;
    };
    expect(identifiersOf({ customer: { email: "b@x.org" } })).toMatchObject({ identifiers: { email: "b@x.org" } });
    expect(identifiersOf({ customer_id: 4711 })).toMatchObject({ identifiers: { customer_id: "4711" } });
    const settings = accountSettings.parse({ partners: { subscriptionsync: { customerIdKey: "billing_id" } } });
    expect(identifiersOf({ customer_id: "c9" }, settings)).toMatchObject({ identifiers: { billing_id: "c9" } });
    expect(identifiersOf({})).toMatchObject({ kind: "refused", verdict: "rejected" });
  });

  test("takes an empty text for an absent address, id or time", () => {
    const empty = { ...coffee, email: "", cancelled_at: "" };
    const [activity, record] = mapped({ ...empty, customer: { email: " " }, customer_id: 4711 });
    expect(activity).toMatchObject({
      body: {
        contact: { identifiers: { customer_id: "4711" } },
        contactactivities: [{ name: "subscription-created" }],
      },
    });
    expect(record).not.toHaveProperty("body.records.0.email");
    expect(mapped({ ...empty, customer: { email: "b@x.org" }, customer_id: "" })).toMatchObject([
      { body: { contact: { identifiers: { email: "b@x.org" } } } },
      { body: { records: [{ email: "b@x.org" }] } },
    ]);
    expect(mapped({ ...empty, customer_id: " " })).toMatchObject([{ kind: "refused", verdict: "rejected" }]);
  });

  test("without an id is refused", () => {
    expect(subscription.body.safeParse({ subscription: { ...coffee, id: undefined } }).success).toBe(false);
  });
});

describe("X-Subscription-Hmac-Sha256", () => {
  const bytes = Buffer.from('{"subscription": {"id": 1}}');
  const digest = (secret: string, body: Buffer = bytes) =>
    createHash("sha256").update(secret).update(body).digest("hex");
  const isRight = (header: string | undefined) =>
    subscriptionHash.isRight({
      header,
      bytes,
      secrets: ["one-secret", "two-secret"],
      settings: defaultSettings,
      nowMs: 0,
    });

  test("is right under either of two secrets", () => {
    expect([isRight(digest("one-secret")), isRight(digest("two-secret"))]).toEqual([true, true]);
  });

  test.each([
    ["nothing", undefined],
    ["another secret", digest("three-secret")],
    ["a body that was written anew on the way", digest("one-secret", Buffer.from('{"subscription":{"id":1}}'))],
    ["a signature that was cut", digest("one-secret").slice(0, -1)],
    ["a signature that was made longer", `${digest("one-secret")}0`],
    ["base64", Buffer.from(digest("one-secret"), "hex").toString("base64")],
    ["upper case", digest("one-secret").toUpperCase()],
  ])("is wrong with %s", (_what, header) => {
    expect(isRight(header)).toBe(false);
  });
});
