import fc from "fast-check";
import type { Value, World } from "./model.ts";

export const NOW = Date.UTC(2026, 2, 30, 22, 30);
const DAY = 86_400_000;
const CONTACTS = 30;
/** A world has fewer writes, so that each has a millisecond of its own. */
const WRITES_MAX = 1_000;

/** Attributes by their declared type; the free one holds values of every kind. */
export const ATTRIBUTES = {
  color: "string",
  score: "number",
  born: "date",
  tags: "array",
  vip: "boolean",
  home: "geo",
  free: "auto",
} as const;

const word = fc.constantFrom(
  "red",
  "Red",
  "blue",
  "green blue",
  "",
  "12",
  "12.5",
  "[x]",
  "true",
  "a%_b",
  "it's",
  "ünï",
  "red\nblue",
);
const instant = fc.integer({ min: NOW - 500 * DAY, max: NOW + 20 * DAY });
const dateText = fc.oneof(
  instant.map((ms) => new Date(ms).toISOString()),
  instant.map((ms) => new Date(ms).toISOString().slice(0, 10)),
  instant.map((ms) => `${new Date(ms).toISOString().slice(0, 19)}+02:00`),
  instant.map((ms) => new Date(ms).toISOString().slice(0, 16).replace("T", " ")),
  instant.map((ms) => new Date(ms).toISOString().toLowerCase().replace("t", "T")),
  fc.constantFrom("1984-02-29", "1970-03-30", "1999-12-31", "2025-03-31", "1850-01-01"),
  fc.constantFrom(
    "2026-02-29",
    "2026-00-10",
    "2026/01/09",
    "2026-01-15T24:00:00Z",
    "2026-01-15T22",
    "2026-01-15 later",
  ),
);
const point: fc.Arbitrary<Value> = fc.record({
  city: fc.constantFrom("Bonn", "Köln"),
  country: fc.constantFrom("DE", "de"),
  loc: fc.record({ lat: fc.constantFrom(50.7, 51.9, 40), lon: fc.constantFrom(7.1, 6.9, -74) }),
});
/** Values from before the type was declared, and values at its edge. */
const noPoint: fc.Arbitrary<Value> = fc.constantFrom<Value>(
  "Bonn",
  {},
  { city: null },
  { city: 5, loc: { lat: 50.7, lon: 7.1 } },
  { planet: "Mars", loc: { lat: 50.7, lon: 7.1 } },
  { city: "Bonn", loc: { lat: 91, lon: 7.1 } },
  { city: "Bonn", loc: { lat: "50.7", lon: 7.1 } },
  { city: "Bonn", loc: null },
);
const array = fc.array(fc.oneof(word, fc.integer({ min: 0, max: 3 })), { maxLength: 4 });
const free: fc.Arbitrary<Value> = fc.oneof(
  word,
  fc.integer({ min: -2, max: 20 }),
  dateText,
  array,
  fc.boolean(),
  point,
);

const valuesOf: Record<string, fc.Arbitrary<Value>> = {
  "attributes.color": fc.oneof({ weight: 4, arbitrary: word }, { weight: 1, arbitrary: fc.constantFrom(12, true) }),
  "attributes.score": fc.oneof(
    fc.integer({ min: -5, max: 20 }),
    fc.constantFrom(12.5, "12.5", " 12 ", "1.", "+5", "1e1", "\t5", "0x5", "no number"),
  ),
  "attributes.born": dateText,
  "attributes.tags": fc.oneof({ weight: 4, arbitrary: array }, { weight: 1, arbitrary: fc.constant("red") }),
  "attributes.vip": fc.oneof(fc.boolean(), fc.constantFrom("true", "FALSE", "yes", "1", " 0 ", 1, "true\n")),
  "attributes.home": fc.oneof({ weight: 4, arbitrary: point }, { weight: 1, arbitrary: noPoint }),
  "attributes.free": free,
  "channels.email.address": fc.constantFrom("A@Example.com", "b@example.com", "c@other.org"),
  "channels.email.subscribeStatus": fc.constantFrom("subscribed", "unsubscribed", "none"),
  "channels.email.subscribedAt": dateText,
  "identifiers.email": fc.constantFrom("a@example.com", "d@example.com"),
  "identifiers.customer_id": fc.constantFrom("1", "2", "x"),
};

const write = { contact: fc.integer({ min: 1, max: CONTACTS }), at: fc.integer({ min: NOW - 300 * DAY, max: NOW }) };
const fieldWrite = fc.constantFrom(...Object.keys(valuesOf)).chain((field) =>
  fc.record({
    ...write,
    field: fc.constant(field),
    value: fc.option(valuesOf[field] ?? word, { nil: null, freq: 6 }),
  }),
);

const properties = fc.dictionary(
  fc.constantFrom("category", "price", "when", "tags", "nested", "flag"),
  fc.oneof(free, fc.constant(null), fc.record({ deep: free })),
);

const item = fc.record(
  {
    sku: fc.constantFrom("a", "b"),
    qty: fc.integer({ min: -2, max: 3 }),
    itemPrice: fc.constantFrom("9.99", "20"),
    attr: properties,
  },
  { requiredKeys: ["sku", "qty"] },
);

/** Facts that a `message-sent` may state about its message. */
const facts = fc.record(
  {
    messageKey: fc.constantFrom<Value>("spring", "autumn", null, ""),
    channel: fc.constantFrom("email", "sms"),
    tags: fc.constantFrom<Value>(["sale", "news"], [], "sale"),
  },
  { requiredKeys: [] },
);
const position = fc.record({
  city: fc.constantFrom(undefined, "Bonn", "Köln"),
  country: fc.constantFrom(undefined, "DE", "FR"),
  geoLoc: fc.constantFrom(undefined, { lat: 50.7, lon: 7.1 }, { lat: 40, lon: -74 }),
});
const device = fc.record(
  { type: fc.constantFrom("Mobile", "Tablet"), browser: fc.constantFrom("red", "Blue"), robot: fc.boolean() },
  { requiredKeys: [] },
);

/** A random world of 30 contacts, some deleted, some merged, with writes over 300 days. */
export const randomWorld: fc.Arbitrary<World> = fc
  .record({
    deleted: fc.uniqueArray(fc.integer({ min: 1, max: CONTACTS }), { maxLength: 3 }),
    merged: fc.uniqueArray(fc.integer({ min: 21, max: CONTACTS }), { minLength: 1, maxLength: 6 }),
    created: fc.array(fc.integer({ min: 100, max: 400 }), { minLength: CONTACTS, maxLength: CONTACTS }),
    fields: fc.array(fieldWrite, { minLength: 250, maxLength: 400 }),
    memberships: fc.array(
      fc.record({ ...write, list: fc.integer({ min: 1, max: 3 }), present: fc.boolean(), joinedAt: instant }),
      { minLength: 40, maxLength: 80 },
    ),
    orders: fc.array(
      fc.record({
        ...write,
        orderId: fc.integer({ min: 1, max: 40 }).map(String),
        purchasedAt: instant,
        status: fc.constantFrom("", "paid", "Cancelled", "refunded", "open"),
        currency: fc.constantFrom("USD", "USD", "EUR"),
        total: fc.bigInt({ min: -200_000n, max: 2_000_000n }).map((total) => total * 10n),
        items: fc.array(item, { maxLength: 3 }),
        properties,
        deleted: fc.constantFrom(false, false, false, true),
      }),
      { minLength: 40, maxLength: 70 },
    ),
    activities: fc.array(
      fc.record({
        contact: write.contact,
        action: fc.constantFrom("browse", "open", "click", "browse", "open", "click", "message-sent"),
        time: instant,
        ingested: fc.integer({ min: NOW - 300 * DAY, max: NOW }),
        uid: fc.integer({ min: 1, max: 150 }).map((n) => `u${n}`),
        mcId: fc.constantFrom(
          "",
          "acc:m1:batch:1:1",
          "acc:m2:batch:1:1",
          "acc:m3:d260102:a:1:1",
          "acc:m3:d260103:a:1:1",
          "acc:m1:t:1:1",
          "acc:m3:h26010309:a:1:1",
          "acc:m1:more:b:1:1",
        ),
        properties: fc.tuple(properties, facts).map(([free, known]) => ({ ...free, ...known })),
        geo: fc.option(position, { nil: undefined }),
        device: fc.option(device, { nil: undefined }),
      }),
      { minLength: 150, maxLength: 250 },
    ),
    carts: fc.array(
      fc.record({
        ...write,
        cartId: fc.constantFrom("", "c1", "c2"),
        expiresAt: fc.option(instant, { nil: null, freq: 1 }),
        total: fc.option(
          fc.bigInt({ min: 0n, max: 200_000n }).map((total) => total * 10n),
          { nil: null, freq: 3 },
        ),
        items: fc.array(item, { maxLength: 3 }),
      }),
      { minLength: 30, maxLength: 60 },
    ),
    records: fc.array(
      fc.record({
        ...write,
        contact: fc.integer({ min: 0, max: CONTACTS }),
        table: fc.constantFrom(1, 1, 2),
        id: fc.integer({ min: 1, max: 40 }).map((n) => `r${n}`),
        fields: properties,
        deleted: fc.constantFrom(false, false, false, true),
      }),
      { minLength: 60, maxLength: 100 },
    ),
  })
  .map(({ deleted, merged, created, ...writes }) => ({
    ...distinct(writes),
    contacts: created.map((days, index) => ({
      number: index + 1,
      cid: (index + 1).toString(16).padStart(24, "0"),
      createdAt: NOW - days * DAY,
      modifiedAt: NOW - (days % 90) * DAY,
      deleted: deleted.includes(index + 1),
    })),
    aliases: new Map(merged.map((number) => [number, (number % 5) + 1])),
    cleared: { "attributes.color": [NOW - 100 * DAY, NOW - 25 * DAY], "attributes.free": [NOW - 150 * DAY] },
    tables: [
      { id: 1, key: "cars", isLinked: true, clearedAt: [NOW - 200 * DAY, NOW - 40 * DAY] },
      { id: 2, key: "shops", isLinked: false },
    ],
    lists: [
      { id: 1, name: "VIP" },
      { id: 2, name: "news", clearedAt: [NOW - 30 * DAY, NOW - 150 * DAY, NOW - 90 * DAY] },
      { id: 3, name: "3", clearedAt: [NOW - 45 * DAY] },
    ],
  }));

/** No two writes of one member at the same millisecond, and a uid belongs to one event of a contact and action at a time. */
function distinct<
  T extends Pick<Required<World>, "fields" | "memberships" | "orders" | "activities" | "carts" | "records">,
>(writes: T): T {
  let place = 0;
  const spread = <W extends { readonly at: number }>(list: readonly W[]) =>
    list.map((entry) => ({ ...entry, at: entry.at - (entry.at % WRITES_MAX) - place++ }));
  return {
    ...writes,
    fields: spread(writes.fields),
    memberships: spread(writes.memberships),
    orders: spread(writes.orders),
    carts: spread(writes.carts),
    records: spread(writes.records),
    activities: [...new Map(writes.activities.map((event) => [eventKey(event), event])).values()],
  };
}

/** Two rows of one key are one row in the store, sooner or later. */
function eventKey({ action, contact, time, uid }: World["activities"][number]): string {
  return JSON.stringify([action, contact, time, uid]);
}
