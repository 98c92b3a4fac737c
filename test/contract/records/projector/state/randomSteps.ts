import type { ContactMergeOptions } from "@headwater/contracts";
import type { CartRequest } from "@headwater/records/carts/setCart";

import fc from "fast-check";

/** One record of the log, put at the end of a partition. */
export interface Append {
  readonly kind: "append";
  readonly operation: string;
  readonly members: object;
  readonly partition: number;
}

export type Step =
  | Append
  /** Applies what stands in the log, partition by partition, each as one batch. */
  | { readonly kind: "apply" }
  | { readonly kind: "write"; readonly write: Write };

/** Identifier to find a contact by. */
export interface Finder {
  readonly name: string;
  readonly value: string;
}

/** A write of `/v2`. */
export type Write =
  | { readonly kind: "split"; readonly of: Finder; readonly channels: readonly string[] }
  | {
      readonly kind: "merge";
      readonly from: Finder;
      readonly into: Finder;
      readonly options: ContactMergeOptions;
      /** All there may be. */
      readonly orders: readonly string[];
    }
  | { readonly kind: "contact"; readonly contact: object; readonly lists: Readonly<Record<string, boolean>> }
  | { readonly kind: "cart"; readonly of: Finder; readonly request: CartRequest }
  | { readonly kind: "removeOrder"; readonly orderId: string };

export const listNames = ["vip", "news"] as const;

/** Identifiers of one world: no two worlds meet. */
const emails = (world: number) => ["a", "b", "c"].map((name) => `${name}@w${world}.example.com`);
const customers = (world: number) => ["1", "2", "3"].map((name) => `c${world}-${name}`);
const phones = (world: number) => ["1", "2"].map((digit) => `+4512${String(world).padStart(5, "0")}${digit}`);

/** Steps of people who are found by several identifiers, merged, split, and given identifiers of others; nothing of it makes sense. */
export function stepsOf(world: number, partitions = 3): fc.Arbitrary<readonly Step[]> {
  const record = fc
    .integer({ min: 0, max: partitions - 1 })
    .chain((partition) => bodyOf(world, partition).map((body): Step => ({ kind: "append", ...body, partition })));
  const write = writeOf(world).map((one): Step => ({ kind: "write", write: one }));
  const apply = fc.constant<Step>({ kind: "apply" });
  const step = fc.oneof(
    { arbitrary: record, weight: 12 },
    { arbitrary: apply, weight: 2 },
    { arbitrary: write, weight: 3 },
  );
  return fc.array(step, { minLength: 20, maxLength: 60 });
}

function writeOf(world: number): fc.Arbitrary<Write> {
  const finder = finderOf(world);
  const split = fc.record({
    kind: fc.constant("split" as const),
    of: finder,
    channels: fc.constantFrom(["email"], ["sms"], ["email", "sms"]),
  });
  const side = fc.constantFrom("sourceContact" as const, "destinationContact" as const);
  const share = fc.constantFrom("merge" as const, "ignore" as const);
  const merge = fc.record({
    kind: fc.constant("merge" as const),
    from: finder,
    into: finder,
    orders: fc.constant(orderIds(world)),
    options: fc.record({
      email_channels: side,
      sms_channels: side,
      push_channels: share,
      attributes: side,
      lists: side,
      supplements: side,
      orders: share,
      events: share,
      cart: fc.constantFrom("sourceContact" as const, "destinationContact" as const, "lastModified" as const),
    }),
  });
  const lists = fc.dictionary(fc.constantFrom(...listNames), fc.boolean());
  const contact = fc.record({
    kind: fc.constant("contact" as const),
    contact: contactOf(world, identifiersOf(world)),
    lists,
  });
  const request = fc.constantFrom<CartRequest>(
    { kind: "clear" },
    { kind: "set", fresh: true, members: {}, lines: [{ productID: "r", sku: "s", category: "c", name: "n", qty: 2 }] },
    { kind: "remove", line: { productID: "p", qty: 1 } },
  );
  const cart = fc.record({ kind: fc.constant("cart" as const), of: finder, request });
  const removeOrder = fc.record({
    kind: fc.constant("removeOrder" as const),
    orderId: fc.constantFrom(...orderIds(world)),
  });
  return fc.oneof(split, merge, contact, cart, removeOrder);
}

const orderIds = (world: number): readonly string[] => [`o${world}-1`, `o${world}-2`];

function finderOf(world: number): fc.Arbitrary<Finder> {
  return fc.oneof(
    fc.constantFrom(...emails(world)).map((value) => ({ name: "email", value })),
    fc.constantFrom(...customers(world)).map((value) => ({ name: "customer_id", value })),
  );
}

type Body = Pick<Append, "operation" | "members">;

function bodyOf(world: number, partition: number): fc.Arbitrary<Body> {
  const identifiers = identifiersOf(world);
  const contact = contactOf(world, identifiers);
  const found = identifiers.map((input) => ({ identifiers: input }));
  const orderID = fc.constantFrom(...orderIds(world));
  return fc.oneof(
    { arbitrary: members("upsertContact", { contact }), weight: 5 },
    members("createContactactivities", { contact, event: eventOf(partition) }),
    members("upsertOrder", { contact, order: orderOf(orderID) }),
    members("setOrderStatus", {
      contact: found,
      order: fc.record({ orderID, status: fc.constantFrom("refunded", "paid") }),
    }),
    members("addContactsToList", { contact, listName: fc.constantFrom(...listNames), canBeCreated: fc.boolean() }),
    members("removeContactsFromList", { contact: found, listName: fc.constantFrom(...listNames) }),
    members("clearList", { listName: fc.constantFrom(...listNames) }),
    members("addProductsToCart", { contact, products: fc.array(productOf(), { minLength: 1, maxLength: 2 }) }),
    members("removeProductsFromCart", { contact, products: fc.array(productOf(), { minLength: 1, maxLength: 2 }) }),
    members("mergeContacts", { contact: fc.oneof(contact, found), previous: found }),
  );
}

/** One finds a contact or makes one, several merge them. */
function identifiersOf(world: number): fc.Arbitrary<Readonly<Record<string, string>>> {
  const one = fc.oneof(
    fc.constantFrom(...emails(world)).map((email) => ({ email })),
    fc.constantFrom(...customers(world)).map((customer_id) => ({ customer_id })),
    fc.constantFrom(...phones(world)).map((phone) => ({ phone })),
    fc.constantFrom(`x${world}`, `y${world}`).map((anonymousId) => ({ anonymousId })),
  );
  return fc.array(one, { minLength: 1, maxLength: 4 }).map((several) => Object.assign({}, ...several));
}

function members(operation: string, of: Record<string, fc.Arbitrary<unknown>>) {
  return fc.record(of).map((provided) => ({ operation, members: provided }));
}

function contactOf(world: number, identifiers: fc.Arbitrary<object>): fc.Arbitrary<object> {
  const status = fc.record({ subscribeStatus: fc.constantFrom("subscribed", "unsubscribed", "none") });
  const attributes = fc.record(
    {
      plan: fc.constantFrom("gold", "silver", null),
      score: fc.integer({ min: 0, max: 3 }),
      email: fc.constantFrom(...emails(world), null),
      customer_id: fc.constantFrom(...customers(world)),
      channels: fc.record({ email: status, sms: status }, { requiredKeys: [] }),
    },
    { requiredKeys: [] },
  );
  const mergeOptions = fc.record(
    { mergeAllowed: mostly(), mergeableSecondaryKeys: fc.constant(["customer_id", "phone", "anonymousId"]) },
    { requiredKeys: ["mergeAllowed"] },
  );
  const rights = { canBeCreated: mostly(), canBeUpdated: mostly(), forceSubscribe: fc.boolean(), mergeOptions };
  return fc.record(
    { identifiers, attributes, ...rights },
    { requiredKeys: ["identifiers", "canBeCreated", "canBeUpdated", "forceSubscribe", "mergeOptions"] },
  );
}

const mostly = () => fc.constantFrom(true, true, true, true, false);

/** Doubles are known by partition: those of one sender are all on one. */
function eventOf(partition: number): fc.Arbitrary<object> {
  return fc.record({
    name: fc.constant("browse"),
    time: fc.constant("2026-01-01T00:00:00Z"),
    UID: fc.constantFrom(`${partition}-1`, `${partition}-2`),
  });
}

function orderOf(orderID: fc.Arbitrary<string>): fc.Arbitrary<object> {
  const required = { orderID, purchaseDate: fc.constantFrom("2026-01-01", "2026-01-02"), items: fc.constant([]) };
  const more = { status: fc.constantFrom("paid", "refunded"), cartID: fc.constant("k") };
  return fc.record({ ...required, ...more }, { requiredKeys: ["orderID", "purchaseDate", "items"] });
}

function productOf(): fc.Arbitrary<object> {
  const productID = fc.constantFrom("p", "q");
  return fc.record({ productID, sku: fc.constant("s"), name: fc.constant("n"), qty: fc.integer({ min: 1, max: 3 }) });
}
