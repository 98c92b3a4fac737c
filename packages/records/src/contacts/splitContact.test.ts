import { contactMergeOptions } from "@headwater/contracts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { mergeExplicitly } from "./explicitMerge.ts";
import { mergeAsAsked } from "./mergeAsAsked.ts";
import { splitContact } from "./splitContact.ts";
import { account, OTHER, SURVIVOR, type System, seen, shown, system, upsert } from "./testSplit.ts";

const joining = { ...SURVIVOR, ...OTHER };
const merge = ({ send }: System) =>
  send("upsertContact", { contact: { identifiers: joining, mergeOptions: { mergeAllowed: true } } });

const identifiers = fc.constantFrom(SURVIVOR, OTHER);
const status = fc.constantFrom("subscribed", "unsubscribed", "none", "pending");
const channel = fc.record(
  { subscribeStatus: status, subscribedAt: fc.constant("2026-01-01") },
  { requiredKeys: ["subscribeStatus"] },
);
const attributes = fc.record(
  {
    plan: fc.constantFrom("x", "y", null),
    city: fc.constantFrom(1, 2),
    channels: fc.record({ email: channel, push: channel }),
  },
  { requiredKeys: ["plan"] },
);
const channels = fc.record(
  {
    email: fc.record({ address: fc.constant("a@x"), subscribeStatus: status }, { requiredKeys: [] }),
    sms: fc.record({ address: fc.constant("8"), subscribeStatus: status }, { requiredKeys: ["address"] }),
  },
  { requiredKeys: [] },
);
const side = fc.constantFrom("sourceContact", "destinationContact");
const options = fc.record(
  {
    email_channels: side,
    sms_channels: side,
    push_channels: fc.constantFrom("ignore", "merge"),
    attributes: side,
  },
  { requiredKeys: [] },
);
const product = { productID: "p", sku: "s", category: "c", name: "n", qty: 1 };
const write = fc.oneof(
  fc
    .tuple(identifiers, attributes, fc.boolean())
    .map(([id, values, forceSubscribe]) => ["upsertContact", upsert(id, values, { forceSubscribe })] as const),
  fc
    .tuple(fc.constantFrom("addContactsToList", "removeContactsFromList"), identifiers, fc.constantFrom("vip", "news"))
    .map(([name, id, listName]) => [name, { contact: { identifiers: id }, listName }] as const),
  fc
    .tuple(identifiers, fc.constantFrom("o1", "o2"))
    .map(
      ([id, orderID]) =>
        [
          "upsertOrder",
          { contact: { identifiers: id }, order: { orderID, purchaseDate: "2026-01-01", items: [] } },
        ] as const,
    ),
  identifiers.map((id) => ["addProductsToCart", { contact: { identifiers: id }, products: [product] }] as const),
);

function two(writes: readonly (readonly [string, object])[]): System {
  const created = system();
  created.send("upsertContact", upsert(SURVIVOR, { plan: "gold" }));
  created.send("upsertContact", upsert(OTHER, { plan: "free", channels: { email: { address: "B@x" } } }));
  for (const [name, members] of writes) created.send(name, members);
  return created;
}

describe("a split", () => {
  test("of what a merge brought leaves both contacts as they were before it, however often", () => {
    fc.assert(
      fc.property(
        fc.array(write, { maxLength: 12 }),
        fc.boolean(),
        fc.integer({ min: 1, max: 3 }),
        (writes, isAsked, times) => {
          const built = two(writes);
          const before = seen(built);
          for (let time = 0; time < times; time++) {
            if (isAsked) mergeAsked(built);
            else merge(built);
            expect(built.state.aliases.size).toBe(1);
            expect(built.split(["email"]).kind).toBe("split");
            expect(seen(built)).toEqual(before);
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  test("of a merge that named sides leaves both contacts as they were before it", () => {
    fc.assert(
      fc.property(fc.array(write, { maxLength: 8 }), channels, options, (writes, own, asked) => {
        const result = two(writes);
        result.send("upsertContact", upsert(SURVIVOR, { channels: own }));
        result.send("upsertContact", upsert(OTHER, { channels: { sms: { address: "7", subscribeStatus: "none" } } }));
        const before = seen(result);
        mergeByOptions(result, asked);
        expect(result.state.aliases.size).toBe(1);
        expect(result.split(["sms"]).kind).toBe("split");
        expect(seen(result)).toEqual(before);
      }),
      { numRuns: 300 },
    );
  });

  test("of two merges, in whichever order, leaves all three contacts as they were", () => {
    const phone = { phone: "9" };
    const third = (made: System) => {
      made.send("upsertContact", upsert(phone, { plan: "silver", channels: { sms: { address: "9" } } }));
      made.send("addContactsToList", { contact: { identifiers: phone }, listName: "vip" });
      made.send("addProductsToCart", { contact: { identifiers: phone }, products: [product] });
    };
    fc.assert(
      fc.property(fc.array(write, { maxLength: 8 }), fc.constantFrom("email", "sms"), (writes, first) => {
        const made = two(writes);
        third(made);
        const before = seen(made);
        merge(made);
        made.send("upsertContact", {
          contact: { identifiers: { ...SURVIVOR, ...phone }, mergeOptions: { mergeAllowed: true } },
        });
        expect(made.state.aliases.size).toBe(2);
        made.split([first]);
        made.split([first === "email" ? "sms" : "email"]);
        expect(seen(made)).toEqual(before);
      }),
      { numRuns: 200 },
    );
  });

  test("keeps with the survivor what was written since, and gives the other exactly what it had", () => {
    const made = two([]);
    merge(made);
    made.send("upsertContact", upsert(OTHER, { plan: "silver", size: 3 }));
    made.split(["email"]);
    expect(shown(made, "customer_id", "1")).toEqual({
      "attributes.plan": "silver",
      "attributes.size": 3,
      "identifiers.customer_id": "1",
    });
    expect(shown(made, "email", "b@x")).toMatchObject({ "attributes.plan": "free", "channels.email.address": "b@x" });
  });

  test("leaves both unsubscribed when the one contact unsubscribed", () => {
    const made = two([]);
    made.send("upsertContact", upsert(SURVIVOR, { channels: { email: { subscribeStatus: "subscribed" } } }));
    merge(made);
    made.send("upsertContact", upsert(SURVIVOR, { channels: { email: { subscribeStatus: "unsubscribed" } } }));
    made.split(["email"]);
    const path = "channels.email.subscribeStatus";
    expect([shown(made, "customer_id", "1")[path], shown(made, "email", "b@x")[path]]).toEqual([
      "unsubscribed",
      "unsubscribed",
    ]);
  });

  test("of channels no merge brought makes a new contact of them, with their subscription", () => {
    const made = system();
    const channels = { email: { address: "A@x", subscribeStatus: "unsubscribed" }, sms: { address: "123" } };
    made.send("upsertContact", upsert(SURVIVOR, { plan: "gold", channels }));
    expect(made.split(["email"])).toMatchObject({ kind: "split" });
    expect(shown(made, "email", "a@x")).toMatchObject({
      "channels.email.address": "a@x",
      "channels.email.subscribeStatus": "unsubscribed",
      "identifiers.email": "a@x",
    });
    expect(shown(made, "customer_id", "1")).toEqual({
      "attributes.plan": "gold",
      "channels.sms.address": "123",
      "channels.sms.valid": false,
      "identifiers.customer_id": "1",
      "identifiers.phone": "123",
    });
    expect(made.split(["sms", "email"])).toMatchObject({ kind: "split", contact: expect.anything() });
  });

  test("of channels no merge brought moves the attribute that is their address, and leaves one that is not", () => {
    const made = system();
    const [phone, sms] = ["+4922812345", { address: "+4922812345" }];
    made.send("upsertContact", upsert(SURVIVOR, { phone, channels: { sms } }));
    made.send("upsertContact", upsert(SURVIVOR, { email: "b@x" }));
    made.send("upsertContact", upsert(SURVIVOR, { email: { no: "address" } }));
    made.split(["sms", "email"]);
    expect(shown(made, "customer_id", "1")).toEqual({
      "attributes.email": { no: "address" },
      "identifiers.customer_id": "1",
    });
    expect(shown(made, "phone", phone)).toEqual({
      "attributes.phone": phone,
      "channels.email.address": "b@x",
      "channels.sms.address": phone,
      "identifiers.email": "b@x",
      "identifiers.phone": phone,
    });
    made.send("upsertContact", upsert({ phone }, { phone: "+4922899999" }));
    expect(shown(made, "phone", "+4922899999")).toMatchObject({ "attributes.phone": "+4922899999" });
  });

  test("names the channels that the contact does not have", () => {
    const made = two([]);
    expect(made.split(["push", "email"])).toEqual({ kind: "unknownChannels", places: [0, 1] });
    merge(made);
    expect(made.split(["email", "push"])).toEqual({ kind: "unknownChannels", places: [1] });
  });

  test("of a chain takes it apart link by link, the contacts below a link with it", () => {
    const made = two([]);
    made.send("upsertContact", upsert({ phone: "9" }, { channels: { sms: { address: "9" } } }));
    made.send("upsertOrder", {
      contact: { identifiers: { phone: "9" } },
      order: { orderID: "o9", purchaseDate: "2026-01-01", items: [] },
    });
    const [survivor, other, third] = [
      made.numberOf("customer_id", "1"),
      made.numberOf("email", "b@x"),
      made.numberOf("phone", "9"),
    ];
    const before = seen(made);
    const mergeOptions = { mergeAllowed: true };
    made.send("upsertContact", { contact: { identifiers: { ...OTHER, phone: "9" }, mergeOptions } });
    merge(made);
    expect([...made.state.aliases].sort()).toEqual([
      [other, survivor],
      [third, survivor],
    ]);
    made.split(["sms"]);
    expect([...made.state.aliases]).toEqual([[third, other]]);
    expect([...made.state.orders.values()].map(({ contact }) => contact)).toEqual([other]);
    made.state.write(account, (view) => splitContact(view, view.contactByNumber(other), ["sms"], made.next()));
    expect(seen(made)).toEqual(before);
  });

  test("an old record after a split finds the contact it found before the merge, and merges nobody unless it may (E11)", () => {
    const made = two([]);
    merge(made);
    made.split(["email"]);
    const other = made.numberOf("email", "b@x");
    expect(made.send("upsertContact", upsert(OTHER, { plan: "late" }))).toMatchObject({ contact: other });
    const outcome = made.send("upsertContact", { contact: { identifiers: joining } });
    expect(outcome?.kind === "skipped" || outcome?.kind === "applied" ? [...outcome.warnings] : []).toEqual([
      "IDENTITY_CONFLICT",
    ]);
    expect(made.state.aliases.size).toBe(0);
    merge(made);
    expect(made.state.aliases.size).toBe(1);
  });
});

function mergeAsked({ state, numberOf, next }: System): void {
  const origin = next();
  state.write(account, (view) => {
    const [destination, source] = [numberOf("customer_id", "1"), numberOf("email", "b@x")].map((n) =>
      view.contactByNumber(n),
    );
    if (destination === undefined || source === undefined) throw new Error("both live");
    return { changeEvents: mergeExplicitly(view, { source, destination, attributes: "destinationContact" }, origin) };
  });
}

function mergeByOptions({ state, numberOf, next }: System, asked: object): void {
  const origin = next();
  state.write(account, (view) => {
    const [destination, source] = [numberOf("customer_id", "1"), numberOf("email", "b@x")].map((n) =>
      view.contactByNumber(n),
    );
    if (destination === undefined || source === undefined) throw new Error("both live");
    return mergeAsAsked(view, { source, destination, orders: [] }, contactMergeOptions.parse(asked), origin);
  });
}
