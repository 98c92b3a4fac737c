import { type Account, defaultSettings, versionOf } from "@headwater/contracts";
import { operations } from "@headwater/intake/operations/registry";
import { MemoryState, type VersionedRecord } from "@headwater/testing";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fromRow } from "../contacts/contactDocument.ts";
import { foldInCuts } from "../fold/testCuts.ts";
import { fromCartRow } from "./cart.ts";

const account: Account = { number: 1, id: "a".repeat(24), name: "laws", settings: defaultSettings };

interface AnyBody {
  readonly name: string;
  readonly members: object;
}

const email = fc.constantFrom("a@x", "b@x", "c@x");
const contact = fc.record(
  {
    identifiers: fc.record({ email, customer_id: fc.constantFrom(1, 2) }, { requiredKeys: ["email"] }),
    attributes: fc.record({ plan: fc.constantFrom("x", "y") }),
    canBeCreated: fc.boolean(),
    mergeOptions: fc.record({
      mergeAllowed: fc.boolean(),
      mergeableSecondaryKeys: fc.constant(["customer_id", "email"]),
    }),
  },
  { requiredKeys: ["identifiers", "attributes"] },
);
const name = { productID: fc.constantFrom("p", "q"), qty: fc.integer({ min: 1, max: 4 }) };
const sku = fc.constantFrom("1", "2");
const cart = fc.record(
  { cartID: fc.constantFrom("c1", "c2"), expiration: fc.constantFrom("1970-01-01T00:00:01.020Z", "2100-01-01") },
  { requiredKeys: [] },
);
const order = fc.record({
  orderID: fc.constantFrom("o1", "o2"),
  purchaseDate: fc.constant("2026-01-01"),
  items: fc.constant([{ productID: "p", sku: "1", name: "n" }]),
  cartID: fc.constantFrom("c1", "c2"),
});
const cartBody: fc.Arbitrary<AnyBody> = fc.oneof(
  fc.record({
    name: fc.constant("addProductsToCart"),
    members: fc.record({
      contact,
      products: fc.array(fc.record({ ...name, sku, category: sku, name: sku, itemPrice: fc.constant("1.1") }), {
        minLength: 1,
        maxLength: 3,
      }),
      cart,
    }),
  }),
  fc.record({
    name: fc.constant("removeProductsFromCart"),
    members: fc.record({
      contact,
      products: fc.array(fc.record({ ...name, sku }, { requiredKeys: ["productID", "qty"] }), {
        minLength: 1,
        maxLength: 2,
      }),
    }),
  }),
  fc.record({ name: fc.constant("upsertContact"), members: fc.record({ contact }) }),
  fc.record({ name: fc.constant("upsertOrder"), members: fc.record({ contact, order }) }),
);

const fields = {
  email,
  model: fc.oneof(fc.constantFrom("A", "B", null), fc.integer({ min: 0, max: 2 })),
  constructor: fc.boolean(),
};
const recordBody = (supplement: fc.Arbitrary<string>): fc.Arbitrary<AnyBody> =>
  fc.record({
    name: fc.constant("upsertSupplementsRecords"),
    members: fc.record({
      supplement,
      record: fc.record({ id: fc.constantFrom("1", "2"), ...fields }, { requiredKeys: ["id"] }),
    }),
  });

function located(bodies: readonly AnyBody[], partition = 0): VersionedRecord[] {
  return bodies.flatMap(({ name, members }, index) => {
    const operation = operations.find((candidate) => candidate.name === name);
    if (operation === undefined) throw new Error(`no operation ${name}`);
    const version = versionOf(1_000 + index * 2 + partition, { lane: 1, partition, offset: index, place: 0 });
    return [{ operation, record: { id: `p${partition}r${index}:0:0`, receivedAt: 0, ...members }, version }];
  });
}

function fresh(): MemoryState {
  const state = new MemoryState();
  const table = { contactObject: false, autogenerateIDs: false, clearedVersion: undefined };
  state.defineSupplement(1, {
    ...table,
    id: 1,
    key: "plain",
    indexes: [{ field: "model", type: "string", slot: 1, timezone: "UTC" }],
  });
  state.defineSupplement(1, { ...table, id: 2, key: "ofContacts", indexes: [], contactObject: true });
  state.defineSupplement(1, { ...table, id: 3, key: "free", indexes: [] });
  return state;
}

const stored = ({ contacts, owners, carts, orders, supplementRecords, aliases }: MemoryState) =>
  [contacts, owners, carts, orders, supplementRecords, aliases].map((map) => [...map].sort());

function plain(outcome: unknown): unknown {
  return JSON.parse(JSON.stringify(outcome, (_key, inner) => (inner instanceof Set ? [...inner].sort() : inner)));
}

describe("laws of carts and supplement records", () => {
  test("a batch folded in any cuts equals its records folded one by one", () => {
    const body = fc.oneof(cartBody, recordBody(fc.constantFrom("plain", "ofContacts", "nowhere")));
    fc.assert(
      fc.property(fc.array(body, { maxLength: 24 }), fc.array(fc.integer({ min: 1, max: 6 })), (bodies, cuts) => {
        const records = located(bodies);
        const [one, cut] = [fresh(), fresh()];
        const { outcomes, inCuts } = foldInCuts({ account, one, cut }, records, cuts);
        expect(inCuts.map(plain)).toEqual(outcomes.map(plain));
        expect(stored(cut)).toEqual(stored(one));
      }),
      { numRuns: 500 },
    );
  });

  test("writes of one record by two partitions end in one state in any interleaving", () => {
    const body = recordBody(fc.constant("free"));
    const bodies = fc.array(body, { maxLength: 8 });
    fc.assert(
      fc.property(bodies, bodies, fc.infiniteStream(fc.boolean()), (left, right, picks) => {
        const [a, b] = [located(left, 0), located(right, 1)];
        const [inOrder, mixed] = [fresh(), fresh()];
        inOrder.apply(account, [...a, ...b]);
        const [x, y] = [[...a], [...b]];
        while (x.length + y.length > 0) {
          const from = (picks.next().value === true && x.length > 0) || y.length === 0 ? x : y;
          const next = from.shift();
          if (next !== undefined) mixed.apply(account, [next]);
        }
        expect(fieldsOf(mixed)).toEqual(fieldsOf(inOrder));
      }),
      { numRuns: 500 },
    );
  });

  test("no line is ever below one, and contacts that were merged have no cart", () => {
    fc.assert(
      fc.property(fc.array(cartBody, { maxLength: 30 }), (bodies) => {
        const state = fresh();
        state.apply(account, located(bodies));
        for (const [number, row] of state.carts) {
          expect(fromCartRow(number, row).lines.every(({ qty }) => qty >= 1)).toBe(true);
          expect(state.aliases.has(number)).toBe(false);
        }
      }),
    );
  });
});

/** Fields of every record: versions left aside. */
function fieldsOf({ supplementRecords }: MemoryState): unknown {
  return [...supplementRecords]
    .map(([key, { doc }]) => [
      key,
      JSON.parse(doc)
        .members.map(([n, v]: [string, unknown]) => [n, v])
        .sort(),
    ])
    .sort();
}

describe("carts of contacts that become one", () => {
  const send = (state: MemoryState, bodies: readonly AnyBody[]) => state.apply(account, located(bodies));
  const person = (identifiers: object) => ({ identifiers, attributes: { plan: "x" }, canBeCreated: true });
  const add = (identifiers: object, productID: string): AnyBody => ({
    name: "addProductsToCart",
    members: {
      contact: person(identifiers),
      products: [{ productID, sku: "1", category: "c", name: "n", qty: 1 }],
      cart: { cartID: productID },
    },
  });
  const merge: AnyBody = {
    name: "upsertContact",
    members: { contact: { identifiers: { email: "a@x", customer_id: 1 }, mergeOptions: { mergeAllowed: true } } },
  };

  test.each([
    ["the survivor's", [add({ customer_id: 1 }, "p"), add({ email: "a@x" }, "q")], "q"],
    ["the merged one's", [add({ email: "a@x" }, "p"), add({ customer_id: 1 }, "q")], "q"],
  ])("the later cart stays: %s", (_whose, bodies, left) => {
    const state = fresh();
    send(state, [...bodies, merge]);
    expect(state.carts.size).toBe(1);
    const live = [...state.contacts.values()]
      .map((row) => fromRow(row))
      .find(({ mergedInto }) => mergedInto === undefined);
    const number = live?.number ?? 0;
    const row = state.carts.get(number);
    expect(row && fromCartRow(number, row).lines.map(({ productID }) => productID)).toEqual([left]);
  });

  test("an order with the cart's id empties it, another order does not", () => {
    const state = fresh();
    const ordered = (cartID: string | undefined, orderID: string): AnyBody => ({
      name: "upsertOrder",
      members: {
        contact: person({ email: "a@x" }),
        order: { orderID, purchaseDate: "2026-01-01", items: [{ productID: "p", sku: "1", name: "n" }], cartID },
      },
    });
    const linesAfter = (bodies: readonly AnyBody[]) => {
      send(state, bodies);
      const [[number, row] = [0, undefined]] = state.carts;
      return row && fromCartRow(number, row).lines.length;
    };
    expect(linesAfter([add({ email: "a@x" }, "c1"), ordered(undefined, "o1"), ordered("c2", "o2")])).toBe(1);
    expect(linesAfter([ordered("c1", "o3")])).toBe(0);
  });

  test("a cart that has expired by the time of a record begins anew", () => {
    const state = fresh();
    const expiring: AnyBody = {
      name: "addProductsToCart",
      members: {
        contact: person({ email: "a@x" }),
        products: [{ productID: "old", sku: "1", category: "c", name: "n", qty: 1 }],
        cart: { expiration: "1970-01-01T00:00:01.001Z" },
      },
    };
    send(state, [expiring, add({ email: "a@x" }, "new")]);
    const [[number, row] = [0, undefined]] = state.carts;
    expect(row && fromCartRow(number, row)).toMatchObject({ lines: [{ productID: "new" }], expiresAt: undefined });
  });
});
