import type { Random } from "../harness/random.ts";

/** A call at the bounds of what intake takes, or just beyond them: any answer below 500 is right, and so is a 503. */
export interface HostileCall {
  readonly path: string;
  readonly body: string;
}

const BODY_CHARACTERS = 250 * 1024;
const BATCH_CHARACTERS = 9 * 1024 * 1024;
const NAMES = 1_000;
const DEPTH = 5;

type Members = Record<string, unknown>;
type Shape = (random: Random, person: Members) => readonly [operation: string, item: Members];

/** Each is an input that once stopped or slowed a stage, or the greatest of its kind. */
const shapes: readonly [Shape, ...Shape[]] = [
  (_random, contact) => activity(contact, { [Array.from({ length: 4_500 }, () => "0").join(".")]: 1 }),
  (_random, contact) => activity(contact, { "a.__proto__.b": 1, "constructor.prototype.c": 2, __proto__x: 3 }),
  (random, contact) => activity(contact, manyNames(random)),
  (_random, contact) => activity(contact, { deep: nested(DEPTH - 1, longText(BODY_CHARACTERS / 2)) }),
  (_random, contact) => activity(contact, { many: Array.from({ length: 60_000 }, (_, index) => index) }),
  (_random, contact) => activities(contact, 100),
  (_random, contact) => upsert(contact, { big: Array.from({ length: 30_000 }, (_, index) => index) }),
  (_random, contact) => upsert(contact, { big: { add: Array.from({ length: 30_000 }, (_, index) => index + 15_000) } }),
  (_random, contact) => upsert(contact, { big: { remove: Array.from({ length: 30_000 }, (_, index) => index) } }),
  (random, contact) => upsert(contact, manyNames(random)),
  (random, contact) => upsert(contact, { [`grow_${random.int(1_000_000)}`]: longText(BODY_CHARACTERS) }),
  (random, contact) => upsert(manyIdentifiers(random, contact), { n: 1 }),
  (_random, contact) => order(contact, 1_000),
  (_random, contact) => ["addProductsToCart", { contact, cart: { products: products(500) } }],
  (random, contact) => [
    "upsertSupplementsRecords",
    { supplement: "cards", records: supplementRecords(random, contact) },
  ],
  (random, contact) => lists(random, contact),
];

/** Calls one after another, the same for the same seed, about few people so that they grow. */
export function createHostileCalls(random: Random, people: number): () => HostileCall {
  return () => {
    const [operation, item] = random.pick(shapes)(random, {
      identifiers: { email: `eve${random.int(people)}@example.com` },
    });
    const text = JSON.stringify(item);
    if (!random.chance(0.3)) return { path: `/api/${operation}`, body: text };
    const copies = Math.max(1, Math.min(100, Math.floor(BATCH_CHARACTERS / text.length)));
    return { path: `/api/${operation}/batch`, body: `{"items":[${Array(copies).fill(text).join(",")}]}` };
  };
}

function activity(contact: Members, properties: Members) {
  return [
    "createContactactivities",
    { contact: { ...contact, canBeCreated: true, attributes: { n: 1 } }, contactactivities: [event(properties)] },
  ] as const;
}

function activities(contact: Members, count: number) {
  const contactactivities = Array.from({ length: count }, (_, index) => event({ index }));
  return [
    "createContactactivities",
    { contact: { ...contact, canBeCreated: true, attributes: { n: 1 } }, contactactivities },
  ] as const;
}

function event(properties: Members): Members {
  return { name: "hostile", time: new Date().toISOString(), properties };
}

function upsert(contact: Members, attributes: Members) {
  return ["upsertContact", { ...contact, attributes, canBeCreated: true, canBeUpdated: true }] as const;
}

function order(contact: Members, count: number) {
  const items = products(count).map((product) => ({ ...product, itemPrice: "99999999999999.9999" }));
  const created = { orderID: `o-${count}`, purchaseDate: new Date().toISOString(), items };
  return [
    "upsertOrder",
    { contact: { ...contact, canBeCreated: true, attributes: { n: 1 } }, order: created },
  ] as const;
}

function products(count: number): Members[] {
  return Array.from({ length: count }, (_, index) => ({
    productID: `p${index}`,
    sku: `s${index}`,
    name: "n",
    qty: 2_147_483_647,
  }));
}

function supplementRecords(random: Random, contact: Members): Members[] {
  return Array.from({ length: 500 }, (_, index) => ({
    id: `r${index}`,
    contact,
    fields: { year: random.int(3_000), text: "x".repeat(300) },
  }));
}

function lists(random: Random, contact: Members) {
  const contacts = Array.from({ length: 1_000 }, (_, index) => ({
    ...contact,
    identifiers: { email: `eve${index}@example.com` },
  }));
  return ["addContactsToList", { list: `hostile ${random.int(1_000_000)}`, contacts }] as const;
}

function manyNames(random: Random): Members {
  const prefix = random.int(1_000_000);
  return Object.fromEntries(
    Array.from({ length: NAMES }, (_, index) => [`n${prefix}_${index}.a.b.c`, `9${"0".repeat(200)}`]),
  );
}

function manyIdentifiers(random: Random, contact: Members): Members {
  const more = Array.from({ length: 63 }, (_, index) => [`id${index}`, `${random.int(50)}`]);
  return {
    identifiers: { ...Object(contact.identifiers), ...Object.fromEntries(more) },
    mergeOptions: { mergeAllowed: true },
  };
}

function nested(depth: number, leaf: unknown): unknown {
  return depth === 0 ? leaf : { in: nested(depth - 1, leaf) };
}

function longText(characters: number): string {
  return "\u00e9".repeat(Math.floor(characters / 2));
}
